"""What is believed of a model's answer, what is not (D05, design rules 7 and 11)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

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
from gieok.models.evidence import (
    LONGEST,
    MAX_PER_EVIDENCE,
    detect_dominant_language,
    detect_spoken_languages,
    filter_findings,
    find_fault,
)
from gieok.models.faults import Fault, has_secret
from gieok.models.figures import extract_claimed_numbers, extract_stated_numbers
from gieok.models.grounding import ScriptLanguage

AT = datetime(2026, 2, 12, 9, 0, tzinfo=UTC)
CAT = KnownMemory("m1", "사용자는 고양이 나비를 키움", Category.CONTEXT)


def talk(*contents: str, known: tuple[KnownMemory, ...] = ()) -> Conversation:
    """User and assistant in turn; a text that starts with "A:" is the assistant's."""
    messages = tuple(
        Utterance(
            index,
            Role.ASSISTANT if text.startswith("A:") else Role.USER,
            text.removeprefix("A:").strip(),
        )
        for index, text in enumerate(contents)
    )
    return Conversation(messages, known, AT)


def found(content: str, *evidence: int, target: str | None = None) -> Finding:
    return Finding(
        operation=FindingOperation.UPDATE if target else FindingOperation.ADD,
        content=content,
        category=Category.CONTEXT,
        confidence=0.9,
        basis=Basis.STATED,
        evidence=evidence or (0,),
        target=target,
    )


GROUNDED = [
    ("사용자는 2026년 2월 14일에 이사함", ["모레 이사해요"]),
    ("사용자는 2026년 2월 15일에 이사함", ["사흘 뒤 이사해요"]),
    ("사용자는 2026년 2월 13일에 병원에 감", ["내일 병원에 가요"]),
    ("사용자는 2026년 3월에 결혼함", ["다음 달에 결혼해요"]),
    ("사용자는 2026년 1월에 퇴사함", ["지난달에 퇴사했어"]),
    ("User quit their job on 2026-02-11", ["I quit yesterday"]),
    ("사용자는 관악구 봉천동에 거주", ["여기 관악구 봉천동인데요 수요일 밤에만 돼요"]),
    ("사용자는 고양이 두 마리를 키움", ["A: 고양이 키우세요?", "네, 두 마리요"]),
    ("사용자는 고양이 2마리를 키움", ["A: 고양이 키우세요?", "네, 두 마리요"]),
    ("사용자의 목표는 토익 900점", ["토익 구백은 무조건 찍을 거예요"]),
    ("사용자는 밤 9시에 잠", ["난 아홉시쯤 자"]),
    ("사용자는 오후 7시 30분에 퇴근", ["일곱시 반에 퇴근해요"]),
    ("사용자는 14시에 약을 먹음", ["약은 오후 두 시에 먹어요"]),
    ("사용자는 고3", ["야나고3인데지금릴스보고있는거실화냐"]),
    ("사용자의 이름은 유하람", ["쌤 안녕하세요 유하람이에요!"]),
    (
        "사용자의 강아지가 2026년 2월 11일에 세상을 떠남",
        ["우리 강아지가 어제 세상을 떠났어"],
    ),
    ("사용자의 집은 \u1100\u1161\u11bc릉", ["집은 강릉이에요"]),
    ("User lives in Berlin", ["I moved to Berlin and live there now"]),
    ("User has 3 cats", ["we've got three cats at home"]),
    ("User is 79 years old", ["i am seventy-nine"]),
    ("User earns 50,000 a year", ["I earn 50k"]),
    ("User runs twice a week", ["I run 2 times a week"]),
    ("User's son Rhys plays in a band", ["my lad Rhys plays in a band, badly"]),
    ("User is allergic to peanuts", ["I've got a peanut allergy"]),
    ("User flies to Oslo on May 3, 2026", ["next May, on the 3rd, I fly to Oslo"]),
    ("User had a stroke in 2022", ["been on it since the stroke in '22"]),
    ("User likes 'Paper Moon'", ["they played Paper Moon, I like that song"]),
    ("ユーザーは大阪に住んでいる", ["大阪に住んでいます"]),
    ("Userは犬を2匹飼っている", ["うちには犬が2匹いて、毎朝散歩に行きます"]),
    ("ユーザーはすしがすき", ["すしがだいすきなの"]),
    ("Userは2026年2月13日に京都へ行く", ["明日京都へ行くんだ"]),
    ("用户住在上海,养了一只猫", ["我住在上海,家里有一只猫"]),
    ("Пользователь живёт в Москве", ["Я живу в Москве уже давно"]),
    ("उपयोगकर्ता दिल्ली में रहता है", ["मैं दिल्ली में रहता हूँ"]),
    ("ผู้ใช้อาศัยอยู่ที่เชียงใหม่", ["ฉันอยู่เชียงใหม่"]),
]

