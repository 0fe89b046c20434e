"""The catalogue is complete in both languages, and every key in use is in it."""

import re
from pathlib import Path
from string import Formatter

import pytest

import gieok.surfaces.cli
from gieok.conformance import CHECKS
from gieok.kernel.language import Category, FindingOperation, Role
from gieok.memories import CandidateStatus
from gieok.recall import HitKind
from gieok.surfaces.cli.app import execute, extract_language
from gieok.surfaces.cli.messages import format_message, load_messages

SOURCES = sorted(Path(gieok.surfaces.cli.__file__).parent.glob("*.py"))
SPOKEN = re.compile(
    r"(?:print_message|print_note|translate_message|build_message_view|sure=|none=)"
    r'\(?\s*"([a-z_.]+)"'
)
KOREAN, ENGLISH = load_messages("ko"), load_messages("en")
HELP = re.compile(r'(?:help|epilog)="([a-z_.]+)"')
HANGUL = re.compile(r"[가-힣]")
SAME = {"hint.not_permitted", "jobs.count"}


def places(message: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(message) if name is not None}


@pytest.mark.parametrize("key", sorted(KOREAN))
def test_a_message_says_the_same_in_both_languages(key: str) -> None:
    korean, english = KOREAN[key], ENGLISH[key]
    assert korean.strip()
    assert english.strip()
    assert places(korean) == places(english)
    assert key in SAME or HANGUL.search(korean)
    assert not HANGUL.search(english)


def test_every_key_in_the_code_is_in_the_catalogue() -> None:
    for path in SOURCES:
        source = path.read_text("utf-8")
        used = set(SPOKEN.findall(source)) | set(HELP.findall(source))
        assert used <= set(KOREAN), path.name


def test_every_word_of_the_library_has_a_translation() -> None:
    words = [
        *(f"category.{one}" for one in Category),
        *(f"operation.{one}" for one in FindingOperation),
        *(f"chat.{one}" for one in FindingOperation),
        *(f"role.{one}" for one in Role),
        *(f"status.{one}" for one in CandidateStatus),
        *(f"kind.{one}" for one in HitKind),
    ]
    assert set(words) <= set(KOREAN)


def test_every_expectation_and_check_has_a_text() -> None:
    for name, prefixes in (
        ("story.py", ["expect"]),
        ("device_story.py", ["expect"]),
        ("doctor.py", ["check", "advice"]),
    ):
        source = next(path for path in SOURCES if path.name == name).read_text("utf-8")
        used = re.findall(
            r'(?:check_expectation|it\.add_check)\(\s*"([a-z_]+)"', source
        )
        assert used
        for prefix in prefixes:
            assert {f"{prefix}.{one}" for one in used} <= set(KOREAN)


def test_every_check_of_a_server_has_a_text() -> None:
    assert {f"sync_check.{name}" for name in CHECKS} <= set(KOREAN)


def test_places_are_filled() -> None:
    assert format_message("remembered", "ko", mark="ab") == "기억했습니다 (ab)."
    assert format_message("remembered", "en", mark="ab") == "Remembered (ab)."


@pytest.mark.parametrize(
    ("arguments", "language", "rest"),
    [
        (["--lang", "en", "demo"], "en", ["demo"]),
        (["demo", "--lang=en"], "en", ["demo"]),
        (["demo"], "ko", ["demo"]),
        (["remember", "--", "--lang", "en"], "ko", ["remember", "--", "--lang", "en"]),
    ],
)
def test_the_language_may_be_named_anywhere(
    arguments: list[str], language: str, rest: list[str]
) -> None:
    assert extract_language(arguments, "ko") == (language, rest)


def test_help_is_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["--lang", "en", "remember", "--help"]) == 0
    english = capsys.readouterr().out
    assert not HANGUL.search(english)
    assert execute(["remember", "--help", "--lang", "ko"]) == 0
    assert "기억할 문장" in capsys.readouterr().out


def test_no_help_text_is_left_as_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    commands = ["demo", "chat", "serve", "token", "recall", "forget", "memories list"]
    commands += ["settings set", "jobs retry", "eval extract", "doctor", "reembed", ""]
    for command in commands:
        assert execute([*command.split(), "--help"]) == 0
        shown = capsys.readouterr().out
        assert not re.search(r"\b(help|arg|opt)\.[a-z_]+", shown), command


def test_an_unknown_language_is_one_clear_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute(["demo", "--lang", "fr"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1
    assert "--lang" in shown.err
