"""Words and expressions are data: a list is found in one text, and not in another."""

import re
from pathlib import Path

import pytest

from gieok.text import patterns
from gieok.text.kiwi import get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile, PatternList, parse_lists
from gieok.text.vocabulary import build_vocabulary

SOURCE = Path(__file__).parents[3] / "src/gieok"
OTHER = {"locale", "topics.toml", "number_rules.toml", "utterance_slots.toml"}
"""Files with loaders and tests of their own."""
FILES = [
    file
    for file in sorted(SOURCE.rglob("*.toml"))
    if not OTHER.intersection(file.relative_to(SOURCE).parts)
]
LISTS = [
    pytest.param(one, id=f"{file.relative_to(SOURCE)}:{name}")
    for file in FILES
    for name, one in parse_lists(file.read_text("utf-8")).items()
]
WORD = re.compile(r"[a-z]+(?:[-'’][a-z]+)*")


def _has(one: PatternList, text: str) -> bool:
    low = text.lower()
    if one.expressions or one.latin:
        return re.search(one.expression, text, one.flags) is not None
    if one.forms:
        return build_vocabulary(*one.forms).search(low) is not None
    if one.rewrites:
        return one.rewrite(text) != text
    if one.values:
        return any(word in low for word in one.values)
    tokens = {low, *low.split(), *WORD.findall(low)}
    if has_hangul(text):
        tokens |= {morph.form for morph in get_shared_morphology().analyze(text)}
    return any(
        not tokens.isdisjoint(words.split()) or words in tokens for words in one.words
    )


@pytest.mark.parametrize("one", LISTS)
def test_a_list_is_found_in_its_example_and_not_in_the_other(one: PatternList) -> None:
    assert _has(one, one.found)
    assert not _has(one, one.missed)


@pytest.mark.parametrize("one", LISTS)
def test_every_form_finds_itself(one: PatternList) -> None:
    """A form that stood beside another without a comma would not."""
    expression = build_vocabulary(*one.forms)
    written = {form: form.strip("^*~") for form in one.forms}
    lost = [
        form
        for form, plain in written.items()
        if not expression.search(plain[0] + plain[1:].replace("_", " "))
    ]
    assert not lost


def test_a_rewrite_sees_the_letters_of_a_syllable() -> None:
    listed = parse_lists(
        "[one]\nfound = '간께'\nmissed = '함께'\n"
        "[one.rewrites]\n'ᆫ께$' = '니까'\n'[어아]라우$' = '요'"
    )["one"]
    assert [listed.rewrite(said) for said in ("온께", "함께", "했어라우")] == [
        "오니까",
        "함께",
        "했요",
    ]


@pytest.mark.parametrize("one", LISTS)
def test_every_alternative_is_an_expression(one: PatternList) -> None:
    for alternative in (*one.expressions, *one.latin):
        assert alternative
        re.compile(alternative, one.flags)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ('words = ["a", "a"]\nfound = "a"\nmissed = "b"', "x: twice a"),
        ('expressions = ["a"]\nlatin = ["a"]\nfound = "a"\nmissed = "b"', "twice a"),
        ('words = []\nfound = "a"\nmissed = "b"', "x: is empty"),
        ('words = ["a"]\nfound = "a"', "x needs a text"),
        ('words = ["a"]\nmissed = "a"', "is no list"),
        ('word = ["a"]\nfound = "a"\nmissed = "b"', "nothing reads word"),
    ],
)
def test_a_list_that_cannot_be_right_is_refused(written: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_lists(f"[x]\n{written}\n")


def test_a_list_that_stands_twice_is_refused() -> None:
    one = '[x]\nwords = ["a"]\nfound = "a"\nmissed = "b"\n'
    with pytest.raises(ValueError, match="x"):
        parse_lists(one + one)


def test_a_file_is_read_when_a_list_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_declared", [])  # no other test compiles this one
    nowhere = PatternFile("gieok.text", "nowhere.toml")
    declared = nowhere.compile_list("x")
    with pytest.raises(FileNotFoundError):
        declared.search("a")


def test_a_part_stands_for_what_several_expressions_have_in_common() -> None:
    lists = parse_lists(
        "[parts]\nvowel = '[aeiou]'\npair = '{vowel}{2}'\n"
        "[one]\nexpressions = ['^{pair}$']\nlatin = ['{vowel}x']\n"
        "found = 'ea'\nmissed = 'et'"
    )
    assert lists.keys() == {"one"}
    assert lists["one"].expression == r"^[aeiou]{2}$|\b(?:[aeiou]x)\b"


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("[one]\nexpressions = ['{vowel}']\n", "no part vowel"),
        ("[parts]\nvowel = 'a'\n[one]\nexpressions = ['b']\n", "no expression has"),
    ],
)
def test_a_part_is_there_and_is_used(document: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_lists(f"{document}found = 'a'\nmissed = 'b'")