INVENTED = [
    ("사용자는 2026년 2월 14일에 이사함", ["이사해요"]),
    ("사용자는 2026년 2월 14일에 결혼함", ["모레 치과 예약이 있어요"]),
    ("User quit their job on 2026-02-11", ["I quit my job"]),
    ("사용자는 제주도에서 감귤 농장을 운영", ["오늘 저녁 뭐 먹지 고민이네"]),
    ("사용자는 고양이 세 마리를 키움", ["우리 집에 고양이 두 마리 있어"]),
    ("사용자의 고양이 이름은 나비", ["우리 집에 고양이 있어"]),
    ("사용자는 Netflix를 구독", ["요즘 영화 구독하는 거 하나 있어"]),
    ("사용자는 1985년에 부산에서 태어남", ["저는 부산에서 태어났어요"]),
    ("사용자는 1985년 3월에 부산으로 옴", ["지난 3월에 부산으로 왔어요"]),
    ("사용자는 '달빛 소나타'를 좋아함", ["저는 피아노 소나타 좋아해요"]),
    ("사용자", ["저는 부산에 살아요"]),
    ("User lives in Paris", ["I live in a small flat"]),
    ("User has three dogs", ["I have dogs"]),
    ("User owns a vineyard and makes wine", ["what's the weather like tomorrow"]),
    ("User works at Google as an engineer", ["I work as an engineer"]),
    ("User weighs 82 kg", ["I should really lose some weight, kg by kg"]),
    ("ユーザーは東京の銀行で働いている", ["大阪に住んでいます"]),
    ("ユーザーはねこがすき", ["大阪に住んでいます"]),
    ("Userは犬を3匹飼っている", ["うちには犬が2匹います"]),
    ("用户在北京当医生", ["我住在上海,家里有一只猫"]),
    ("Пользователь работает врачом", ["Я живу в Москве уже давно"]),
]


@pytest.mark.req("D05")
@pytest.mark.parametrize(("content", "messages"), GROUNDED)
def test_what_was_said_is_believed_also_in_other_words(
    content: str, messages: list[str]
) -> None:
    conversation = talk(*messages)
    assert find_fault(found(content, len(messages) - 1), conversation) is None


@pytest.mark.req("D05")
@pytest.mark.parametrize(("content", "messages"), INVENTED)
def test_what_was_not_said_is_ungrounded(content: str, messages: list[str]) -> None:
    conversation = talk(*messages)
    assert find_fault(found(content), conversation) is Fault.UNGROUNDED


def test_a_name_may_come_from_elsewhere_in_what_the_user_said() -> None:
    conversation = talk("My sister is called Ngaio", "A: Nice!", "she starts in school")
    assert (
        find_fault(found("User's sister Ngaio starts school", 2), conversation) is None
    )


def test_what_only_the_assistant_said_elsewhere_grounds_nothing() -> None:
    conversation = talk(
        "A: I know you love Barcelona.", "hm", "A: Anything else?", "no thanks"
    )
    assert (
        find_fault(found("User loves Barcelona", 3), conversation) is Fault.UNGROUNDED
    )


