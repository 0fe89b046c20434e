"""Every rule for numbers is found in its example, and not in what looks like it."""

import pytest

from gieok.pii.rules import NumberRule, load_number_rules, parse_number_rules

RULES = load_number_rules()
EXAMPLES = [
    pytest.param(rule, group, id=f"{group}-{rule.kind}-{rule.found}")
    for group in RULES._fields
    for rule in getattr(RULES, group)
]
ONE = """
[parts]
end = '(?!\\d)'
[[written]]
kind = "phone"
form = '\\d{3}<end>'
words = "phone"
found = "123"
missed = "12"
"""
NONE = "bare = []\nlettered = []\n"


@pytest.mark.parametrize(("rule", "group"), EXAMPLES)
def test_a_form_is_found_in_its_example(rule: NumberRule, group: str) -> None:
    match = rule.form.fullmatch if group == "bare" else rule.form.search
    assert match(rule.found)
    assert not match(rule.missed)


def test_parts_stand_in_a_form() -> None:
    (rule,) = parse_number_rules(NONE + ONE).written
    assert rule.form.pattern == r"\d{3}(?!\d)"


def test_a_form_that_stands_twice_is_refused() -> None:
    twice = (
        NONE + ONE + ONE.partition("[[written]]")[1] + ONE.partition("[[written]]")[2]
    )
    with pytest.raises(ValueError, match="twice"):
        parse_number_rules(twice)


def test_a_form_without_examples_is_refused() -> None:
    with pytest.raises(ValueError, match="without two examples"):
        parse_number_rules(NONE + ONE.replace('missed = "12"', ""))


@pytest.mark.parametrize("wrong", ["<end>", '"phone"\nform', 'words = "phone"'])
def test_what_a_rule_names_must_be_there(wrong: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        parse_number_rules(
            NONE
            + ONE.replace(wrong, wrong.replace("end", "nd").replace("phone", "fon"))
        )
