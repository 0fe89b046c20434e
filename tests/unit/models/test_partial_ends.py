"""What goes on of a known item of which a clause ends some."""

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.changes.coordination import list_conjuncts
from gieok.models.rules.changes.partial_ends import find_partial_end
from gieok.models.rules.changes.stated_ends import is_stated_end
from gieok.text.kiwi import get_shared_morphology


def _say(text: str) -> ClauseCandidate:
    said = [Utterance(0, Role.USER, text)]
    return collect_candidates(said, get_shared_morphology())[0]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said", "expected"),
    [
        ("사용자는 고양이랑 강아지를 키운다", "강아지는 입양 보냈어", "고양이를"),
        ("사용자는 커피랑 녹차를 마신다", "커피 이제 안 마셔", "녹차를"),
        ("The user has a cat and a dog", "our old dog died", "a cat"),
        ("The user takes iron and zinc", "I don't take zinc anymore", "iron"),
        ("The user works as a barista and a tutor", "I quit tutoring", "barista"),
        ("The user drinks green tea and black tea", "I quit green tea", "black tea"),
    ],
)
def test_what_goes_on_is_kept(item: str, said: str, expected: str) -> None:
    found = find_partial_end(item, _say(said))
    assert found is not None
    assert found.remaining is not None
    assert found.remaining.removesuffix(" 키운다").endswith((expected, "마신다"))
    assert expected in found.remaining


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user does yoga and pilates", "I quit hot yoga"),
        ("The user plays guitar and piano", "I sold my piano stool"),
        ("The user has two cats and a dog", "my cat died"),
        ("The user has two cats and a dog", "one of my cats died"),
        ("사용자는 요가하고 수영을 한다", "아침 수영은 그만뒀어"),
        ("사용자는 고양이랑 강아지를 키운다", "강아지 한 마리는 입양 보냈어"),
        ("사용자는 “요가하고 수영 다녀”라고 말했다", "수영은 그만뒀어"),
    ],
)
def test_what_may_be_narrower_cuts_nothing(item: str, said: str) -> None:
    found = find_partial_end(item, _say(said))
    assert found is not None
    assert found.remaining is None


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("사용자는 철분제랑 엽산을 먹는다", "둘 다 끊었어"),
        ("사용자는 철분제랑 엽산을 먹는다", "철분제랑 엽산 다 끊었어"),
        ("사용자는 엄마와 함께 산다", "이제 엄마랑 안 살아"),
        ("The user plays guitar and piano", "I quit both"),
        ("The user plays guitar and piano", "I gave up guitar and piano"),
        ("The user plays the piano", "I gave up the piano"),
    ],
)
def test_an_end_of_all_is_no_partial_one(item: str, said: str) -> None:
    assert find_partial_end(item, _say(said)) is None


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I gave up the piano", True),
        ("the piano is gone, I sold the piano", True),
        ("my sister gave up the piano", False),
        ("I almost gave up the piano", False),
        ("did I say I quit the piano?", False),
        ("I might have quit the piano", False),
        ("피아노는 그만뒀어", True),
        ("동생이 피아노를 그만뒀어", False),
        ("피아노 그만둘까", False),
        ("피아노는 안 그만뒀어", False),
    ],
)
def test_only_a_plain_end_of_ones_own_counts(said: str, *, expected: bool) -> None:
    korean = list_conjuncts("사용자는 기타랑 피아노를 친다")
    parts = korean if "피" in said else list_conjuncts("The user has a cat and a piano")
    candidates = collect_candidates(
        [Utterance(0, Role.USER, said)], get_shared_morphology()
    )
    assert any(is_stated_end(one, parts[1:]) for one in candidates) is expected


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said", ["아들 학교 보냈어", "아들 군대 보냈어", "아들은 하늘나라로 보냈어"]
)
def test_of_the_family_nobody_goes(said: str) -> None:
    found = find_partial_end("사용자는 아들과 딸이 있다", _say(said))
    assert found is None or found.remaining is None


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    ["강아지 미용 보냈어", "커피 나왔어", "딸이 수학여행 떠났어", "지갑을 잃어버렸어"],
)
def test_what_was_sent_served_or_lost_is_not_over(said: str) -> None:
    assert not is_stated_end(_say(said), None)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    ["강아지를 입양 보냈어", "회사를 나왔어", "콩이를 떠나보냈어", "동아리에서 나왔어"],
)
def test_who_was_given_away_or_what_was_left_is_over(said: str) -> None:
    assert is_stated_end(_say(said), None)
