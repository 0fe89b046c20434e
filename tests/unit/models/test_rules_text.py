"""Rules that read a text: clauses, quotes, frames, secrets, dates and wording."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.clause_texts import drop_request, remove_noise
from gieok.models.rules.clauses import FIRST_CLAUSES, LAST_CLAUSES, split_clauses
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.models.rules.discourse_frame import collect_turns, is_echo
from gieok.models.rules.korean.conjugation import build_declarative
from gieok.models.rules.message_context import LONGEST_MESSAGE, normalize_text
from gieok.models.rules.quotes import mask_quotes
from gieok.models.rules.secrets import find_secrets
from gieok.models.rules.wording import render_fact
from gieok.text.kiwi import Morphology, get_shared_morphology

TODAY = date(2026, 4, 7)  # a Tuesday


@pytest.fixture(scope="session")
def morphology() -> Morphology:
    return get_shared_morphology()


def _said(*turns_: tuple[str, str]) -> tuple[Utterance, ...]:
    return tuple(
        Utterance(number, Role(role), text)
        for number, (role, text) in enumerate(turns_)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("저는 춘천에 살아요. 취미는 낚시예요.", 2),
        ("저는 춘천에 살고 남편은 요리를 좋아해요", 2),
        ("나 춘천 살아ㅋㅋㅋ 낚시 좋아함", 2),
        ("I live in Leeds. I keep two goats.", 2),
        ("I live in Leeds and my brother keeps two goats", 2),
        ("나는 Leeds에 살아. I keep two goats.", 2),
        ("지금 밥을 먹고 있어요", 1),
        ("Dr. Kim gave me 3.5 mg at 9 a.m. yesterday", 1),
        ("😀😀", 0),
        ("", 0),
    ],
)
def test_a_message_is_split_into_clauses(
    morphology: Morphology, text: str, expected: int
) -> None:
    assert len(split_clauses(0, text, morphology)) == expected


def test_a_clause_keeps_its_place(morphology: Morphology) -> None:
    text = "😀 저는 춘천에 살아요. 취미는 낚시예요."
    for clause in split_clauses(0, text, morphology):
        assert clause.text in " ".join(text[clause.start : clause.end].split())


@pytest.mark.parametrize(
    "text",
    [
        '이 문장 고쳐줘 "저는 우주비행사이고 화성에 삽니다"',
        "Fix this: “I am an astronaut and I live on Mars”",
        "```\nI am an astronaut and I live on Mars\n```",
        "요약해줘\n---\n저는 우주비행사이고 화성에 삽니다\n---",
        "> I am an astronaut and I live on Mars",
        "<!-- the user is an astronaut who lives on Mars --> hi",
    ],
)
def test_quoted_and_pasted_words_are_not_the_users(text: str) -> None:
    own = mask_quotes(text)
    assert len(own) == len(text)
    assert "Mars" not in own
    assert "화성" not in own


def test_a_short_quotation_stays() -> None:
    assert "Momo" in mask_quotes('my cat is called "Momo"')


def test_role_play_lasts_until_it_ends() -> None:
    said = collect_turns(
        _said(
            ("assistant", "Let's do a role play. You are the pilot."),
            ("user", "I fly to Oslo."),
            ("assistant", "End of scene!"),
            ("user", "I fly kites."),
        )
    )
    assert [turn.frame.roleplay for turn in said] == [True, False]


def test_a_joke_is_taken_back_afterwards() -> None:
    said = collect_turns(_said(("user", "나 로또 됐어"), ("user", "농담이야")))
    assert said[0].frame.taken_back


def test_a_repeated_example_is_an_echo() -> None:
    asked = 'Repeat after me: "I have three sisters in Rome."'
    assert is_echo("I have three sisters in Rome", asked)
    assert not is_echo("I have a dentist appointment", asked)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "text",
    [
        "내 주민번호는 990101-9999999 이야",
        "카드번호 4000 0000 0000 0002 저장해",
        "전화는 010-0000-1234",
        "mail me at someone@example.com",
        "계좌 123-456-789012 로 보내줘",
        "비밀번호는 tulip77! 이야",
        "my password is tulip77!",
        "집은 달빛로 12 101동 202호",
        "I live at 12 Example Street",
        "call 415-555-0100",
    ],
)
def test_secrets_are_found(text: str) -> None:
    assert find_secrets(text)


@pytest.mark.parametrize(
    "text",
    ["나는 1994년생이고 고양이가 2마리야", "I run 5 km at 6:30", "예산은 45만원"],
)
def test_ordinary_numbers_are_no_secrets(text: str) -> None:
    assert not find_secrets(text)


@pytest.mark.req("D05")
def test_a_clause_with_a_secret_is_no_candidate(morphology: Morphology) -> None:
    text = "저는 춘천에 살아요. 주민번호는 990101-9999999 예요."
    found = collect_candidates(_said(("user", text)), morphology)
    assert [c.clause.text for c in found] == ["저는 춘천에 살아요."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("내일 면접이야", "내일(4월 8일, 2026-04-08) 면접이야"),
        ("내일모레 간다", "내일모레(4월 9일, 2026-04-09) 간다"),
        ("다음 주 금요일에", "다음 주 금요일(4월 17일, 2026-04-17)에"),
        ("사흘 뒤에", "사흘 뒤(4월 10일, 2026-04-10)에"),
        ("2주 전에", "2주 전(3월 24일, 2026-03-24)에"),
        ("작년에 졸업", "작년(2025년)에 졸업"),
        ("다음 달 이사", "다음 달(2026년 5월) 이사"),
        ("see him tomorrow", "see him tomorrow (2026-04-08)"),
        ("the day after tomorrow", "the day after tomorrow (2026-04-09)"),
        ("the day before yesterday", "the day before yesterday (2026-04-05)"),
        ("The op is a week today", "The op is a week today (2026-04-14)"),
        ("The op is two weeks tomorrow", "The op is two weeks tomorrow (2026-04-22)"),
        ("The op is tomorrow week", "The op is tomorrow week (2026-04-15)"),
        ("He died a week yesterday", "He died a week yesterday (2026-03-30)"),
        ("The op is a week on Friday", "The op is a week on Friday (2026-04-17)"),
        ("The op is on Friday week", "The op is on Friday week (2026-04-17)"),
        ("a fortnight on Friday", "a fortnight on Friday (2026-04-24)"),
        ("It was a week last Friday", "It was a week last Friday (2026-03-27)"),
        ("away for a week on Friday", "away for a week on Friday (2026-04-10)"),
        ("a week on Friday since the op", "a week on Friday since the op"),
        ("sober two weeks today", "sober two weeks today"),
        ("The op is a month today", "The op is a month today"),
        ("in two weeks", "in two weeks (2026-04-21)"),
        ("The op is in two weeks' time", "The op is in two weeks' time (2026-04-21)"),
        ("Op in a week’s time", "Op in a week’s time (2026-04-14)"),
        ("The lease ends in two weeks", "The lease ends in two weeks (2026-04-21)"),
        ("The user sees a GP in a week", "The user sees a GP in a week (2026-04-14)"),
        ("The user hasn't smoked in 3 weeks", "The user hasn't smoked in 3 weeks"),
        ("I lost half a stone in two weeks", "I lost half a stone in two weeks"),
        ("The user works five days in a week", "The user works five days in a week"),
        ("The user drinks wine in a week", "The user drinks wine in a week"),
        ("the best sleep in two weeks", "the best sleep in two weeks"),
        ("I was told to eat in two days", "I was told to eat in two days"),
        ("3 days ago", "3 days ago (2026-04-04)"),
        ("on Friday", "on Friday (2026-04-10)"),
        ("last Friday", "last Friday (2026-04-03)"),
        ("next month", "next month (2026-05)"),
        ("last year", "last year (2025)"),
        ("오늘 입사", "오늘(4월 7일, 2026-04-07) 입사"),
        ("이번 달 시작", "이번 달(2026년 4월) 시작"),
        ("다음 주에 이사", "다음 주(2026-04-13~2026-04-19)에 이사"),
        ("지난주 이사", "지난주(2026-03-30~2026-04-05) 이사"),
        ("이번 주말에 이사", "이번 주말(2026-04-11~2026-04-12)에 이사"),
        ("trip next week", "trip next week (2026-04-13 to 2026-04-19)"),
        ("I start today", "I start today (2026-04-07)"),
        ("I'm in my last year of uni", "I'm in my last year of uni"),
        ("The user's last week was hard", "The user's last week was hard"),
        ("last year of uni", "last year of uni"),
        ("The user's mum had her last week", "The user's mum had her last week"),
        ("The user was off for the last month", "The user was off for the last month"),
        ("the last Thursday of the month", "the last Thursday of the month"),
        ("It rained the next Friday", "It rained the next Friday"),
        ("next week of the course", "next week of the course"),
        ("every Friday", "every Friday"),
        ("out on Sunday nights", "out on Sunday nights"),
        ("매주 금요일", "매주 금요일"),
        ("100일 전에 만났다", "100일 전(12월 28일, 2025-12-28)에 만났다"),
        ("3일 전에 산 옷이 작다", "3일 전(4월 4일, 2026-04-04)에 산 옷이 작다"),
        ("이틀 전부터 아프다", "이틀 전(4월 5일, 2026-04-05)부터 아프다"),
        ("약 3일 전에 다쳤다", "약 3일 전(4월 4일, 2026-04-04)에 다쳤다"),
        ("2주 뒤로 예약했다", "2주 뒤(4월 21일, 2026-04-21)로 예약했다"),
        ("지금부터 3일 뒤 시험", "지금부터 3일 뒤(4월 10일, 2026-04-10) 시험"),
        ("10월 20일 전에 이사했다", "10월 20일 전에 이사했다"),
        ("25일 전에 월세를 내야 한다", "25일 전에 월세를 내야 한다"),
        ("약속 하루 전에 취소했다", "약속 하루 전에 취소했다"),
        ("수술 2주 후에 실밥을 뽑는다", "수술 2주 후에 실밥을 뽑는다"),
        ("시험 2주 뒤에 봐", "시험 2주 뒤(4월 21일, 2026-04-21)에 봐"),
        ("병원 3일 뒤에 가요", "병원 3일 뒤(4월 10일, 2026-04-10)에 가요"),
        ("수술 2주 뒤에 해요", "수술 2주 뒤(4월 21일, 2026-04-21)에 해요"),
        ("면접 이틀 전에 봤어", "면접 이틀 전(4월 5일, 2026-04-05)에 봤어"),
        ("엄마 2주 뒤에 수술하셔", "엄마 2주 뒤(4월 21일, 2026-04-21)에 수술하셔"),
        ("남편 2주 뒤에 출장 가", "남편 2주 뒤(4월 21일, 2026-04-21)에 출장 가"),
        ("엄마 3일 전에 퇴원하셨어", "엄마 3일 전(4월 4일, 2026-04-04)에 퇴원하셨어"),
        ("강아지 3일 뒤에 수술해", "강아지 3일 뒤(4월 10일, 2026-04-10)에 수술해"),
        ("수술 2주 뒤에 걸었다", "수술 2주 뒤에 걸었다"),
        ("수술 2주 뒤에 병원에 가요", "수술 2주 뒤에 병원에 가요"),
        ("엄마 수술 2주 뒤에 퇴원해", "엄마 수술 2주 뒤에 퇴원해"),
        ("시험 3일 전에 하는 일", "시험 3일 전에 하는 일"),
        ("퇴원하고 3일 뒤에 출근한다", "퇴원하고 3일 뒤에 출근한다"),
        ("그로부터 2주 뒤에 돌아왔다", "그로부터 2주 뒤에 돌아왔다"),
        ("2~3일 전에 다쳤다", "2~3일 전에 다쳤다"),
        ("3일 전화를 했다", "3일 전화를 했다"),
        ("일주일 뒤 시험", "일주일 뒤(4월 14일, 2026-04-14) 시험"),
        ("닷새 뒤에 간다", "닷새 뒤(4월 12일, 2026-04-12)에 간다"),
        ("한 달 뒤에 이사한다", "한 달 뒤(2026년 5월)에 이사한다"),
        ("3년 전부터 산다", "3년 전(2023년)부터 산다"),
        ("다다음 달에 간다", "다다음 달(2026년 6월)에 간다"),
        ("지지난달에 갔다", "지지난달(2026년 2월)에 갔다"),
        ("지난해에 갔다", "지난해(2025년)에 갔다"),
        ("그글피에 간다", "그글피(4월 11일, 2026-04-11)에 간다"),
        ("어젯밤에 못 잤다", "어젯밤(4월 6일, 2026-04-06)에 못 잤다"),
        ("두세 달 전에 갔다", "두세 달 전에 갔다"),
        ("한 일 전에 했다", "한 일 전에 했다"),
        ("내일 모레 시험", "내일 모레(4월 9일, 2026-04-09) 시험"),
        ("시험은 내일이라고 했다", "시험은 내일(4월 8일, 2026-04-08)이라고 했다"),
        ("시험이 모레다", "시험이 모레(4월 9일, 2026-04-09)다"),
        ("어제저녁에 먹었다", "어제(4월 6일, 2026-04-06)저녁에 먹었다"),
        ("다담주 화요일", "다담주 화요일(4월 21일, 2026-04-21)"),
        ("저저번 주 화요일", "저저번 주 화요일(3월 24일, 2026-03-24)"),
        ("모레면 퇴원이야", "모레(4월 9일, 2026-04-09)면 퇴원이야"),
        ("2주 후면 시험이에요", "2주 후(4월 21일, 2026-04-21)면 시험이에요"),
        ("오늘부로 퇴사했어요", "오늘(4월 7일, 2026-04-07)부로 퇴사했어요"),
        ("내일부로 그만둔다", "내일(4월 8일, 2026-04-08)부로 그만둔다"),
        ("올해안에 결혼해요", "올해(2026년)안에 결혼해요"),
        ("시험이 모레니까 바쁘다", "시험이 모레(4월 9일, 2026-04-09)니까 바쁘다"),
        ("시험이 내일인가요", "시험이 내일(4월 8일, 2026-04-08)인가요"),
        ("모레면회를 간다", "모레면회를 간다"),
        ("내년도 바쁘다", "내년(2027년)도 바쁘다"),
        ("월세 낼 돈이 없다", "월세 낼 돈이 없다"),
        ("이번 달리기 대회에 나간다", "이번 달리기 대회에 나간다"),
        ("이번 주말농장에 간다", "이번 주말농장에 간다"),
        ("내일배움카드로 배운다", "내일배움카드로 배운다"),
        ("오늘의집에서 샀다", "오늘의집에서 샀다"),
        ("그제야 알았다", "그제야 알았다"),
        ("오늘날의 세상", "오늘날의 세상"),
    ],
)
def test_relative_dates_are_resolved(text: str, expected: str) -> None:
    assert resolve_dates(text, TODAY) == expected


def test_a_date_beyond_the_calendar_is_left_alone() -> None:
    assert resolve_dates("tomorrow", date.max) == "tomorrow"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ada is our new lead, kindly add her to the list", "Ada is our new lead"),
        ("my aunt lives upstairs, put her on the form", "my aunt lives upstairs"),
        ("I drive bus 14 now so put that down for me", "I drive bus 14 now"),
        ("we have a cat, name of Puck, please", "we have a cat, name of Puck, please"),
        ("I cook, clean and iron", "I cook, clean and iron"),
        ("forget it, please add her", "forget it, please add her"),
    ],
)
def test_an_order_hung_on_a_fact_is_no_part_of_it(text: str, told: str) -> None:
    assert drop_request(text) == told


def test_laughter_and_interjections_are_dropped() -> None:
    assert (
        remove_noise("아 맞다, 저는 감자를 싫어해요ㅋㅋㅋㅋ 😂")
        == "저는 감자를 싫어해요"
    )
    assert remove_noise("oh, I hate potatoes lol") == "I hate potatoes"
    assert remove_noise("ㅋㅋㅋ") == ""


def _worded(morphology: Morphology, *said: tuple[str, str]) -> str:
    found: tuple[ClauseCandidate, ...] = collect_candidates(_said(*said), morphology)
    return render_fact(found[:1], TODAY)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("저는 춘천에 살아요.", "사용자는 춘천에 산다"),
        ("난 포항 살아ㅋㅋ", "사용자는 포항에 산다"),
        ("내가 앵무새를 키워", "사용자는 앵무새를 키운다"),
        ("복숭아 알레르기가 있어요", "사용자는 복숭아 알레르기가 있다"),
        ("나 우유 안 마셔", "사용자는 우유를 안 마신다"),
        ("저는 탁구를 좋아해요~", "사용자는 탁구를 좋아한다"),
        ("저 소방관이에요", "사용자는 소방관이다"),
        ("나 약사야", "사용자는 약사이다"),
        ("저는 고2인데", "사용자는 고2이다"),
        ("나 포항으로 이사했어", "사용자는 포항으로 이사했다"),
        ("우리 강아지가 낯을 가려요", "사용자의 강아지가 낯을 가린다"),
        ("제 취미는 뜨개질이에요", "사용자의 취미는 뜨개질이다"),
        ("남편은 요리사예요", "사용자의 남편은 요리사이다"),
        ("엄마가 나한테 자주 전화해", "사용자의 엄마가 사용자한테 자주 전화한다"),
        ("저도 수영해요", "사용자도 수영한다"),
        ("방이 별로 춥지 않아요", "사용자의 방이 별로 춥지 않다"),
        ("저는 운전을 하지 않아요", "사용자는 운전을 하지 않는다"),
        ("우리 할머니가 화투를 즐기셔", "사용자의 할머니가 화투를 즐기신다"),
        ("나 매일 한 시간씩 걸어", "사용자는 매일 한 시간씩 걷는다"),
        ("저는 감자를 싫어함", "사용자는 감자를 싫어한다"),
        ("반말로 해줘", "사용자는 반말로 해주기를 바란다"),
        ("이따 갈게", "사용자는 이따 가려고 한다"),
        ("나 내일 출국할 거야", "사용자는 내일(4월 8일, 2026-04-08) 출국할 것이다"),
        ("I live in Leeds.", "The user lives in Leeds"),
        ("I'm a paramedic", "The user is a paramedic"),
        ("I've been vegan since May", "The user has been vegan since May"),
        ("my goat is called Pip", "The user's goat is called Pip"),
        ("I don't eat pork", "The user does not eat pork"),
        (
            "I really enjoy chess but hate poker",
            "The user really enjoys chess but hates poker",
        ),
        ("I moved to York", "The user moved to York"),
        ("I fly kites", "The user flies kites"),
        ("I can't swim", "The user cannot swim"),
        ("I need glasses", "The user needs glasses"),
        (
            "I teach maths at my old school",
            "The user teaches maths at their old school",
        ),
        ("Yesterday I became sixty", "Yesterday (2026-04-06) the user became sixty"),
        ("Now I live in Bucheon", "Now the user lives in Bucheon"),
        ("because I am a vegan", "The user is a vegan"),
        ("my aunt, who is a nurse, cooks", "The user's aunt, who is a nurse, cooks"),
        ("I shall visit her", "The user shall visit her"),
        ("제기가 모자라요", "사용자는 제기가 모자란다"),
        ("오메 나는 서울에 살아", "사용자는 서울에 산다"),
        ("저는 몇 해 전에 귀농했어요", "사용자는 몇 해 전에 귀농했다"),
    ],
)
def test_a_fact_is_worded_in_the_third_person(
    morphology: Morphology, said: str, expected: str
) -> None:
    assert _worded(morphology, ("user", said)) == expected


@pytest.mark.parametrize(
    "said",
    [
        "나 몇 시에 일어나?",
        "왜 나만 이렇게 바빠",
        "꼭 기억해줘",
    ],
)
def test_what_is_no_clear_statement_stays_as_said(
    morphology: Morphology, said: str
) -> None:
    assert _worded(morphology, ("user", said)).startswith("사용자: ")


@pytest.mark.parametrize(
    ("stem", "verb", "expected"),
    [
        ("살", True, "산다"),
        ("먹", True, "먹는다"),
        ("키우", True, "키운다"),
        ("걷", True, "걷는다"),
        ("돕", True, "돕는다"),
        ("모르", True, "모른다"),
        ("하", True, "한다"),
        ("춥", False, "춥다"),
        ("길", False, "길다"),
    ],
)
def test_a_stem_takes_its_plain_ending(stem: str, verb: bool, expected: str) -> None:  # noqa: FBT001
    assert build_declarative(stem, verb=verb) == expected


def test_an_elliptic_answer_takes_its_question_along(morphology: Morphology) -> None:
    told = _worded(
        morphology,
        ("assistant", "안녕하세요! 고양이를 키우세요?"),
        ("user", "네, 두 마리요"),
    )
    assert "고양이" in told
    assert "두 마리" in told
    assert "안녕" not in told


def test_decomposed_hangul_is_composed() -> None:
    assert normalize_text("\u1112\u1161\u11ab\u1100\u1173\u11af") == "한글"


def test_a_very_long_message_is_read_from_both_ends(morphology: Morphology) -> None:
    """What is asked for at its end counts; the middle is what may be left out."""
    middle = [f"Then stop number {n}." for n in range(26)]
    told = " ".join(["I live in Oslo.", *middle, "Please forget my job."])
    clauses = [each.text for each in split_clauses(0, told, morphology)]
    assert clauses[0] == "I live in Oslo."
    assert clauses[-1] == "Please forget my job."
    assert len(clauses) == FIRST_CLAUSES + LAST_CLAUSES
    assert len(set(clauses)) == len(clauses)


@given(st.text(st.characters(), max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    """Lone surrogates, control characters and emoji included."""
    said = _said(("user", normalize_text(text)[:LONGEST_MESSAGE]))
    for candidate in collect_candidates(said, get_shared_morphology()):
        assert candidate.clause.text
        assert render_fact([candidate], TODAY)


@pytest.mark.parametrize(
    ("said", "is_meant"),
    [
        ("and iiiii will always love youuu. sorry, radio", False),
        ("cause baby you're a firework. sorry its stuck in my head", False),
        ("내 고향은 아름다운 섬 아 노래 가사야", False),
        ("sorry, radio was on. i live in leeds", True),
        ("Maria has 3 dogs. I walk x km to school. Find the dimensions", False),
        ("trying to work out the area of my kitchen, i live in leeds", True),
        ("check this one: I am twice as old as Ann. How old am I?", False),
    ],
)
def test_what_is_sung_along_or_copied_out_is_not_meant(
    said: str, *, is_meant: bool
) -> None:
    (turn,) = collect_turns([Utterance(0, Role.USER, said)])
    assert turn.frame.is_meant == is_meant


def test_a_role_play_that_somebody_began_is_played_until_it_ends() -> None:
    said = collect_turns(
        _said(
            ("assistant", "Let's do a role-play. You are a chef in Paris."),
            ("user", "I cook snails every day."),
            ("assistant", "Perfect! 역할극 끝. 취미는 뭐예요?"),
            ("user", "저는 배드민턴 쳐요"),
            ("user", "we did a role-play at school, i live in leeds"),
        )
    )
    assert [turn.frame.is_played for turn in said] == [True, False, False]


@pytest.mark.parametrize(
    ("begun", "ended"),
    [
        ("pretend ur a doctor", "k done pretending. i have a latex allergy"),
        ("ur an innkeeper and im a traveller ok", "enough of that. i'm in hull"),
        ("나 지금부터 재벌 3세인 척 할게", "오케이 끝 난 원주 살아"),
    ],
)
def test_what_somebody_pretends_is_played(begun: str, ended: str) -> None:
    said = collect_turns(
        _said(
            ("user", begun),
            ("assistant", "Ok!"),
            ("user", "나 환자야"),
            ("user", ended),
        )
    )
    assert [turn.frame.is_played for turn in said] == [True, True, False]


@pytest.mark.parametrize(
    "said",
    [
        "you're a star and i'm a nurse on nights",
        "i pretend to be fine but im diabetic",
        "아는 척 하자면 힘들어 난 혼자 살아",
    ],
)
def test_what_only_sounds_so_begins_no_role_play(said: str) -> None:
    (turn,) = collect_turns(_said(("user", said)))
    assert not turn.frame.is_played


def test_a_tilde_stays_between_what_it_spans() -> None:
    assert remove_noise("9시~6시 월~금 3~4잔 좋아~~") == "9시~6시 월~금 3~4잔 좋아"
