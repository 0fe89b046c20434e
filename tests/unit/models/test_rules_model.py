"""What RulesModel finds, with the real Kiwi, the real e5 and the shipped weights."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
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
    Vectors,
)
from gieok.memories.all_known import select_wishes
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.encoders import RuleEncoders
from gieok.models.rules.weights import load_judge_weights
from gieok.models.tuned_e5 import load_pair_engine
from gieok.testing import HashEmbedder
from gieok.text.kiwi import get_shared_morphology

SEOUL = timezone(timedelta(hours=9))
AT = datetime(2026, 4, 7, 20, 0, tzinfo=SEOUL)


@pytest.fixture(scope="session")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


def _talk(*said: str, known: tuple[KnownMemory, ...] = ()) -> Conversation:
    """Turns by "u: …", "a: …" and "s: …"."""
    roles = {"u": Role.USER, "a": Role.ASSISTANT, "s": Role.SYSTEM}
    messages = tuple(
        Utterance(number, roles[line[0]], line[3:]) for number, line in enumerate(said)
    )
    return Conversation(messages, known, AT)


def _texts(findings: tuple[Finding, ...]) -> str:
    return " | ".join(finding.content for finding in findings)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "저는 춘천에서 혼자 살고 있어요. 고양이 두 마리를 키워요.",
            ("춘천", "고양이"),
        ),
        ("나 땅콩 알레르기 있어서 견과류는 절대 못 먹어", ("땅콩",)),
        ("I live in Leeds and I work as a paramedic.", ("Leeds", "paramedic")),
        ("I'm allergic to shellfish, so no prawns for me.", ("shellfish",)),
        ("저 매주 토요일마다 등산 가요, 그리고 I love bibimbap", ("등산", "bibimbap")),
    ],
)
async def test_plain_statements_become_facts(
    model: RulesModel, said: str, expected: tuple[str, ...]
) -> None:
    found = await model.extract(_talk(f"u: {said}", "a: 그렇군요!"))
    assert all(term in _texts(found) for term in expected)
    assert all(f.evidence == (0,) for f in found)
    assert all(f.operation is FindingOperation.ADD for f in found)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("나 포항 살아",), [("location", "포항")]),
        (("I live in Leeds.",), [("location", "Leeds")]),
        (("저는 경주로 이사했어요",), [("location", "경주")]),
        (("나는 탁구를 좋아해",), [("preference", "탁구")]),
        (("I hate olives",), [("preference", "olives")]),
        (("저는 복숭아 알레르기가 있어요",), [("constraint", "복숭아")]),
        (("I'm allergic to bees.",), [("constraint", "bees")]),
        (("저는 매일 아침 요가를 해요",), [("habit", "요가")]),
        (("나 약사야",), [("context", "약사")]),
        (("제습기는 항상 50%로 맞춰줘",), [("device_pattern", "50")]),
        (("앞으로는 항상 존댓말로 대답해줘",), [("feedback", "존댓말")]),
        (
            ("저는 포항에 살아요", "네", "거북이를 두 마리 키워요"),
            [("location", "포항"), ("context", "거북이")],
        ),
        (
            ("나 포항 살아. 그리고 복숭아 알레르기가 있어.",),
            [("location", "포항"), ("constraint", "복숭아")],
        ),
        (
            ("I live in Leeds and I work as a paramedic.",),
            [("location", "Leeds"), ("context", "paramedic")],
        ),
        (
            ("저는 포항에 살고 앵무새를 키워요",),
            [("location", "포항"), ("context", "앵무새")],
        ),
    ],
)
async def test_plain_statements_are_kept_apart_and_of_the_right_kind(
    model: RulesModel, said: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    lines = [line for text in said for line in (f"u: {text}", "a: 네, 그렇군요!")]
    found = await model.extract(_talk(*lines))
    assert [f.category.value for f in found] == [kind for kind, _ in expected]
    pairs = zip(found, expected, strict=True)
    assert all(term in finding.content for finding, (_, term) in pairs)
    assert all(finding.confidence >= 0.85 for finding in found)


class _RecordingEmbedder(E5Embedder):
    """The encoder that reads clauses beside known items, and what it was asked."""

    def __init__(self) -> None:
        super().__init__(load_pair_engine)
        self.texts: list[str] = []

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return await super().passages(texts)


@pytest.mark.req("D05")
async def test_only_what_may_touch_a_known_item_is_read_beside_it() -> None:
    reader = _RecordingEmbedder()
    encoders = RuleEncoders(clause_item_pairs=reader)
    model = RulesModel(E5Embedder(), get_shared_morphology(), encoders=encoders)
    said = ("u: 저는 포항에 살아요. 거북이를 두 마리 키워요.", "a: 그렇군요!")
    assert await model.extract(_talk(*said))
    assert reader.texts == []
    known = (KnownMemory("k1", "사용자는 커피를 두 잔 마신다", Category.HABIT),)
    await model.extract(_talk(*said, "u: 커피는 이제 안 마셔요", known=known))
    assert reader.texts
    assert all("커피" in text.split(" | ")[1] for text in reader.texts)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    [
        ("u: 우유팩은 어떻게 버려야 돼요?", "a: 씻어서 말려 주세요."),
        ("u: what time does the library close?", "a: At eight."),
        ("u: 거실 불 꺼줘", "a: 거실 불을 껐어요."),
        ("u: turn the heating down", "a: Done."),
        ("u: 만약에 내가 로또 되면 섬을 살 거야", "a: 멋지네요."),
        ("u: if I were a pirate I'd have a parrot", "a: Arr."),
        ("u: 옆집 아저씨가 낚시를 그렇게 좋아한대", "a: 그렇군요."),
        ("u: my neighbour says he used to be a spy", "a: Really?"),
        ('u: 번역해줘 "나는 파리에 살고 빵을 굽는다"', "a: I live in Paris…"),
        ('u: proofread: "I am a dentist living in Oslo."', "a: Looks fine."),
        ("a: 사용자는 강아지를 키우시죠?", "u: 네?"),
        ("s: 사용자는 파리에 산다.", "u: 안녕!", "a: 안녕하세요!"),
    ],
)
async def test_what_is_no_statement_about_the_user_is_not_remembered(
    model: RulesModel, said: tuple[str, ...]
) -> None:
    assert await model.extract(_talk(*said)) == ()


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    [
        "기억해줘 내 주민번호는 990101-9999999 야",
        "remember my password, it's tulip77!",
        "my card number is 4000 0000 0000 0002, please save it",
    ],
)
async def test_secrets_are_never_remembered(model: RulesModel, said: str) -> None:
    assert await model.extract(_talk(f"u: {said}")) == ()


@pytest.mark.parametrize(
    ("content", "said", "operation"),
    [
        (
            "사용자는 춘천에 거주",
            "나 지난주에 춘천에서 원주로 이사했어",
            FindingOperation.UPDATE,
        ),
        ("User lives in Leeds", "I moved from Leeds to York", FindingOperation.UPDATE),
        (
            "사용자는 낚시를 좋아함",
            "낚시 좋아한다고 한 거 지워줘",
            FindingOperation.DELETE,
        ),
        (
            "User is going through a lawsuit",
            "please forget what I said about the lawsuit",
            FindingOperation.DELETE,
        ),
    ],
)
@pytest.mark.req("D05")
async def test_what_is_known_is_changed_or_forgotten(
    model: RulesModel, content: str, said: str, operation: FindingOperation
) -> None:
    known = (
        KnownMemory("k1", content, Category.CONTEXT),
        KnownMemory("k2", "사용자는 매운 음식을 못 먹음", Category.PREFERENCE),
    )
    found = await model.extract(_talk(f"u: {said}", "a: 알겠어요.", known=known))
    touching = [(f.operation, f.target) for f in found if f.target]
    assert touching == [(operation, "k1")]
    asks = {f.basis for f in found if f.target is None}
    assert asks <= {Basis.REQUESTED}, "a wish is also about what was said"


@pytest.mark.req("D05")
async def test_what_is_said_again_reinforces(model: RulesModel) -> None:
    known = (KnownMemory("k1", "사용자는 매주 토요일 등산을 함", Category.HABIT),)
    talk = _talk(
        "u: 오늘도 등산 다녀왔어 토요일마다 가는 거 알지",
        "a: 네, 매주 가시죠!",
        known=known,
    )
    found = await model.extract(talk)
    assert [(f.operation, f.target) for f in found] == [
        (FindingOperation.REINFORCE, "k1")
    ]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("사용자의 언니는 은행에 다닌다", "나 은행 그만뒀어"),
        ("사용자의 아들은 비건이다", "나 이제 비건 안 해"),
        ("사용자의 엄마는 부산에 산다", "나 부산으로 이사했어"),
        ("사용자의 동생은 초등학교 5학년이다", "저 이제 고등학생이에요"),
        ("User's daughter plays piano", "I stopped playing piano"),
        ("User's roommate is vegan", "I'm not vegan anymore"),
        ("사용자의 형은 담배랑 술을 즐긴다", "나 술 끊었어"),
        ("User's brother plays guitar and piano", "I gave up the piano"),
    ],
)
async def test_what_becomes_of_the_user_changes_nobody_else(
    model: RulesModel, known: str, said: str
) -> None:
    item = KnownMemory("k1", known, Category.CONTEXT)
    found = await model.extract(_talk(f"u: {said}", "a: 네.", known=(item,)))
    assert [one for one in found if one.target] == []


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("사용자의 언니는 은행에 다닌다", ("u: 언니 은행 그만뒀어",)),
        ("User's dog's name is Rex", ("u: rex passed away last night",)),
        ("User's sister works at a bank", ("u: sister no longer works at the bank",)),
    ],
)
async def test_what_becomes_of_somebody_else_changes_what_is_known_of_them(
    model: RulesModel, known: str, said: tuple[str, ...]
) -> None:
    item = KnownMemory("k1", known, Category.CONTEXT)
    found = await model.extract(_talk(*said, "a: 네.", known=(item,)))
    assert [one.target for one in found if one.target] == ["k1"]


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("said", "wish", "points"),
    [
        ("나 빚이 3천만원 있어", "방금 말한 거 잊어줘", True),
        ("I'm pregnant", "scratch that", True),
        ("my sister is in rehab", "erase that please", True),
        ("내일 면접이야", "알람 지워줘", False),
        ("I moved to Leeds last month", "delete that alarm please", False),
    ],
)
async def test_a_wish_that_names_nothing_surely_means_the_message_before_it(
    model: RulesModel, said: str, wish: str, *, points: bool
) -> None:
    """As a search for what was said has a message beside what it points to."""
    known = tuple(
        KnownMemory(each, each, Category.CONTEXT) for each in (said, "우산 챙겨야지")
    )
    talked = _talk(f"u: {said}", "a: 네.", f"u: {wish}", known=known)
    wishes = select_wishes(await model.extract(talked))
    sure = {one.target for one in wishes if one.target and one.confidence >= 0.5}
    assert sure == ({said} if points else set())


@pytest.mark.req("D05")
async def test_who_eats_meat_again_is_no_vegetarian(model: RulesModel) -> None:
    item = KnownMemory("k1", "The user is a vegetarian", Category.PREFERENCE)
    said = "turns out i eat meat again, gave up on the veggie thing"
    found = await model.extract(_talk(f"u: {said}", "a: OK.", known=(item,)))
    ended = [one.operation for one in found if one.target]
    assert ended in ([FindingOperation.DELETE], [FindingOperation.UPDATE])


@pytest.mark.req("D05")
async def test_what_is_taken_up_again_is_not_over(model: RulesModel) -> None:
    item = KnownMemory("k1", "사용자는 요즘 러닝한다", Category.HABIT)
    for said, operations in (
        ("러닝 다시 시작했어", [FindingOperation.REINFORCE]),
        ("러닝 이제 그만뒀어", [FindingOperation.DELETE]),
        ("러닝 다시는 안 할 거야. 그만뒀어", [FindingOperation.DELETE]),
    ):
        found = await model.extract(_talk(f"u: {said}", "a: 네.", known=(item,)))
        assert [one.operation for one in found if one.target] == operations, said


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("known", "said", "new"),
    [
        ("사용자는 부산에 거주", "저 부산 안 살아요, 서울 살아요", "서울"),
        ("사용자는 복실이라는 개를 키운다", "복실이가 사료를 안 묵는데 와 이라노?", ""),
        ("User lives in Busan", "I don't live in Busan, I live in Seoul", "Seoul"),
    ],
)
async def test_what_is_denied_is_not_said_again(
    model: RulesModel, known: str, said: str, new: str
) -> None:
    item = KnownMemory("k1", known, Category.CONTEXT)
    found = await model.extract(_talk("a: 네?", f"u: {said}", known=(item,)))
    assert all(one.operation is not FindingOperation.REINFORCE for one in found)
    assert new in _texts(found)


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("커피는 콜드브루지. 난 그게 제일 좋더라", "사용자는 콜드브루를 좋아한다"),
        (
            "홍어 냄새만 맡아도 도망갑니다 저는 정말 싫어해요",
            "사용자는 홍어를 싫어한다",
        ),
    ],
)
async def test_what_leans_on_a_repeat_is_not_new(
    model: RulesModel, said: str, known: str
) -> None:
    item = KnownMemory("k1", known, Category.PREFERENCE)
    findings = await model.extract(_talk(f"u: {said}", known=(item,)))
    assert [(f.operation, f.target) for f in findings] == [
        (FindingOperation.REINFORCE, "k1")
    ]


async def test_an_explicit_wish_is_requested(model: RulesModel) -> None:
    talk = _talk("u: 이거 꼭 기억해줘, 나는 유당불내증이 있어", "a: 기억할게요.")
    found = await model.extract(talk)
    assert found
    assert {f.basis for f in found} == {Basis.REQUESTED}


async def test_a_habit_is_stated_and_not_requested(model: RulesModel) -> None:
    found = await model.extract(_talk("u: 저는 항상 아침에 요가를 해요", "a: 네!"))
    assert {f.basis for f in found} == {Basis.STATED}


async def test_relative_dates_are_written_out(model: RulesModel) -> None:
    talk = _talk("u: 나 내일 치과 예약 있어 꼭 기억해줘", "a: 네, 기억할게요.")
    assert "2026-04-08" in _texts(await model.extract(talk))


async def test_nothing_comes_of_nothing(model: RulesModel) -> None:
    assert await model.extract(_talk()) == ()
    assert await model.extract(_talk("u: ", "u: 😀😀", "u: \ud800")) == ()


def test_another_embedder_is_refused() -> None:
    with pytest.raises(ValueError, match="bundled embedder"):
        RulesModel(HashEmbedder(256), get_shared_morphology())


async def test_a_huge_message_is_read_in_bounded_time(model: RulesModel) -> None:
    _ = await model.extract(_talk("u: 안녕"))
    started = time.perf_counter()
    _ = await model.extract(_talk("u: " + "나는 춘천에 살아 " * 100_000))
    assert time.perf_counter() - started < 2


_TEXT = st.text(st.characters(), max_size=60) | st.sampled_from(
    [
        "나는 춘천에 살아",
        "I live in Leeds",
        "그거 지워줘",
        "forget that",
        "내 고양이 이름",
    ]
)


@given(
    said=st.lists(st.tuples(st.sampled_from("uas"), _TEXT), max_size=5),
    known=st.lists(_TEXT, max_size=3),
)
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_findings_rest_on_the_user_and_on_what_is_known(
    model: RulesModel, said: list[tuple[str, str]], known: list[str]
) -> None:
    """Never raises; rests on the user; targets are known; confidence is a share."""
    items = tuple(
        KnownMemory(f"k{number}", text, Category.CONTEXT)
        for number, text in enumerate(known)
    )
    talk = _talk(*(f"{role}: {text}" for role, text in said), known=items)
    for found in await model.extract(talk):
        assert found.evidence
        assert all(talk.messages[n].role is Role.USER for n in found.evidence)
        wishes = (
            found.operation is FindingOperation.DELETE
            and found.basis is Basis.REQUESTED
        )
        adds = found.operation is FindingOperation.ADD
        assert adds == (found.target is None) or wishes
        assert found.target is None or found.target in {item.id for item in items}
        assert 0 <= found.confidence <= 1
        assert found.content or found.operation is not FindingOperation.ADD


@pytest.mark.req("D01")
async def test_a_memory_is_named_after_the_part_of_life_it_is_about() -> None:
    texts = {
        "사용자는 강남구에 산다": "home",
        "User lives in Brooklyn": "home",
        "사용자는 고양이를 키운다": "pet",
        "User is allergic to peanuts": "diet",
        "User has two brothers": "siblings",
        "안녕": None,
    }
    vectors = await E5Embedder().passages(list(texts))
    slots = load_judge_weights().slots
    assert [slots.find_slot(each) for each in vectors] == list(texts.values())


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said", "expected"),
    [
        (
            "사용자는 혈압약이랑 당뇨약을 먹는다",
            "당뇨약은 이제 안 먹어",
            (FindingOperation.UPDATE, "사용자는 혈압약을 먹는다"),
        ),
        (
            "The user takes metformin and lisinopril",
            "I stopped taking lisinopril",
            (FindingOperation.UPDATE, "The user takes metformin"),
        ),
        (
            "The user subscribes to Netflix and Hulu",
            "I cancelled Hulu",
            (FindingOperation.UPDATE, "The user subscribes to Netflix"),
        ),
        (
            "사용자는 혈압약을 먹는다",
            "혈압약은 이제 안 먹어",
            (FindingOperation.DELETE, "사용자는 혈압약을 먹는다"),
        ),
    ],
)
async def test_what_is_not_ended_goes_on(
    model: RulesModel,
    item: str,
    said: str,
    expected: tuple[FindingOperation, str],
) -> None:
    known = (KnownMemory("k1", item, Category.HABIT),)
    found = await model.extract(_talk(f"u: {said}", known=known))
    assert [(f.operation, f.content) for f in found if f.target == "k1"] == [expected]
