"""What RulesModel sums up, with the real Kiwi, the real e5 and the shipped weights."""

import time
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gieok.kernel.errors import NoChatModelError
from gieok.kernel.language import (
    Category,
    Conversation,
    Emotion,
    Gist,
    KnownMemory,
    Role,
    SummaryNote,
    Utterance,
    is_chat_model,
)
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.testing import HashEmbedder
from gieok.text.kiwi import get_shared_morphology

SEOUL = timezone(timedelta(hours=9))
AT = datetime(2026, 4, 7, 20, 0, tzinfo=SEOUL)  # a Tuesday
LONGEST = 300


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


@pytest.mark.req("A03")
@pytest.mark.req("E04")
@pytest.mark.parametrize(
    ("said", "terms", "begins"),
    [
        (
            (
                "u: 안녕!",
                "a: 안녕하세요!",
                "u: 어제 포항으로 이사했어. 짐이 너무 많아서 아직 반도 못 풀었어",
                "a: 고생하셨어요. 이사는 늘 힘들죠.",
                "u: 응 그래도 창문으로 바다가 보여서 좋아",
            ),
            ("포항", "이사했", "바다", "2026-04-06"),
            "사용자는",
        ),
        (
            (
                "u: hey",
                "a: Hello!",
                "u: I started as a paramedic in Leeds yesterday. I was so nervous.",
                "a: Congratulations on the new job!",
                "u: my shift partner Imran showed me everything",
            ),
            ("paramedic", "Leeds", "Imran", "2026-04-06"),
            "The user",
        ),
        (
            (
                "u: 나 어제 promotion 됐어! team lead로 간대",
                "a: 축하해요!",
                "u: 근데 첫 project가 Busan 공장이라 걱정돼",
            ),
            ("promotion", "Busan"),
            "사용자",
        ),
    ],
)
async def test_a_summary_tells_what_the_user_said_in_the_third_person(
    model: RulesModel, said: tuple[str, ...], terms: tuple[str, ...], begins: str
) -> None:
    gist = await model.summarize(_talk(*said))
    assert all(term in gist.summary for term in terms), gist.summary
    assert gist.summary.startswith(begins)
    assert len(gist.summary) <= LONGEST
    assert set(gist.evidence) <= {
        number for number, line in enumerate(said) if line[0] == "u"
    }


@pytest.mark.req("E04")
async def test_negations_are_kept(model: RulesModel) -> None:
    gist = await model.summarize(
        _talk("u: 나 이번 마라톤은 안 나가기로 했어. 무릎이 아파서", "a: 아쉽겠어요.")
    )
    assert "안 나가" in gist.summary


@pytest.mark.req("E04")
@pytest.mark.parametrize(
    ("said", "felt"),
    [
        (
            ("u: 우리 할머니가 오늘 돌아가셨어 ㅠㅠ", "a: 정말 마음이 아프시겠어요."),
            Emotion.SADNESS,
        ),
        (
            ("u: I'm getting married in June!!!", "a: Wow, how exciting!"),
            Emotion.EXCITEMENT,
        ),
        (
            ("u: 내일까지 마감인데 하나도 못 해서 잠이 안 와", "a: 걱정되시겠어요."),
            Emotion.STRESS,
        ),
        (
            ("u: 손주가 처음 걸어서 다같이 웃었어 ㅎㅎ", "a: 정말 기쁘셨겠어요!"),
            Emotion.JOY,
        ),
        (
            ("u: I water the beans and then do the crossword.", "a: Sounds peaceful."),
            Emotion.CALM,
        ),
    ],
)
async def test_the_emotion_is_that_of_the_user(
    model: RulesModel, said: tuple[str, ...], felt: Emotion
) -> None:
    assert (await model.summarize(_talk(*said))).emotion is felt


@pytest.mark.req("E04")
async def test_what_changes_a_life_matters_more_than_a_sandwich(
    model: RulesModel,
) -> None:
    small = await model.summarize(_talk("u: I had a cheese sandwich for lunch today."))
    great = await model.summarize(
        _talk("u: My father passed away on Sunday, the funeral is tomorrow.")
    )
    assert 1 <= small.importance < great.importance <= 10


@pytest.mark.req("E04")
async def test_topics_are_nouns_of_the_conversation(model: RulesModel) -> None:
    gist = await model.summarize(
        _talk(
            "u: 요즘 첼로 레슨을 다니는데 선생님이 다음 달 연주회에 나가래",
            "a: 첼로 연주회라니 멋져요!",
            "u: 연주회 곡이 너무 어려워서 매일 연습해",
        )
    )
    assert {"첼로", "연주회"} <= set(gist.topics)
    assert len(gist.topics) <= 5


@pytest.mark.req("E04", "E05")
async def test_a_day_is_counted_from_when_its_message_was_said(
    model: RulesModel,
) -> None:
    said = _talk("u: 어제 새로 나온 영화를 봤는데 정말 재미있었어").messages[0]
    at = datetime(2025, 10, 27, 21, tzinfo=UTC)
    now = datetime(2026, 11, 22, 9, tzinfo=UTC)
    told = Conversation((replace(said, at=at),), (), now)
    assert "2025-10-26" in (await model.summarize(told)).summary


