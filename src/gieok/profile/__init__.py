"""The profile card of a person: a view of what is remembered of them (document C)."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.kernel.language import CardField
from gieok.profile.model import Card, CardDocument, CardValue, ReplacedValue

if TYPE_CHECKING:
    from gieok.profile.build import PlaceTest
    from gieok.profile.service import Profile, place_by_category
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "PlaceTest": "gieok.profile.build",
            "Profile": "gieok.profile.service",
            "place_by_category": "gieok.profile.service",
        },
    )

__all__ = [
    "Card",
    "CardDocument",
    "CardField",
    "CardValue",
    "PlaceTest",
    "Profile",
    "ReplacedValue",
    "place_by_category",
]
