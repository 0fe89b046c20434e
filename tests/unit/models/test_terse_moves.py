"""Which home or work a clause of a few words says is another now."""

import pytest

from gieok.kernel.language import Category, KnownMemory, Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.changes.moves import find_moves
from gieok.models.rules.changes.terse_moves import find_terse_moves
from gieok.text.kiwi import get_shared_morphology


def _find_changed(said: str, *contents: str) -> list[int | None]:
    heard = [Utterance(0, Role.USER, said)]
    known = [
        KnownMemory(str(n), text, Category.CONTEXT) for n, text in enumerate(contents)
    ]
    found = find_terse_moves(collect_candidates(heard, get_shared_morphology()), known)
    return [one.known for one in found]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user lives in Slough", "moved again, Hull now"),
        ("The user is out in headingley", "moved in with ines!! chapel allerton"),
        ("사용자는 망원동에 산다", "이사끝 연남동 주민됨"),
        ("The user is based in Leeds", "new flat, in York this time"),
        ("The user lives in Leeds", "moved to York last month"),
        ("The user lives in Leeds", "just moved to York"),
        ("The user lives in Leeds", "living in York these days"),
        ("The user lives in Leeds", "need a bus route from my new place in York"),
        ("사용자는 강남에 산다", "새 집이 수원이라 버스 노선 좀"),
        ("사용자는 강남에 산다", "요즘은 용인에 살아"),
        ("The user lives in Cork", "we've relocated again, Galway this time"),
        ("The user's home is in Derby", "moving again lol. it's Stoke now"),
        ("The user moved again, Hull now", "moved house again, York this time"),
        ("사용자는 파주에 산다", "또 이사했어 이젠 양주"),
        ("사용자의 자취방은 신림이다", "이사함 지금은 봉천"),
        ("사용자는 지금 대전에 산다", "또 이사 갔어, 이번엔 세종"),
        ("The user works at a salon in Bexley", "third salon this year, Sidcup"),
        ("The user is a barista at Costa", "new job again, Pret this time"),
        ("The user works for Barclays", "changed jobs again, HSBC now"),
        ("사용자는 삼성전자에서 일한다", "또 이직했어요, 이번엔 LG예요"),
        ("사용자는 병원에서 간호사로 일한다", "병원 또 옮겼어요"),
        ("사용자는 쿠팡을 다닌다", "이직했어 이제 네이버"),
    ],
)
def test_a_new_home_or_work_changes_the_known_one(item: str, said: str) -> None:
    assert _find_changed(said, item) == [0]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user lives in Leeds", "moved to Mondays for my class"),
        ("The user lives in Leeds", "moved to decaf"),
        ("The user lives in Leeds", "moved to York when i was 5"),
        ("The user lives in Slough", "my brother moved again, Hull now"),
        ("The user lives in Slough", "moved the sofa again, by the window now"),
        ("The user lives in Slough", "we might be moving again"),
        ("The user lives in Slough", "my new place mat is in a box"),
        ("사용자는 강남에 산다", "새 집들이 선물 추천해 줘"),
        ("사용자는 강남에 산다", "친구가 요즘 용인에 살아"),
        ("The user lives in Slough", "dee moved in with us"),
        ("The user lives in Slough", "moving again"),
        ("The user lives in Slough", "moved house a lot as a kid"),
        ("The user works at a salon in Bexley", "third restaurant this year, Dishoom"),
        ("The user works at a salon in Bexley", "moved again, Hull now"),
        ("The user's sister lives in Slough", "moved again, Hull now"),
        ("사용자는 파주에 산다", "동생 또 이사했어 이젠 양주"),
        ("사용자는 파주에 산다", "회사가 또 이사했어"),
        ("사용자는 파주에 산다", "팀장님 또 이사했대 이젠 대구"),
        ("사용자는 영어 학원을 다닌다", "또 이직했어요"),
    ],
)
def test_what_moves_otherwise_changes_nothing(item: str, said: str) -> None:
    assert _find_changed(said, item) == []


@pytest.mark.req("D05")
def test_of_several_homes_none_is_replaced() -> None:
    homes = ("The user lives in Slough", "The user lives in Cork")
    assert _find_changed("moved again, Hull now", *homes) == []


def _find_moved(said: str) -> list[int | None]:
    heard = [Utterance(0, Role.USER, said)]
    known = [KnownMemory("1", "사용자는 강남구에 산다", Category.LOCATION)]
    candidates = collect_candidates(heard, get_shared_morphology())
    return [one.known for one in find_moves(candidates, known, [])]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    ["저 부산으로 이사했어요", "저 회사 근처로 이사했어요", "나 학교 앞으로 이사했어"],
)
def test_a_stated_move_replaces_the_home(said: str) -> None:
    assert _find_moved(said) == [0]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    [
        *("우리 회사 판교로 이사했어", "우리 회사가 지난달에 판교로 이사했어"),
        *("우리 학원 이번에 이사했어", "우리 병원이 3월에 강남으로 이사했어"),
    ],
)
def test_a_company_that_moves_leaves_the_home(said: str) -> None:
    assert _find_moved(said) == []
