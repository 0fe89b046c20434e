"""Sensitive information is found, and what looks like it is left alone (A19)."""

import itertools
import re
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.evaluation.predictions import find_masked
from gieok.pii import PiiFinding, PiiKind, SensitivityLevel, count_kinds, find, find_all
from support.pii_corpus import Corpus, covered, decomposed, styles, wilson

pytestmark = pytest.mark.req("A19")

SEED = 4_711
EACH = 60
nasty = st.lists(
    st.sampled_from(
        [
            *("010-1234-5678", "900101-1234567", "4111 1111 1111 1111", "a@b.co"),
            *("비번 ", "주민번호 ", "공일공", "여권", "card ", "앞자리 ", "뒷자리 "),
            *(
                "\u200b",
                "\ud800",
                "😀",
                "１",
                "①",
                "ㅡ",
                "\u1112\u1161\u11ab",
                "İ",
                "\n",
            ),
            *("sk-", "one two ", "강남구 테헤란로 1", "\x00", "-", " ", "(", "1", "0"),
        ]
    )
    | st.text(max_size=4),
    max_size=24,
).map("".join)


def kinds(text: str) -> list[PiiKind]:
    return [one.kind for one in find(text) if not one.kind.topic]


def spans(found: tuple[PiiFinding, ...]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in found if not one.kind.topic]


def test_every_kind_and_every_disguise_is_found_whole() -> None:
    corpus = Corpus(SEED)
    cases = [*corpus.positives(EACH), *corpus.splits(EACH)]
    for name, some in styles(cases):
        hits = sum(
            all(
                not value or covered(message, value, spans(found))
                for message, value, found in zip(
                    case.messages, case.values, find_all(case.messages), strict=True
                )
            )
            for case in some
        )
        assert wilson(hits, len(some))[1] == 1 or hits / len(some) >= 0.97, name


def test_numbers_that_are_nobodys_are_left_alone() -> None:
    texts = Corpus(SEED).negatives(2_000)
    marked = [text for text in texts if kinds(text)]
    assert len(marked) <= 2_000 * 0.003, marked[:5]  # a reference may pass Luhn


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("주민번호 900101-1234567 이에요", PiiKind.RRN),
        ("주민번호 991332-1234567", PiiKind.RRN),
        ("주민등록번호 9001011234567", PiiKind.RRN),
        ("201105-4731296", PiiKind.RRN),
        ("외국인등록번호 850607-5123456", PiiKind.FOREIGNER),
        ("사회보장번호 123-45-6789", PiiKind.SSN),
        ("번호는 ０１０－１２３４－５６７８", PiiKind.PHONE),
        ("공일공에 일이삼사에 오육칠팔이여", PiiKind.PHONE),
        (
            "call me at zero one zero, one two three four, five six double seven",
            PiiKind.PHONE,
        ),
        ("O1O-1234-5678", PiiKind.PHONE),
        ("+44 7700 900123", PiiKind.PHONE),
        ("이 카드 4111 1111 1111 1112 안 돼", PiiKind.CARD),
        ("3782 822463 10005", PiiKind.CARD),
        ("카카오뱅크 3333-01-1234567", PiiKind.ACCOUNT),
        ("IBAN DE89 3704 0044 0532 0130 00", PiiKind.IBAN),
        ("M123A4567", PiiKind.PASSPORT),
        ("여권 S12345678", PiiKind.PASSPORT),
        ("서울 12-345678-90", PiiKind.DRIVER_LICENSE),
        ("11-22-345678-90", PiiKind.DRIVER_LICENSE),
        ("jane (at) example (dot) com", PiiKind.EMAIL),
        ("비밀번호가 'qwer!234' 예요", PiiKind.PASSWORD),
        ("hunter2 is my password", PiiKind.PASSWORD),
        ("OTP 339182", PiiKind.PASSWORD),
        ("키는sk-abcdefghij0123456789", PiiKind.SECRET),
        ("postgres://admin:s3cret@db", PiiKind.SECRET),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
            PiiKind.SECRET,
        ),
        ("세종대로 209 302호", PiiKind.ADDRESS),
        ("마포구 합정동 123-45", PiiKind.ADDRESS),
        ("4500 N Lake Shore Drive Apt 12, Chicago, IL 60640", PiiKind.ADDRESS),
        ("사업자번호 123-45-67891", PiiKind.BUSINESS),
    ],
)
def test_one_of_each(text: str, kind: PiiKind) -> None:
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "모델은 WPU-010-8282이고 제조번호가 20240117-0035812라고 써있어요",
        "계좌 이체 2026-02-18 19:10 에 했어",
        "비밀번호는 8자리 이상이어야 한대",
        "비번 까먹어서 3번 시도했어",
        "password reset in 2024",
        "pin it to the board 12345",
        "여권은 2031년 만료",
        "우리 국민 하나 되어 2002 월드컵",
        "1588-1234로 전화했어",
        "하이픈 없이 1767225600000",
        "서울로 3시까지 가",
        "친구 집으로 3명",
        "종로 3가에서 봐",
        "S12345678 일련번호",
        "공일이 형",
        "암호화폐 3000달러",
        "010-****-5678",
        "900101-1******",
        "[주민등록번호]",
        "IP 192.168.0.1, v10.15.7",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (("앞자리는 900101", "네, 뒷자리는요?", "1234567"), ["rrn", "", "rrn"]),
        (("900101-", "1234567"), ["rrn", "rrn"]),
        (("010", "네?", "1234-5678"), ["phone", "", "phone"]),
        (("카드번호 4111 1111", "네", "나머지 1111 1111"), ["card", "", "card"]),
        (("4111", "1111", "1111", "1111"), ["card"] * 4),
        (("앞은 [주민등록번호]", "1234567이야"), ["", "rrn"]),
        (("[resident number].", "1234567 won"), ["", ""]),
        (
            ("카드 4111 1111", "네", "1111", "네", "1111이요"),
            ["card", "", "card", "", "card"],
        ),
        (("주민번호 900101", "1234", "567"), ["rrn"] * 3),
        (("010", "네", "1234", "네", "5678이요"), ["phone", "", "phone", "", "phone"]),
        (("2024", "1000", "3000", "4000"), [""] * 4),
        (("10시 300", "400원", "500", "1200"), [""] * 4),
        (("비밀번호 알려 주세요", "qwer!234요"), ["", "password"]),
        (("여권번호요?", "M70481926"), ["", "passport"]),
        (("2026년 3월 12", "1234567원이야"), ["", ""]),
    ],
)
def test_messages_announce_and_share_values(
    messages: tuple[str, ...], expected: list[str]
) -> None:
    found = find_all(messages)
    assert [one[0].kind.value if one else "" for one in found] == expected


