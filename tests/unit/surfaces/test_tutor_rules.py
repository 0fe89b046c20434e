"""What the rules put on a card without a model: the change that users expect (C02)."""

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.surfaces.tutor.findings import FindingsExtractor
from gieok.surfaces.tutor.rules import create_rules_extractor


@pytest.fixture(scope="module")
def extractor() -> FindingsExtractor:
    return create_rules_extractor()


@pytest.mark.req("C02")
@pytest.mark.parametrize(
    ("said", "occupation"),
    [
        ("이제 기획자야.", "기획자"),
        ("나 이제 간호사야.", "간호사"),
        ("I'm a planner now.", "planner"),
        ("이제 끝이야.", None),
        ("이제 혼자야.", None),
        ("이제 겨울이야.", None),
        ("이제 팀장이 올 거야.", None),
        ("I'm a bit late now.", None),
    ],
)
async def test_what_somebody_is_by_now_is_their_occupation(
    extractor: FindingsExtractor, said: str, occupation: str | None
) -> None:
    card = await extractor.extract([Utterance(0, Role.USER, said)])
    assert card.get("occupation") == occupation