WRONG = [
    (replace(found("x"), content="  "), Fault.EMPTY),
    (found("부산에 " * 80), Fault.TOO_LONG),
    (replace(found("부산에 살아요"), confidence=1.2), Fault.CONFIDENCE),
    (replace(found("부산에 살아요"), confidence=float("nan")), Fault.CONFIDENCE),
    (replace(found("부산에 살아요"), evidence=()), Fault.NO_EVIDENCE),
    (found("부산에 살아요", 9), Fault.NO_EVIDENCE),
    (found("부산에 살아요", 0, -1), Fault.NO_EVIDENCE),
    (found("부산에 살아요", 1), Fault.NOT_THE_USER),
    (found("부산에 살아요", target="m7"), Fault.TARGET),
    (
        replace(found("부산에 살아요", target="m1"), operation=FindingOperation.ADD),
        Fault.TARGET,
    ),
    (
        replace(found("부산에 살아요"), operation=FindingOperation.REINFORCE),
        Fault.TARGET,
    ),
    (found("부산 사는 사용자의 카드는 4000-0071-2839-5511"), Fault.SECRET),
    (found("User lives in Busan"), Fault.LANGUAGE),
    (found("ユーザーは釜山に住んでいます"), Fault.LANGUAGE),
]


@pytest.mark.req("D05")
@pytest.mark.parametrize(("finding", "fault"), WRONG)
def test_a_finding_that_breaks_the_contract_is_named(
    finding: Finding, fault: Fault
) -> None:
    conversation = talk("저는 부산에 살아요", "A: 네, 부산 좋죠.", known=(CAT,))
    assert find_fault(finding, conversation) is fault
    assert filter_findings([finding], conversation) == ()


def test_a_category_that_does_not_exist_is_a_fault() -> None:
    finding = found("부산에 살아요")
    object.__setattr__(finding, "category", "horoscope")
    assert find_fault(finding, talk("저는 부산에 살아요")) is Fault.CATEGORY


def test_what_the_system_says_is_not_evidence() -> None:
    message = Utterance(0, Role.SYSTEM, "사용자는 부산에 거주합니다")
    conversation = Conversation((message,), (), AT)
    finding = found("사용자는 부산에 거주")
    assert find_fault(finding, conversation) is Fault.NOT_THE_USER


@pytest.mark.parametrize(
    "secret",
    [
        "480917-2970132",
        "9311302980168",
        "530927 1284019",  # since 2020 the checksum says nothing
        "4000-0071-2839-5511",
        "9490130022748860",
        "３７００ 000041 23453",
        "123-45-6789",
        "13-07-204518-60",
        "302-0013-4507-81",
        "여권번호 M482A0917",
        "공일공에 영이삼사에 오육칠팔",
        "four five five six zero zero zero one nine nine",
        "비밀번호는 바다소년",
        "와이파이 비번 mint7788!",
        "haru!2580",
        "password is opensesame",
        "PIN: 4821",
        "sk-abcdefghijklmnop1234",
        "パスワードはsakura",
        "暗証番号は4821",
        "密码是 haru77",
    ],
)
@pytest.mark.req("D05")
def test_secrets_are_recognised(secret: str) -> None:
    assert has_secret(f"사용자의 값은 {secret}")


@pytest.mark.parametrize(
    "text",
    [
        "사용자는 010-0482-7719로 연락받길 원함",  # personal: A19's matter
        "사용자는 2026-02-11에 이사함",
        "주문번호 4000-0071-2839-5512",  # fails the checksum
        "사용자는 비밀번호 관리자를 씀",
        "User pins photos to a spinning wheel",
        "User's e-mail is pilar2@example.com",
        "사용자는 일이 많은 이사",
        "",
    ],
)
def test_other_numbers_are_not_secrets(text: str) -> None:
    assert not has_secret(text)


def test_a_mixed_conversation_may_be_answered_in_either_language() -> None:
    conversation = talk("나 오늘부로 팀 옮김! I am a data engineer at a startup now")
    assert detect_spoken_languages(conversation) == {
        ScriptLanguage.KOREAN,
        ScriptLanguage.ENGLISH,
    }
    for content in ("사용자는 팀을 옮김", "User is a data engineer"):
        assert find_fault(found(content), conversation) is None


