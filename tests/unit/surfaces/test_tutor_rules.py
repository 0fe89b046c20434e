"""What the rules put on a card without a model: the change that users expect (C02)."""

from dataclasses import replace
from datetime import UTC, datetime

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


@pytest.mark.req("C02")
@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("내년에 부산으로 이사해요.", "내년(2027년)에 부산으로 이사한다"),
        ("사흘 뒤 이사해요.", "사흘 뒤(1월 8일, 2026-01-08) 이사한다"),
        ("I move to Busan next month.", "moves to Busan next month (2026-02)"),
        ("I got married last year.", "got married last year (2025)"),
    ],
)
async def test_the_month_or_year_that_is_meant_stands_on_the_card(
    extractor: FindingsExtractor, said: str, fact: str
) -> None:
    at = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    dated = replace(extractor, clock=lambda: at)
    card = await dated.extract([Utterance(0, Role.USER, said)])
    assert card == {"mentioned_facts": [fact]}
