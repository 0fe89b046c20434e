"""A wish to forget is certain by its words only where nothing else can be meant."""

from collections.abc import Iterable

import numpy as np
import pytest

from gieok.kernel.language import Category, KnownMemory, Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.wishes.pointing import PointingChances
from gieok.models.rules.wishes.subjects import read_subject
from gieok.models.rules.wishes.targets import (
    SURELY_ASKS,
    WishTargets,
    find_wish_targets,
)
from gieok.text.kiwi import get_shared_morphology

KNOWN = {
    "사용자는 마흔두 살이다": "age",
    "사용자의 남편은 배관공이다": "work",
    "사용자의 언니는 대구에 산다": "siblings",
    "사용자의 여동생은 유치원 교사이다": "work",
    "사용자의 옛 룸메이트 태서는 울산에서 일한다": "people",
    "사용자는 갑각류 알레르기가 있다": "diet",
    "User was born in Tralee": "origin",
    "User takes warfarin every evening": "health",
    "User's mother Deirdre is a beekeeper": "work",
    "User's wife drives a Skoda": "things",
    "User repairs accordions for a living": "work",
}


def find(*said: str) -> list[str]:
    """Return what the wishes in some messages name for certain."""
    return _list_contents(find_targets(*said).named.values())


def find_unnamed(*said: str) -> list[str]:
    """Return what wishes about something just told cannot mean by their words."""
    found = find_targets(*said).unnamed.values()
    return _list_contents(set().union(*found))


def _list_contents(items: Iterable[int]) -> list[str]:
    return sorted({[*KNOWN][item] for item in items})


def find_targets(
    *said: str, points: bool = False, clause_points: bool = False, asks: float = 0.0
) -> WishTargets:
    """Return which of the known items the wishes in some messages name."""
    messages = [
        Utterance(n, Role.ASSISTANT if text[:3] == "a: " else Role.USER, text)
        for n, text in enumerate(said)
    ]
    known = [
        KnownMemory(f"k{n}", text, Category.CONTEXT) for n, text in enumerate(KNOWN)
    ]
    morphology = get_shared_morphology()
    candidates = collect_candidates(messages, morphology)
    slots = [frozenset({slot}) for slot in KNOWN.values()]
    last = [c.clause.message == len(said) - 1 for c in candidates]
    pointing = points * np.array(last, float)
    alone = max(points, clause_points) * np.array(last, float)
    chances = PointingChances(pointing, alone)
    asking = asks * np.array(last, float)
    return find_wish_targets(candidates, known, slots, chances, asking, morphology)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("제 나이는 그냥 잊어 주세요", "사용자는 마흔두 살이다"),
        ("내가 몇 살인지는 기억에서 빼 줘", "사용자는 마흔두 살이다"),
        ("바깥양반이 뭐 하는 사람인지는 기억하지 마시요", "사용자의 남편은 배관공이다"),
        ("언니 얘기 했던 거 지워 줘", "사용자의 언니는 대구에 산다"),
        (
            "태서에 관해 알려 드린 내용은 거두어 주십시오",
            "사용자의 옛 룸메이트 태서는 울산에서 일한다",
        ),
        ("알레르기 얘기는 삭제해 주세요", "사용자는 갑각류 알레르기가 있다"),
        ("please forget where I was born", "User was born in Tralee"),
        ("that warfarin thing, wipe it", "User takes warfarin every evening"),
        ("Delete what you know about Deirdre", "User's mother Deirdre is a beekeeper"),
        ("forget my mother's job", "User's mother Deirdre is a beekeeper"),
        ("forget what I do for a living", "User repairs accordions for a living"),
    ],
)
def test_a_wish_whose_every_word_one_item_explains_names_it(
    said: str, named: str
) -> None:
    assert find(said) == [named]


@pytest.mark.parametrize(
    "said",
    [
        ("자매 얘기는 지워 주세요",),
        ("부모님 나이는 지워 주세요",),
        ("여동생 직장에서 싸운 얘기는 잊어 줘",),  # words that nothing explains
        ("우리 딸 나이는 지워 줘",),  # somebody else's
        ("forget what I drive",),  # the wife does
        ("forget my brother's job",),
        ("forget that night in Tralee",),
        ("아까 알레르기 얘기는 잊어 줘",),  # what was said just now
        ("언니랑 크게 다퉜어요", "언니 얘기는 잊어 주세요"),  # told in this session
        ("그거 지워 줘",),  # points at nothing
    ],
)
def test_a_wish_that_may_mean_something_else_names_nothing(
    said: tuple[str, ...],
) -> None:
    assert find(*said) == []


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            (
                "언니가 임신했대요, 셋째예요",
                "아까 셋째 소식은 잊어 주세요",
            ),
            (),
        ),
        (
            ("I saw my boss kissing the neighbour", "that kissing thing, forget it"),
            (),
        ),
        (
            ("저 요즘 알레르기 검사 받아요", "아까 알레르기 얘기는 잊어 주세요"),
            ("사용자는 갑각류 알레르기가 있다",),
        ),
    ],
)
def test_a_wish_about_what_was_just_told_names_no_item_without_its_words(
    said: tuple[str, ...], named: tuple[str, ...]
) -> None:
    assert find(*said) == []
    assert find_unnamed(*said) == sorted({*KNOWN} - {*named})


