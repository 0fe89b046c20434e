"""The profile card of a person: a view of what is remembered of them (document C)."""

from gieok.kernel.language import CardField
from gieok.profile.build import PlaceTest
from gieok.profile.model import Card, CardDocument, CardValue, ReplacedValue
from gieok.profile.service import Profile, place_by_category

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