@pytest.mark.req("E04")
@pytest.mark.parametrize(
    ("said", "task", "taste"),
    [
        ("내일 치과 예약해야 해. 나는 탁구를 좋아해.", "치과", "탁구"),
        ("I have to call the bank tomorrow. I love table tennis.", "bank", "tennis"),
    ],
)
async def test_tasks_and_preferences_are_told_apart(
    model: RulesModel, said: str, task: str, taste: str
) -> None:
    gist = await model.summarize(_talk(f"u: {said}"))
    assert any(task in line for line in gist.open_tasks)
    assert any(taste in line for line in gist.preferences)
    assert not any(taste in line for line in gist.open_tasks)


@pytest.mark.req("E04")
@pytest.mark.parametrize(
    "said",
    [
        (),
        ("a: 안녕하세요!",),
        ("s: 당신은 친절한 도우미입니다. 사용자는 서울에 삽니다.",),
        ("u: ",),
        ("u: 😀😀😀", "a: 😀"),
        ("u: ?!?!",),
        ("u: what time is it?", "a: Ten."),
    ],
)
async def test_nothing_to_tell_is_an_empty_gist(
    model: RulesModel, said: tuple[str, ...]
) -> None:
    assert await model.summarize(_talk(*said)) == Gist("")


@pytest.mark.req("E04")
async def test_role_play_and_secrets_stay_out(model: RulesModel) -> None:
    gist = await model.summarize(
        _talk(
            "u: 오늘 은행에 다녀왔어. 통장 비밀번호는 7713이야",
            "a: 비밀번호는 말씀하지 마세요. 전화는 010-0123-4567이 맞나요?",
            "u: 네 공일공에 영일이삼에 사오육칠이야",
            "a: 다시 한번요.",
            "u: 회사 전화가 02-0123-4567이고 낮에만 받아",
            "a: 네.",
            "u: 우리 상황극 하자. 나는 해적선장이고 다리가 하나야",
            "a: 선장님!",
            "u: 나는 보물섬에 금화를 묻었다",
        )
    )
    everything = " ".join([gist.summary, *gist.topics, *gist.open_tasks])
    assert not any(
        word in everything for word in ("7713", "0123", "공일공", "해적", "금화")
    )


@pytest.mark.req("E04")
@pytest.mark.parametrize(
    ("said", "gone", "kept"),
    [
        (
            (
                "u: 나 요즘 상담 센터 다녀",
                "a: 그러셨군요.",
                "u: 아까 상담 얘기는 기억에서 지워줘",
                "a: 네, 상담 이야기는 지울게요.",
                "u: 오늘은 도서관에서 사진집을 빌려왔어. 표지가 정말 예뻐",
            ),
            "상담",
            "사진집",
        ),
        (
            (
                "u: I failed the bar exam again.",
                "a: I'm sorry.",
                "u: forget what I said about the exam please",
                "a: Done, the exam is gone from my notes.",
                "u: I baked two loaves of rye bread with my aunt today",
            ),
            "exam",
            "rye",
        ),
        (
            (
                "u: 나 회사에서 크게 혼났어",
                "a: 속상하셨겠어요.",
                "u: 그거 잊어줘",
                "a: 네, 잊을게요.",
                "u: 저녁에는 한강에서 자전거를 탔어. 바람이 시원했어",
            ),
            "혼났",
            "자전거",
        ),
        (
            (
                "u: the quarrel with my landlord, I signed that I can't discuss it",
                "a: Understood. I've deleted everything about it.",
                "u: I planted six rows of potatoes on the allotment this morning",
            ),
            "landlord",
            "potatoes",
        ),
    ],
)
async def test_what_shall_be_forgotten_is_not_told(
    model: RulesModel, said: tuple[str, ...], gone: str, kept: str
) -> None:
    gist = await model.summarize(_talk(*said))
    everything = [gist.summary, *gist.topics, *gist.open_tasks, *gist.preferences]
    assert gone not in " ".join(everything)
    assert kept in gist.summary


async def test_what_is_known_of_the_forgotten_is_not_told(model: RulesModel) -> None:
    known = (KnownMemory("k", "사용자는 탱고 학원에 다님", Category.HABIT),)
    gist = await model.summarize(
        _talk(
            "u: 학원 얘기는 이제 잊어줘",
            "a: 네, 지웠어요.",
            "u: 탱고는 지겨워졌어. 대신 어제 수영장에 등록하고 왔어",
            known=known,
        )
    )
    assert "탱고" not in gist.summary