@pytest.mark.parametrize(
    "wish",
    [
        "방금 말한 거 잊어줘",
        "아 이건 진짜 비밀이니까 기억하지 마세요",
        "이 말은 못 들은 걸로 해",
        "없던 일로 해줘",
        "바로 위에 쓴 거 삭제 좀",
        "scratch that",
        "please don't save that",
        "forget I said that",
        "oh no. please erase what I just wrote",
    ],
)
@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("저 갑각류 알레르기가 있어요", "사용자는 갑각류 알레르기가 있다"),
        ("I take warfarin every evening", "User takes warfarin every evening"),
    ],
)
def test_a_wish_that_only_points_names_what_was_said_before_it(
    said: str, item: str, wish: str
) -> None:
    assert find("우리 언니는 대구에 살아요", "a: 네.", said, "a: 네.", wish) == [item]


@pytest.mark.parametrize(
    "wish", ["you didn't hear that from me", "적지 마, 남편이 이 폰을 같이 써"]
)
def test_a_wish_that_points_means_the_message_before_it_whatever_its_words(
    wish: str,
) -> None:
    known = [*KNOWN]
    found = find_targets(known[0], "a: 네.", known[7], "a: 네.", wish, points=True)
    assert {*found.pointed.values()} == {7}
    assert not find_targets(wish, points=True).pointed


@pytest.mark.parametrize(
    ("wish", "points"),
    [
        ("괜한 소리 했네. 그 얘기는 못 들은 걸로 해줘", True),
        ("내 몸무게 저장해놨어? 그거 지워", False),
    ],
)
def test_a_clause_points_further_back_only_where_its_message_names_nothing(
    wish: str, *, points: bool
) -> None:
    known = [*KNOWN]
    found = find_targets(known[7], "a: 네.", wish, clause_points=True)
    assert (7 in found.pointed.values()) == points


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("forget my brother's job", "User repairs accordions for a living"),
        ("forget that I was born in Cork", "User was born in Tralee"),
        ("forget that I was born in Tralee", "User takes warfarin every evening"),
        ("우리 딸 나이는 지워 줘", "사용자는 마흔두 살이다"),
    ],
)
def test_what_lacks_a_name_or_a_person_that_a_wish_names_is_not_surely_meant(
    said: str, other: str
) -> None:
    found = set().union(*find_targets(said).others.values())
    assert other in _list_contents(found)


def test_what_names_the_same_person_or_value_may_be_meant() -> None:
    for said, meant in (
        ("forget my mother's job", "User's mother Deirdre is a beekeeper"),
        ("forget that I was born in Tralee", "User was born in Tralee"),
        ("forget about my dog", "User takes warfarin every evening"),  # no person
    ):
        found = set().union(*find_targets(said).others.values())
        assert meant not in _list_contents(found)


@pytest.mark.parametrize(
    ("wish", "known", "is_shared"),
    [
        ("forget about my mum", "The user visits mum on Sundays", True),
        ("forget my daughter", "The user takes their daughter swimming", True),
        ("forget my sister", "The user's sister is a vet", True),
        ("forget my sister", "Tom's sister is a vet", False),
        ("forget my sister", "Toms sister is a vet", False),
        ("forget my sister", "Dolores moved her sister in", False),
        ("forget my neighbour's dog", "The user's dog is called Rex", False),
        ("옆집 개 얘기는 잊어줘", "사용자의 개 이름은 보리이다", False),
        ("우리 개 얘기는 잊어줘", "사용자의 개 이름은 보리이다", True),
    ],
)
def test_a_wish_shares_only_what_is_of_the_same_person(
    wish: str, known: str, *, is_shared: bool
) -> None:
    morphology = get_shared_morphology()
    candidates = collect_candidates([Utterance(0, Role.USER, wish)], morphology)
    none = np.zeros(len(candidates))
    found = find_wish_targets(
        candidates,
        [KnownMemory("k", known, Category.CONTEXT)],
        [frozenset()],
        PointingChances(none, none),
        none,
        morphology,
    )
    assert any(found.shared.values()) == is_shared


@pytest.mark.parametrize(("asks", "count"), [(SURELY_ASKS, 1), (SURELY_ASKS - 0.1, 0)])
def test_what_asks_without_a_word_for_it_names_as_well(asks: float, count: int) -> None:
    found = find_targets("the warfarin, nobody needs to see that", asks=asks)
    assert len(found.shared) == count
    for shared in found.shared.values():
        assert _list_contents(shared) == ["User takes warfarin every evening"]


