"""The rules behind the pages, which need neither a database nor a browser."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.errors import InvalidInputError
from gieok.memories.model import MemoryGrowth
from gieok.settings import Policy, Settings
from gieok.surfaces.pages.consent import parse_decisions
from gieok.surfaces.pages.cookies import (
    derive_form_token,
    is_loopback,
    is_same_origin,
    select_cookie,
)
from gieok.surfaces.pages.forms import FormFields, parse_form
from gieok.surfaces.pages.growth import CountedSpan, list_ages, list_months
from gieok.surfaces.pages.rendering import PageStyle, get_environment, render_page
from gieok.surfaces.pages.switches import compute_changes
from gieok.surfaces.pages.wording import (
    clip_text,
    describe_confidence,
    describe_state,
)
from support.plain_memory import PLAIN

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
SEOUL = ZoneInfo("Asia/Seoul")
WORDS = ["fading", "unsure", "likely", "sure"]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TIMES = st.integers(0, 6 * 365 * 24).map(lambda hours: NOW - timedelta(hours=hours))


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_word_rises_with_the_confidence(one: float, two: float) -> None:
    low, high = sorted((one, two))
    ranks = [WORDS.index(describe_confidence(each)) for each in (low, high)]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("hours", "state"), [(None, "active"), (1, "active"), (0, "expired")]
)
def test_a_memory_past_its_retention_is_not_called_in_use(
    hours: int | None, state: str
) -> None:
    ends = None if hours is None else NOW + timedelta(hours=hours)
    assert describe_state(replace(PLAIN, expires_at=ends), NOW) == state


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=20))
def test_a_form_is_read_as_it_was_sent(pairs: list[tuple[str, str]]) -> None:
    form = parse_form(urlencode(pairs).encode())
    assert list(form.pairs) == pairs


FILES = "multipart/form-data; boundary=----limit"


def encode_parts(parts: list[tuple[str, bytes]]) -> bytes:
    """Return what a browser sends: the last part is a file."""
    said = b"".join(
        b"------limit\r\nContent-Disposition: form-data; name="
        + f'"{name}"'.encode()
        + (b'; filename="a; b.zip"\r\nContent-Type: x/y' if last else b"")
        + b"\r\n\r\n"
        + content
        + b"\r\n"
        for last, (name, content) in (
            (number == len(parts), part) for number, part in enumerate(parts, start=1)
        )
    )
    return said + b"------limit--\r\n"


@given(st.binary(min_size=1, max_size=200))
def test_a_file_arrives_as_it_was_sent(content: bytes) -> None:
    for body in (content, b"\r\n" + content + b"\r\n\r\n", b"\n--limit\r" + content):
        sent = encode_parts([("form_token", "토큰".encode()), ("file", body)])
        form = parse_form(sent, FILES)
        assert form.pairs == (("form_token", "토큰"),)
        assert form.get_file("file") == body


@pytest.mark.parametrize("start", ['; name="', "", ';name="a', '; name="a\\"'])
@pytest.mark.parametrize("filler", [";", "; ", ';a="', '\\";', " ", "; a"])
def test_no_head_of_a_part_takes_longer_than_its_length(
    start: str, filler: str
) -> None:
    head = start + filler * (1_000_000 // len(filler))
    body = (
        b"------limit\r\nContent-Disposition: form-data"
        + head.encode()
        + b"\r\n\r\nx\r\n------limit--\r\n"
    )
    begun = time.process_time()
    parse_form(body, FILES)
    with pytest.raises(InvalidInputError, match="body"):
        parse_form(body, "multipart/form-data" + head)
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("content_type", ["multipart/form-data", FILES[:-15]])
def test_parts_without_a_limit_are_refused(content_type: str) -> None:
    with pytest.raises(InvalidInputError, match="body"):
        parse_form(b"--None\r\n\r\nx\r\n--None--", content_type)


@pytest.mark.parametrize(
    "content_type",
    [
        'multipart/form-data; boundary="----limit"',
        "Multipart/Form-Data;charset=utf-8;Boundary=----limit",
    ],
)
def test_a_limit_is_read_however_it_is_written(content_type: str) -> None:
    form = parse_form(encode_parts([("file", b"x")]), content_type)
    assert form.get_file("file") == b"x"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"a=1",
        encode_parts([("file", b"x")])[:-6],
        encode_parts([("a", b"x")] * 201),
    ],
)
def test_what_holds_no_files_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInputError, match="body"):
        parse_form(body, FILES)


def test_a_file_that_nobody_chose_is_missing() -> None:
    form = parse_form(encode_parts([("file", b"")]), FILES)
    with pytest.raises(InvalidInputError, match="file"):
        form.get_file("file")


@pytest.mark.parametrize("body", [b"a", b"\xff=1", b"a=%ff", b"&".join([b"a=1"] * 201)])
def test_what_is_no_form_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInputError, match="body"):
        parse_form(body)


@pytest.mark.parametrize(
    ("scheme", "host", "name"),
    [
        ("https", "memory.example.com", "__Host-gieok"),
        ("https", "127.0.0.1:8321", "__Host-gieok"),
        ("http", "127.0.0.1:8321", "gieok-local"),
        ("http", "[::1]:8321", "gieok-local"),
        ("http", "localhost", "gieok-local"),
        ("http", "localhost.example.com", None),
        ("http", "127.0.0.1.example.com", None),
        ("http", "memory.example.com", None),
        ("http", "", None),
        ("http", "[::1", None),
    ],
)
def test_a_cookie_is_set_where_nobody_else_can_read_it(
    scheme: str, host: str, name: str | None
) -> None:
    form = select_cookie(scheme, host)
    assert (form and form.name) == name
    assert form is None or form.is_secure == (scheme == "https")


@given(st.text(max_size=30))
def test_no_host_breaks_the_choice(host: str) -> None:
    assert is_loopback(host) in {True, False}


@given(st.text(max_size=10))
def test_only_our_own_pages_are_the_same_origin(site: str) -> None:
    own = {"sec-fetch-site": site, "origin": "https://a", "host": "a"}
    assert is_same_origin(own, "https") == (site == "same-origin")


@given(TEXTS, TEXTS)
def test_a_form_token_is_of_one_sign_in(one: str, two: str) -> None:
    assert (derive_form_token(one) == derive_form_token(two)) == (one == two)
    assert one not in derive_form_token(one) or len(one) <= 2


def is_in(at: datetime, span: CountedSpan) -> bool:
    since, until = span.span
    return (since is None or at >= since) and (until is None or at < until)


@given(TIMES)
def test_each_memory_has_one_age_and_one_month_at_most(at: datetime) -> None:
    assert sum(is_in(at, age) for age in list_ages(NOW)) == 1
    months = list_months(NOW, SEOUL)
    assert len(months) == 6
    assert sum(is_in(at, month) for month in months) == (at >= months[0].starts[0])


def test_a_month_is_the_persons_own() -> None:
    late = datetime(2026, 10, 31, 16, tzinfo=UTC)  # 1 November in Seoul
    for zone, name in ((SEOUL, "2026-11"), (ZoneInfo("UTC"), "2026-10")):
        (found,) = (span for span in list_months(NOW, zone) if is_in(late, span))
        assert found.name == name
    young = NOW - timedelta(days=8)
    assert [age.name for age in list_ages(NOW) if is_in(young, age)] == ["month"]


def test_counts_are_summed_between_starts() -> None:
    first, second = NOW - timedelta(days=2), NOW - timedelta(days=1)
    growth = MemoryGrowth((first, second), (1, 2, 4), ())
    assert growth.count_between(None, None) == 7
    assert growth.count_between(first, second) == 2
    assert growth.count_between(second, None) == 4
    assert growth.count_between(None, first) == 1


@given(st.text(max_size=30), st.integers(1, 20))
def test_what_is_left_out_is_counted(text: str, most: int) -> None:
    shown, left = clip_text(text, most)
    assert len(shown) + left == len(text)
    assert text.startswith(shown)


def form_of(settings: Settings) -> list[tuple[str, str]]:
    """Return what a browser sends when nothing was touched."""
    given = _list_fields(settings)
    names = ("is_enabled", "auto_extraction", "allowed_categories")
    return [
        *given,
        *(
            (f"shown_{name}", " ".join(value for key, value in given if key == name))
            for name in dict.fromkeys((*names, *(key for key, _ in given)))
        ),
    ]


def _list_fields(settings: Settings) -> list[tuple[str, str]]:
    flags = [
        (name, "true")
        for name in ("is_enabled", "auto_extraction")
        if getattr(settings, name)
    ]
    kinds = [("allowed_categories", each.value) for each in settings.allowed_categories]
    figures = [
        (name, "" if (value := getattr(settings, name)) is None else str(value))
        for name in ("max_memories", "retention_days", "words_days")
    ]
    policy = ("promotion_policy", settings.promotion_policy.value)
    return [*flags, *kinds, *figures, policy]


@given(
    st.booleans(),
    st.booleans(),
    st.one_of(st.none(), st.integers(1, 36_500)),
    st.sampled_from(Policy),
)
def test_a_form_nobody_touched_changes_nothing(
    enabled: bool,  # noqa: FBT001 - hypothesis gives them in order
    extraction: bool,  # noqa: FBT001
    days: int | None,
    policy: Policy,
) -> None:
    settings = Settings(
        is_enabled=enabled,
        auto_extraction=extraction,
        retention_days=days,
        promotion_policy=policy,
    )
    assert compute_changes(FormFields(tuple(form_of(settings)))) == {}


def test_only_what_was_touched_is_changed() -> None:
    pairs = [
        (name, "90" if name == "retention_days" else value)
        for name, value in form_of(Settings())
        if name != "is_enabled"
    ]
    changes = compute_changes(FormFields(tuple(pairs)))
    assert changes == {"is_enabled": False, "retention_days": 90}


@pytest.mark.parametrize(
    "figure", ["-1", "1.5", "٣", "1e3", "999999999", "x", "9" * 5_000]
)
def test_a_figure_that_is_none_is_refused(figure: str) -> None:
    with pytest.raises(InvalidInputError, match="retention_days"):
        compute_changes(FormFields((("retention_days", figure),)))
    with pytest.raises(InvalidInputError, match="importance"):
        FormFields((("importance", figure),)).get_figure("importance")


def test_a_figure_is_read_with_space_around_it_and_may_be_left_empty() -> None:
    form = FormFields((("importance", " 9 "), ("max_memories", " ")))
    assert form.get_figure("importance") == 9
    assert form.get_figure("max_memories") is None


def test_silence_is_no_consent() -> None:
    answers = {"storage": "no", "profile": "yes", "sensitive": "no", "sync": "yes"}
    with pytest.raises(InvalidInputError, match="words"):
        parse_decisions(FormFields(tuple(answers.items())))
    decided = parse_decisions(FormFields((*answers.items(), ("words", "no"))))
    assert decided == {
        "storage": False,
        "profile": True,
        "sensitive": False,
        "sync": True,
        "words": False,
    }


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_template_without_a_value_fails_instead_of_showing_a_gap(
    language: str,
) -> None:
    from jinja2 import UndefinedError  # noqa: PLC0415

    assert get_environment().autoescape is True
    with pytest.raises(UndefinedError):
        render_page("receipts.html", PageStyle(language, "/me"), {})


@given(TEXTS)
def test_whatever_is_shown_is_escaped(text: str) -> None:
    page = render_page(
        "failure.html", PageStyle("en", "/me"), {"message": f"<b>{text}", "status": 1}
    )
    assert b"<b>" not in bytes(page.body)