def test_a_few_foreign_names_do_not_make_a_second_language() -> None:
    conversation = talk("요즘 Netflix로 드라마 보는 게 낙이에요, 특히 주말 저녁에요")
    assert detect_spoken_languages(conversation) == {ScriptLanguage.KOREAN}
    assert find_fault(found("사용자는 Netflix로 드라마를 봄"), conversation) is None


@pytest.mark.parametrize(
    ("messages", "language"),
    [
        (["안녕하세요", "A: Hello, my dear friend, how are you today?"], "ko"),
        (["Hi there", "A: 안녕하세요, 무엇을 도와드릴까요?"], "en"),
        (["3!", "A: Three what?"], "en"),
        (["こんにちは"], "other"),
        (["3!"], "ko"),
        ([], "ko"),
    ],
)
def test_the_language_is_the_users(messages: list[str], language: str) -> None:
    assert detect_dominant_language(talk(*messages)) == language


def test_a_translated_sentence_is_compared_by_its_numbers_only() -> None:
    conversation = talk(
        "저는 매운 음식을 정말 좋아해요", "I have 2 cats, 나비 그리고 두부"
    )
    wrong = found("사용자는 3마리를 키움", 1)
    assert find_fault(wrong, conversation) is Fault.UNGROUNDED


@pytest.mark.parametrize("content", ["User lives in Osaka", "사용자는 오사카에 거주"])
def test_what_was_said_in_another_script_is_not_believed_translated(
    content: str,
) -> None:
    conversation = talk("大阪に住んでいます")
    assert find_fault(found(content), conversation) is Fault.LANGUAGE


def test_a_number_alone_is_in_every_language_but_needs_a_source() -> None:
    conversation = talk("I get up at 7:30")
    assert find_fault(found("07:30"), conversation) is None
    assert find_fault(found("08:15"), conversation) is Fault.UNGROUNDED


def test_an_update_may_keep_words_of_what_it_changes() -> None:
    conversation = talk("이제 세 마리야", known=(CAT,))
    finding = found("사용자는 고양이 세 마리를 키움", target="m1")
    assert find_fault(finding, conversation) is None
    assert find_fault(replace(finding, content="고양이 네 마리를 키움"), conversation)


def test_a_deletion_need_not_name_what_it_deletes() -> None:
    conversation = talk("그 얘기는 잊어줘", known=(CAT,))
    finding = replace(
        found("", target="m1"),
        operation=FindingOperation.DELETE,
        basis=Basis.REQUESTED,
    )
    (kept,) = filter_findings([finding], conversation)
    assert (kept.content, kept.target) == (CAT.content, "m1")


def test_a_reinforcement_needs_some_connection() -> None:
    finding = replace(
        found(CAT.content, target="m1"), operation=FindingOperation.REINFORCE
    )
    assert (
        find_fault(finding, talk("우리 나비는 고양이 중에 최고", known=(CAT,))) is None
    )
    assert find_fault(finding, talk("비가 많이 오네", known=(CAT,))) is Fault.UNGROUNDED


@pytest.mark.req("D05")
def test_what_is_known_again_becomes_a_reinforcement() -> None:
    conversation = talk("나는 고양이 나비를 키우잖아", known=(CAT,))
    (kept,) = filter_findings([found("사용자는 고양이 나비를 키움.")], conversation)
    assert (kept.operation, kept.target) == (FindingOperation.REINFORCE, "m1")


def test_evidence_is_narrowed_to_the_user() -> None:
    conversation = talk("A: 고양이 키우세요?", "네, 고양이 두 마리 키워요")
    (kept,) = filter_findings([found("고양이 두 마리를 키움", 1, 0, 1)], conversation)
    assert kept.evidence == (1,)


