"""Extraction without a model, with what `pip install "gieok[lambda,local]"` brings."""

from datetime import UTC, tzinfo

from gieok.kernel.language import CardField
from gieok.memories.model import Fact
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.weights import load_card_model
from gieok.surfaces.tutor.findings import FindingsExtractor
from gieok.text.kiwi import get_shared_morphology


def create_rules_extractor(zone: tzinfo = UTC) -> FindingsExtractor:
    """Return what finds statements by rules; its models load with the first use.

    `zone` is where the day of "today" and "tomorrow" is counted.
    """
    embedder, places = E5Embedder(), load_card_model()

    def judge(fact: Fact) -> CardField | None:
        held = fact.embedding
        return places.predict_field(held.vector) if held else None

    return FindingsExtractor(
        RulesModel(embedder, get_shared_morphology()), embedder, judge, zone=zone
    )