@pytest.mark.req("E04")
async def test_the_time_of_a_summary_grows_with_the_messages(model: RulesModel) -> None:
    """By the processor's time, twice the messages beside half of them in one run."""

    def tell(first: int, last: int) -> Conversation:
        return _talk(
            *(
                line
                for number in range(first, last)
                for line in (
                    f"u: 오늘은 {number}번째로 시장에서 나물을 사고 국을 끓였어요",
                    "a: 맛있었겠어요!",
                )
            )
        )

    async def take(talk: Conversation) -> float:
        begun = time.process_time()
        await model.summarize(talk)
        return time.process_time() - begun

    await take(tell(0, 5))  # what a first use loads is not meant
    for number in range(1, 4):  # a busy machine may disturb two of them
        start = 1_000 * number
        short = await take(tell(start, start + 12))
        if await take(tell(start + 100, start + 124)) <= 3 * short:
            break
    else:
        pytest.fail("twice the messages took more than three times as long")


async def test_decomposed_hangul_reads_as_composed(model: RulesModel) -> None:
    said = "어제 포항으로 이사했어. 바다가 보여서 정말 좋아"
    composed = await model.summarize(_talk(f"u: {said}"))
    decomposed = await model.summarize(
        _talk("u: " + unicodedata.normalize("NFD", said))
    )
    assert composed == decomposed
    assert composed.summary


async def test_a_thousand_messages_and_a_megabyte_are_read_in_part(
    model: RulesModel,
) -> None:
    lines = ["u: 오늘 강릉에 다녀왔어요", "a: 좋으셨겠어요."] * 500
    assert (await model.summarize(_talk(*lines))).summary
    gist = await model.summarize(_talk("u: 어제 이사를 했어요. " + "가나다 " * 300_000))
    assert len(gist.summary) <= LONGEST


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(Role),
            st.text(max_size=200)
            | st.text("가나다 어제 이사했어요ㅠㅠ!?.,\n😀\"'", max_size=60)
            | st.text(
                "I you my forget was, kidding. \u1112\u1161\x00\ud800", max_size=60
            ),
        ),
        max_size=6,
    )
)
async def test_no_message_breaks_it(said: list[tuple[Role, str]]) -> None:
    messages = tuple(Utterance(n, role, text) for n, (role, text) in enumerate(said))
    model = RulesModel(HashEmbedder(384), get_shared_morphology())
    gist = await model.summarize(Conversation(messages, (), AT))
    spoken = {message.index for message in messages if message.role is Role.USER}
    assert len(gist.summary) <= LONGEST
    assert 1 <= gist.importance <= 10
    assert set(gist.evidence) <= spoken
    assert bool(gist.summary) == bool(gist.evidence)


def _note(day: int, text: str, importance: int = 5) -> SummaryNote:
    return SummaryNote(AT + timedelta(days=day), text, (), importance)


@pytest.mark.req("A03")
async def test_notes_of_a_week_are_told_by_weekday(model: RulesModel) -> None:
    notes = (_note(0, "사용자는 이사했다."), _note(2, "사용자는 면접을 봤다."))
    told = await model.condense(notes, "ko")
    assert told == "화요일에는 사용자는 이사했다. 목요일에는 사용자는 면접을 봤다."


@pytest.mark.req("A03")
async def test_english_notes_are_told_by_weekday(model: RulesModel) -> None:
    notes = (_note(0, "The user moved to Leeds."), _note(2, "Imran came for tea."))
    told = await model.condense(notes, "en")
    assert (
        told == "On Tuesday, the user moved to Leeds. On Thursday, Imran came for tea."
    )


@pytest.mark.req("A03")
async def test_notes_far_apart_are_told_by_date(model: RulesModel) -> None:
    notes = (_note(0, "The user moved."), _note(20, "The user quit smoking."))
    assert "On 27 April, the user quit" in await model.condense(notes, "en")
    assert "4월 27일에는" in await model.condense(notes, "ko")


@pytest.mark.req("A03")
async def test_notes_of_one_day_are_joined_and_told_once(model: RulesModel) -> None:
    notes = (
        _note(0, "The user moved to Leeds."),
        _note(0, "The user has moved to Leeds!"),
        _note(0, "The user adopted a parrot."),
    )
    told = await model.condense(notes, "en")
    assert told.count("Leeds") == 1
    assert "parrot" in told
    assert "Tuesday" not in told


@pytest.mark.req("A03")
async def test_the_most_important_notes_are_kept(model: RulesModel) -> None:
    filler = [
        _note(n % 5, f"사용자는 시장{n}에서 물건{n}을 샀다. " * 5) for n in range(20)
    ]
    notes = [*filler, _note(5, "사용자는 할머니 장례를 치렀다.", 9)]
    told = await model.condense(notes, "ko")
    assert "장례" in told
    assert len(told) <= 700


@pytest.mark.req("A03")
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_no_notes_are_no_text(model: RulesModel, language: str) -> None:
    assert await model.condense((), language) == ""
    assert await model.condense((_note(0, " "), _note(1, "😀")), language) == ""


async def test_rules_cannot_talk(model: RulesModel) -> None:
    assert not is_chat_model(model)
    with pytest.raises(NoChatModelError):
        await model.reply("Be brief.", ())