@pytest.mark.parametrize(
    ("asked", "said", "values"),
    [
        ("비밀번호가 뭐예요?", "5678이고 hunter2야", ["5678", "hunter2"]),
        (
            "비밀번호가 뭐예요?",
            "네, 5678이고 현관은 9981이야",
            ["5678", "9981"],
        ),
        ("비밀번호가 뭐예요?", "5678이야. 또 tiger99도 있어", ["5678", "tiger99"]),
        ("비밀번호가 뭐예요?", "5678, 1990", ["5678", "1990"]),
        ("비밀번호가 뭐예요?", "5678 그리고 Hunter22", ["5678", "Hunter22"]),
        ("비밀번호가 뭐예요?", "5678이고 그건 2019년에 만들었어", ["5678"]),
        ("비밀번호가 뭐예요?", "사랑해2!!", ["사랑해2!!"]),
        ("비밀번호가 뭐예요?", "5678인데 COVID-19 때 바꿨고 2021에 또", ["5678"]),
        ("What's the password?", "it's hunter2x or a1b2c3", ["hunter2x", "a1b2c3"]),
        ("What's the password?", "4821 and for the shed 9912", ["4821", "9912"]),
        ("What's the password?", "4821. I have 2000 books", ["4821"]),
        ("", "비밀번호는 5678이고 hunter2야", ["5678", "hunter2"]),
        ("", "비밀번호는 5678이고 현관은 hunter2야", ["5678", "hunter2"]),
        ("", "hunter2랑 tiger99가 비밀번호야", ["hunter2", "tiger99"]),
        (
            "",
            "my passwords are hunter2x, a1b2c3 and tiger99x",
            ["hunter2x", "a1b2c3", "tiger99x"],
        ),
        ("", "비밀번호는 hunter2야, iPhone15에도 써", ["hunter2"]),
    ],
)
def test_every_value_that_is_given_together_is_found(
    asked: str, said: str, values: list[str]
) -> None:
    (found,) = find_all([said], before=[asked])
    assert [said[one.start : one.end] for one in found] == values
    assert {one.kind for one in found} == {PiiKind.PASSWORD}


def test_a_word_is_no_password_for_its_signs() -> None:
    assert find_all(["몰라요!!"], before=["비밀번호가 뭐예요?"]) == [()]


def test_what_was_said_before_announces_but_is_not_searched() -> None:
    (found,) = find_all(["1234567"], before=["주민번호 앞자리 900101", "뒷자리는요?"])
    assert [one.kind for one in found] == [PiiKind.RRN]