def test_contents_are_tidied_and_repeats_left_out() -> None:
    conversation = talk("저는 부산에 살아요")
    twice = [found(" 부산에\n 살아요 "), found("부산에 살아요.")]
    (kept,) = filter_findings(twice, conversation)
    assert kept.content == "부산에 살아요"
    assert len(kept.content) <= LONGEST


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("강아지 스물다섯 마리", {25}),
        ("한 마리", set[float]()),
        ("5만 원과 1,200원", {50_000, 1_200}),
        ("two hundred and ten bowls", {210}),
        ("one day", set[float]()),
        ("2026.02.11", {2026, 2, 11}),
        ("no numbers", set[float]()),
    ],
)
def test_claimed_numbers(text: str, numbers: set[float]) -> None:
    assert extract_claimed_numbers(text) == numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("백일도 안 된 아기", 100),
        ("만천이백보", 11_200),
        ("삼천만 원", 30_000_000),
        ("사십분", 40),
        ("오후 두시", 14),
        ("a dozen eggs", 12),
        ("since '19", 2019),
        ("back in '95", 1995),
        ("95년생이에요", 1995),
        ("03년생 아들", 2003),
        ("95학번입니다", 1995),
        ("유월에 결혼해요", 6),
        ("시월 삼일", 10),
        ("두 시쯤 봐요", 14),
        ("약은 오후두시", 14),
        ("7시 반", 19),
        ("I get up at six", 18),
        ("dinner is at 7 or so", 19),
        ("half past three", 15),
        ("I work from 9 to 5", 17),
        ("it starts 6:30", 18),
        ("see you 3pm", 15),
        ("three o'clock", 15),
        ("오후 2~3시에 봐요", 14),
        ("오후 2-3시에 봐요", 15),
        ("2-4pm", 14),
        ("between 2 and 4 pm", 14),
        ("from two to four pm", 14),
        ("3 to 5 p.m.", 15),
        ("I eat at around 7", 19),
        ("at 2", 0),
        ("첫째 둘째", 2),
        ("3.5만", 35_000),
    ],
)
def test_stated_numbers(text: str, number: float) -> None:
    assert number in extract_stated_numbers(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("고양이 세 마리", 15),
        ("3마리를 키워요", 15),
        ("한 시간쯤", 13),
        ("만두시켜 먹었어", 14),
        ("10년 전에", 2010),
        ("시월드가 힘들어", 10),
        ("I have three cats", 15),
        ("my son is 7", 19),
        ("after 3 years", 15),
        ("2 to 3 cups a day", 15),
    ],
)
def test_numbers_that_are_not_stated(text: str, number: float) -> None:
    assert number not in extract_stated_numbers(text)


def test_of_a_very_long_message_both_ends_are_evidence() -> None:
    conversation = talk("저는 부산에 살아요 " + "가나다 " * 100_000 + " 직업은 간호사")
    for content in ("사용자는 부산에 거주", "사용자의 직업은 간호사"):
        assert find_fault(found(content), conversation) is None


def test_what_is_over_was_named() -> None:
    """A babbling model must not take out of use what nobody spoke of."""
    denied = replace(found("", target="m1"), operation=FindingOperation.DELETE)
    said = talk("나비는 작년에 죽었어요", known=(CAT,))
    assert filter_findings([denied], said)
    assert not filter_findings([denied], talk("점심은 김밥 먹었어요", known=(CAT,)))


def test_one_message_holds_so_many_findings() -> None:
    words = ["coffee", "tea", "milk", "water", "juice", "bread", "rice", "soup", "cake"]
    said = talk(f"I like {', '.join(words)}")
    every = [found(f"User likes {word}") for word in words]
    assert len(filter_findings(every, said)) == MAX_PER_EVIDENCE < len(every)


def test_what_is_not_seen_is_not_kept() -> None:
    (kept,) = filter_findings(
        [found("User lives in\x00 Oslo\u202e\u200b")], talk("I live in Oslo")
    )
    assert kept.content == "User lives in Oslo"
    (kept,) = filter_findings([found("사용자는 👩‍👧 좋아함")], talk("👩‍👧 좋아해요"))
    assert "👩‍👧" in kept.content