def test_what_is_taken_to_point_back_but_names_something_means_that_as_well() -> None:
    found = find_targets(
        "nobody comes any more",
        "a: Shall I ring somebody?",
        "no no, and forget what I said about the warfarin, nobody needs to know",
        points=True,
    )
    left = {*range(len(KNOWN))}.difference(*found.unnamed.values())
    assert "User takes warfarin every evening" in _list_contents(left)


def test_why_something_is_to_be_forgotten_is_no_part_of_what_it_is() -> None:
    for reason in ("it's embarrassing", "its embarassing", "its not yours to know"):
        assert find(f"forget the warfarin i told u {reason}") == [
            "User takes warfarin every evening"
        ]
    assert find("forget that it's warfarin") == ["User takes warfarin every evening"]


@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("forget my warfarin every evening", "User takes warfarin every evening"),
        ("갑각류 알레르기 얘기는 지워 줘", "사용자는 갑각류 알레르기가 있다"),
    ],
)
def test_what_alone_has_several_words_of_a_wish_is_surely_meant(
    said: str, item: str
) -> None:
    assert _list_contents(set().union(*find_targets(said).sure.values())) == [item]


def test_one_word_makes_nothing_sure_but_a_figure_does() -> None:
    morphology = get_shared_morphology()
    known = [
        KnownMemory(text, text, Category.CONTEXT)
        for text in (
            "The user said: “better than my 58”",
            "User takes warfarin",
            "The user takes the 7:30 train",
        )
    ]
    for wish, sure in (
        ("forget the 58 i told u", {0}),
        ("forget the 58", set()),  # nothing says that it was told
        ("forget the 7:30 thing", set()),  # a time
        ("that warfarin thing, wipe it", set()),
    ):
        candidates = collect_candidates([Utterance(0, Role.USER, wish)], morphology)
        none = np.zeros(len(candidates))
        found = find_wish_targets(
            candidates,
            known,
            [frozenset()] * len(known),
            PointingChances(none, none),
            none,
            morphology,
        )
        assert set().union(*found.sure.values()) == sure


@pytest.mark.parametrize(
    ("said", "doubted"),
    [
        ("갑각류 들어간 거 다 빼줘", {"사용자는 갑각류 알레르기가 있다"}),
        ("갑각류 알레르기 얘기는 빼줘", set()),
        ("갑각류는 잊어줘", set()),
        ("언니 사진 다 지워줘", {*KNOWN}),
        ("delete everything with Skoda from my playlist", {*KNOWN}),
    ],
)
def test_what_is_ordered_of_the_world_erases_nothing_known(
    said: str, doubted: set[str]
) -> None:
    found = find_targets(said, asks=SURELY_ASKS)
    assert set(_list_contents(set().union(*found.doubted.values()))) == doubted


@pytest.mark.parametrize(
    ("wish", "kinds"),
    [
        *(("내 나이 지워 줘", {"age"}), ("내나이지워줘", {"age"}), ("연세는", {"age"})),
        *(("고향이 어딘지", {"origin"}), ("직장 얘기 지워", {"work"})),
        *(("나이키 산 거", set[str]()), ("연세대 다니는 거", set[str]())),
        *(("직장암 수술", set[str]()), ("고향만두 먹은 거", set[str]())),
    ],
)
def test_a_word_that_opens_like_a_kind_names_none(wish: str, kinds: set[str]) -> None:
    assert read_subject(wish, get_shared_morphology()).kinds == kinds


@pytest.mark.parametrize(
    ("item", "wish"),
    [
        ("사용자는 카카오에 다닌다", "내 직장 얘기 지워줘"),
        ("사용자는 우울증 약을 먹는다", "내 건강 얘기는 기억하지 마"),
        ("사용자는 빚이 3천만원 있다", "돈 얘기한 거 지워줘"),
        ("사용자는 수원대에 다닌다", "학교 얘기 지워"),
        ("The user is a nurse at Mercy", "forget where I work"),
        ("The user owes 5,000 on a credit card", "forget the money stuff"),
        ("The user is getting divorced", "forget what i told you about my marriage"),
    ],
)
def test_the_one_memory_of_the_kind_that_a_wish_names_is_likely_meant(
    item: str, wish: str
) -> None:
    assert _find_likely(wish, item, "The user likes tea") == [frozenset({0})]


def test_of_several_memories_of_a_kind_none_is_likely_the_one() -> None:
    known = "The user has asthma", "The user takes 10 mg of lisinopril"
    assert _find_likely("forget my health stuff", *known) == [frozenset()]


def _find_likely(wish: str, *contents: str) -> list[frozenset[int]]:
    """Return what a wish likely means, where the model of slots says nothing."""
    known = [KnownMemory(text, text, Category.CONTEXT) for text in contents]
    morphology = get_shared_morphology()
    candidates = collect_candidates([Utterance(0, Role.USER, wish)], morphology)
    nothing = np.zeros(len(candidates))
    pointing = PointingChances(nothing, nothing)
    slots = [frozenset[str]()] * len(known)
    found = find_wish_targets(candidates, known, slots, pointing, nothing, morphology)
    return [*found.likely.values()]