def test_a_wrong_check_digit_with_the_right_words_still_counts() -> None:
    assert kinds("카드번호 4111-1111-1111-1112") == [PiiKind.CARD]
    assert kinds("4111111111111112 라는 숫자") == []
    assert kinds("4111111111111111 라는 숫자") == [PiiKind.CARD]


def test_the_nearest_word_decides() -> None:
    assert kinds("카드 결제 주문번호 2210-4451-0032-7719") == []
    assert kinds("주문번호 말고 카드번호가 2210-4451-0032-7719") == [PiiKind.CARD]


def test_special_categories_are_labelled_not_counted_as_numbers() -> None:
    found = find("당뇨 진단 받고 노조 가입했어. I was diagnosed last year.")
    assert {one.kind for one in found} == {PiiKind.HEALTH, PiiKind.UNION}
    assert {one.level for one in found} == {SensitivityLevel.S2}
    assert all(one.kind.topic for one in found)


def test_flags_count_kinds_and_hold_no_content() -> None:
    text = "010-1234-5678, 010-8765-4321, 900101-1234567"
    assert count_kinds(find(text)) == {"phone": 2, "rrn": 1}


def test_places_lead_back_through_every_spelling() -> None:
    value = "\u200b".join("０１０ㅡ1234–5678")
    text = decomposed("제 번호는 ") + value + decomposed("입니다")
    (found,) = find(text)
    assert text[found.start : found.end].strip("\u200b") == value


@given(nasty)
def test_any_text_gives_ordered_places_inside_it(text: str) -> None:
    found = find(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(0.5 <= one.confidence <= 1 for one in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@given(st.lists(nasty, max_size=5))
def test_messages_keep_their_number_and_order(texts: list[str]) -> None:
    assert len(find_all(texts)) == len(texts)


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "1",
            "1 ",
            "12-",
            "1.2.",
            "010-1234-5678 ",
            "a@",
            "a.",
            "@",
            "공일공 ",
            "일이",
        ),
        *(
            "one two ",
            "로 1",
            "가나구 가나로 1",
            "1\u200b",
            "비번 ",
            "password a1b2 ",
            "eyJa.",
        ),
        *(
            "sk-",
            "앞자리 ",
            "GB56 ",
            "카드 1234567890123456 ",
            "O0",
            "국민 12-34-56789012 ",
        ),
        *("-----BEGIN PRIVATE KEY-----", "당뇨 ", "\u1100\u1161", "1 Abc ", "(", "+1 "),
    ],
)
def test_work_grows_with_length_and_not_faster(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every search is bounded, so what is handed to the judges grows in proportion."""
    from gieok.pii import addresses, numbers  # noqa: PLC0415 - patched here only

    calls: Counter[str] = Counter()

    def counted(module: object, name: str) -> None:
        real = getattr(module, name)

        def count(*args: object) -> object:
            calls[name] += 1
            return real(*args)

        monkeypatch.setattr(module, name, count)

    counted(numbers, "score_match")
    counted(addresses, "_score_street")
    work = []
    for size in (2_000, 8_000):
        calls.clear()
        find((unit * size)[:size])
        work.append(calls.total())
    assert work[1] <= 4.5 * work[0] + 50


def test_a_megabyte_of_digits_is_read() -> None:
    assert find("1" * 1_000_000) == ()
    text = "1 " * 400_000 + "주민번호 900101-1234567"
    assert find(text)[-1].kind is PiiKind.RRN


def test_the_table_holds_no_form_without_a_bound() -> None:
    """An open repeat next to another is how backtracking becomes quadratic."""
    from gieok.pii.rules import load_number_rules  # noqa: PLC0415 - one test

    for rule in chain(*load_number_rules()):
        assert not re.search(
            r"(?<!\\)[*+](?!\?)(?![\w\]\\)|=])", _outside(rule.form.pattern)
        )


def _outside(pattern: str) -> str:
    """Return an expression without its character classes and escapes."""
    return re.sub(r"\\.", "", re.sub(r"\[(?:\\.|[^\]])*\]", "", pattern))


def test_the_evaluation_sees_what_would_be_masked_in_its_own_words() -> None:
    said = ["외국인등록번호 850607-5123456", "당뇨, 사업자번호 123-45-67891"]
    row = {"type": "rrn", "message": 0, "text": "850607-5123456"}
    assert find_masked(said) == [row]


@pytest.mark.req("A19")
@pytest.mark.parametrize("text", ["음주운전으로 걸렸어요", "지금 보호관찰 중이에요"])
def test_every_listed_word_labels_its_category(text: str) -> None:
    assert PiiKind.CRIME in {each.kind for each in find(text)}
