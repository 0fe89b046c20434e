"""Gieok with the settings that an installation starts with."""

from dataclasses import replace

from gieok import Gieok
from gieok.settings import Settings


def with_default_settings(gieok: Gieok) -> Gieok:
    """Return one over the same data whose people start with the product's defaults."""
    settings = replace(gieok.settings, defaults=Settings())
    memories = replace(gieok.memories, settings=settings)
    recall = replace(gieok.recall, memories=memories)
    context = replace(gieok.context, memories=memories, recall=recall)
    profile = replace(gieok.profile, memories=memories)
    return replace(
        gieok,
        settings=settings,
        memories=memories,
        recall=recall,
        context=context,
        profile=profile,
        exchange=replace(gieok.exchange, settings=settings, context=context),
        portability=replace(
            gieok.portability, settings=settings, recall=recall, profile=profile
        ),
    )
