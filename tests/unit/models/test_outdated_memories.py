"""What a message makes untrue of what is known, said by the way (A08, A16)."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.changes.outdated_memories import (
    MIN_DOUBT,
    MIN_INSTEAD,
    MIN_ODDS,
    MessagePair,
    OutdatedMemory,
    build_outdated_finding,
    drop_quoted_changes,
    list_doubted,
    list_new_beside,
    quote_doubt,
    select_instead,
    select_outdated,
)
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
KNOWN = KnownMemory("k", "The user works at Evri", Category.CONTEXT)


def make_pair(message: int, known: int) -> MessagePair:
    return MessagePair(Utterance(message, Role.USER, "at Arla now"), "", known, "")


def make_finding(message: int, operation: FindingOperation) -> Finding:
    return Finding(
        operation, "At Arla", Category.CONTEXT, 0.6, Basis.STATED, (message,)
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 4), st.floats(-9, 9)), max_size=12
    )
)
def test_of_each_message_the_surest_is_over_and_each_memory_once(
    read: list[tuple[int, int, float]],
) -> None:
    pairs = [make_pair(message, known) for message, known, _ in read]
    found = select_outdated(pairs, np.array([odds for *_, odds in read]))
    for taken in (
        [one.pair.known for one in found],
        [one.pair.message.index for one in found],
    ):
        assert len(taken) == len(set(taken))
    assert all(0.5 < one.probability <= 1 for one in found)
    surest = max(read, key=lambda each: each[2], default=(0, 0, -np.inf))
    assert bool(found) == (surest[2] >= MIN_ODDS)


def test_what_is_true_instead_takes_its_place() -> None:
    one = OutdatedMemory(make_pair(2, 0), 0.9)
    new = [make_finding(n, FindingOperation.ADD) for n in (0, 2)]
    (instead,) = list_new_beside(one, [*new, make_finding(2, FindingOperation.DELETE)])
    change = build_outdated_finding(one, KNOWN, instead)
    assert (change.operation, change.target) == (FindingOperation.UPDATE, "k")
    assert (change.content, change.evidence) == ("At Arla", (2,))
    assert change.basis is Basis.STATED


def test_what_has_no_new_value_ends() -> None:
    end = build_outdated_finding(OutdatedMemory(make_pair(2, 0), 0.9), KNOWN, None)
    assert (end.operation, end.target) == (FindingOperation.DELETE, "k")
    assert (end.basis, end.evidence) == (Basis.STATED, (2,))


EN = (
    "The user works as a barista at Costa",
    "The user lives in Leeds",
    "The user goes to pilates on Mondays",
    "The user drives a Fiat 500",
    "The user has a dog called Bess",
)
KO = (
    "사용자는 카페에서 바리스타로 일한다",
    "사용자는 대전에 산다",
    "사용자는 월요일마다 필라테스를 다닌다",
    "사용자는 모닝을 탄다",
    "사용자는 강아지 보리를 키운다",
)


@pytest.fixture(scope="module")
def rules() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def list_changed(
    rules: RulesModel, known: tuple[str, ...], *said: str
) -> list[str]:
    items = (KnownMemory(text, text, Category.CONTEXT) for text in known)
    messages = (Utterance(n, Role.USER, text) for n, text in enumerate(said))
    talk = Conversation(tuple(messages), tuple(items), AT)
    outdating = (FindingOperation.UPDATE, FindingOperation.DELETE)
    found = await rules.extract(talk)
    return [f.target for f in found if f.target and f.operation in outdating]


@pytest.mark.parametrize(
    ("known", "said", "changed"),
    [
        (EN, "no more pilates for me, my back said no. any stretches?", 2),
        (EN, "sold the fiat yesterday finally. how do i cancel the insurance", 3),
        (KO, "필라테스는 허리 아파서 접었어 집에서 할 스트레칭 좀", 2),
    ],
)
async def test_what_ends_by_the_way_is_over(
    rules: RulesModel, known: tuple[str, ...], said: str, changed: int
) -> None:
    assert await list_changed(rules, known, said) == [known[changed]]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (EN, "I might sell the Fiat next year, is a Yaris any good?"),
        (EN, "pilates was great tonight, what should I eat after"),
        (EN, "I also started zumba on Fridays, is that too much?"),
        (EN, "I'm visiting Leeds market tomorrow, what's open?"),
        (KO, "내년에 모닝 팔까 생각 중인데 레이 어때?"),
        (KO, "오늘 필라테스 너무 좋았어 뭐 먹지"),
        (KO, "금요일엔 줌바도 시작했어 너무 무리인가?"),
    ],
)
async def test_what_only_sounds_like_an_end_changes_nothing(
    rules: RulesModel, known: tuple[str, ...], said: str
) -> None:
    assert await list_changed(rules, known, said) == []


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            "The user's flatmate goes to pilates on Mondays",
            "no more pilates for me, my back said no. any stretches?",
        ),
        ("The user's wife drives a Fiat 500", "I sold the fiat yesterday finally"),
    ],
)
async def test_what_the_user_ends_ends_nothing_of_somebody_else(
    rules: RulesModel, known: str, said: str
) -> None:
    assert await list_changed(rules, (known,), said) == []


async def test_what_is_played_changes_nothing(rules: RulesModel) -> None:
    sold = "sold the fiat yesterday finally. how do i cancel the insurance"
    play = "let's do a role play, you are the insurer and i am a caller"
    assert await list_changed(rules, EN, sold) == [EN[3]]
    assert await list_changed(rules, EN, play, sold) == []


async def test_a_message_that_states_one_change_ends_nothing_else(
    rules: RulesModel,
) -> None:
    known = ("사용자의 가게 이름은 들꽃마당이다", "사용자는 꽃집을 운영한다")
    said = "가게 간판 새로 달았어요! 이제 우리 가게 이름은 순임이네꽃집이여"
    assert await list_changed(rules, known, said) == [known[0]]


async def test_what_is_said_instead_is_told_once_as_the_change(
    rules: RulesModel,
) -> None:
    bus = "The user gets around by bus"
    items = (KnownMemory(text, text, Category.CONTEXT) for text in (*EN[:2], bus))
    said = "no more buses for me, i have a red polo now. how do i get insurance"
    talk = Conversation((Utterance(0, Role.USER, said),), tuple(items), AT)
    (change,) = await rules.extract(talk)
    assert (change.operation, change.target) == (FindingOperation.UPDATE, bus)
    assert "red polo" in change.content


@given(st.lists(st.floats(-5, 5), max_size=4))
def test_what_says_it_best_is_true_instead_if_it_says_it(odds: list[float]) -> None:
    new = [make_finding(n, FindingOperation.ADD) for n in range(len(odds))]
    found = select_instead(new, np.array(odds))
    if max(odds, default=-1.0) < MIN_INSTEAD:
        assert found is None
    else:
        assert found is not None
        assert odds[found.evidence[0]] == max(odds)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 4), st.floats(-9, 9)), max_size=12
    ),
    st.sets(st.integers(0, 3)),
)
def test_of_each_message_that_told_nothing_the_likeliest_is_doubted(
    read: list[tuple[int, int, float]], told: set[int]
) -> None:
    pairs = [make_pair(message, known) for message, known, _ in read]
    odds = np.array([own for *_, own in read])
    found = [*list_doubted(pairs, odds, told)]
    likely = {m for m, _, own in read if own >= MIN_DOUBT} - told
    assert sorted(one.message.index for one in found) == sorted(likely)


def test_what_may_be_private_is_not_quoted() -> None:
    private = MessagePair(Utterance(0, Role.USER, "my pin is 4411 now"), "", 0, "")
    assert quote_doubt(private, KNOWN, AT.date()) is None


def test_words_that_may_change_something_are_quoted() -> None:
    said = Utterance(3, Role.USER, "gave up on it tbh, she just laughs at me")
    found = quote_doubt(MessagePair(said, "How's it going?", 0, ""), KNOWN, AT.date())
    assert found is not None
    assert (found.operation, found.evidence) == (FindingOperation.ADD, (3,))
    assert found.content == f"The user said: “{said.content}”"


async def test_words_that_may_end_something_are_kept_beside_it(
    rules: RulesModel,
) -> None:
    known = KnownMemory("k", "The user goes to bingo on Fridays", Category.CONTEXT)
    said = (Utterance(0, Role.USER, "bingo and me have parted ways"),)
    (found,) = await rules.extract(Conversation(said, (known,), AT))
    assert (found.operation, found.target) == (FindingOperation.ADD, None)
    assert found.content == "The user said: “bingo and me have parted ways”"


async def test_what_is_said_in_a_role_play_is_not_remembered(rules: RulesModel) -> None:
    talk = (
        Utterance(0, Role.ASSISTANT, "Let's do a role-play. You are a chef in Paris."),
        Utterance(1, Role.USER, "ok. Hello I am Pierre."),
        Utterance(2, Role.ASSISTANT, "Great, Pierre! What do you cook?"),
        Utterance(3, Role.USER, "I cook snail every day. I don't like Korean food"),
    )
    assert await rules.extract(Conversation(talk, (), AT)) == ()


@pytest.mark.parametrize(
    ("quoted", "kept"),
    [
        ("no more buses for me, i have a red polo now", 0),
        ("i have a red polo now and a dog called Rex", 1),  # tells more
    ],
)
def test_a_quotation_of_a_change_is_not_told_beside_it(quoted: str, kept: int) -> None:
    known = KnownMemory("k", "The user gets around by bus", Category.CONTEXT)
    told = make_finding(0, FindingOperation.ADD)
    new = [
        replace(told, content="The user has a red polo now"),
        replace(told, content=f"The user said: “{quoted}”"),
    ]
    change = replace(new[0], operation=FindingOperation.UPDATE, target="k")
    left = drop_quoted_changes(new, [change], [known], get_shared_morphology())
    assert left == new[2 - kept :]
    elsewhere = replace(new[1], evidence=(7,))
    assert drop_quoted_changes(
        [elsewhere], [change], [known], get_shared_morphology()
    ) == [elsewhere]


@pytest.mark.req("A08")
async def test_an_end_that_is_only_supposed_makes_nothing_untrue(
    rules: RulesModel,
) -> None:
    contents = (
        "사용자는 전주에서 서울 올라왔다(회기동 원룸)",
        "사용자는 신입생이다",
        "사용자는 전공은 화학과인데 화학을 싫어한다",
    )
    known = tuple(
        KnownMemory(str(n), each, Category.CONTEXT) for n, each in enumerate(contents)
    )
    said = (
        "저 전과 신청한거 됐어요!!! 경영으로",
        "원룸 계약 끝나면 어디로 가지.. 왕십리가 나으려나 아직 반년 남긴했는데",
    )
    messages = tuple(Utterance(n, Role.USER, each) for n, each in enumerate(said))
    found = await rules.extract(Conversation(messages, known, AT))
    assert not [one for one in found if one.target]
