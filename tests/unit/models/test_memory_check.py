"""A new memory is read beside what it came from, and kept if that is worth it."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import (
    Basis,
    Category,
    Finding,
    FindingOperation,
    Role,
    Utterance,
)
from gieok.models import tuned_e5
from gieok.models.rules.memory_check import (
    FIT,
    LEAST_FIT,
    LONGEST_ASKED,
    LONGEST_BEFORE,
    LONGEST_MEMORY,
    LONGEST_SAID,
    MUCH_FITTER,
    WORTH,
    CheckContext,
    collect_checked,
    render_memory_check,
    select_worthwhile,
    weigh_checks,
)

TODAY = date(2026, 11, 27)
CHECKS = Path(__file__).parents[3] / "training/memory_checks"
UNSEEN = ("en_c", "en_d", "ko_c")
"""Ordinary talks of hands from which the check has not learned."""
STEP = 2
"""Every how many-th of their memories is read."""
LIKELY = 1.0
"""Log-odds of the encoder alone."""
LEAST_PRECISION = 0.9
LEAST_RECALL = 0.85
DOG = "The user has a dog"
SURE = 0.9
_PAIRS = st.tuples(st.floats(-9, 9), st.floats(-9, 9))


def build_finding(
    *evidence: int,
    content: str = DOG,
    operation: FindingOperation = FindingOperation.ADD,
    basis: Basis = Basis.STATED,
    confidence: float = SURE,
) -> Finding:
    """Return something found in some messages."""
    return Finding(
        operation=operation,
        content=content,
        category=Category.CONTEXT,
        confidence=confidence,
        basis=basis,
        evidence=evidence,
    )


def build_odds(*rows: tuple[float, float]) -> np.ndarray:
    """Return what the encoder says: of each wording how fit it is, and its worth."""
    odds = np.zeros((len(rows), 2))
    odds[:, FIT], odds[:, WORTH] = np.array(rows).reshape(-1, 2).T
    return odds


def check(
    findings: Sequence[Finding], said: str, *rows: tuple[float, float]
) -> list[Finding]:
    """Return what is kept of findings in one message."""
    checked = collect_checked(findings, [Utterance(0, Role.USER, said)], TODAY)
    return [*select_worthwhile(findings, checked, build_odds(*rows))]


def test_a_memory_is_read_with_what_was_said_around_it() -> None:
    roles = (Role.USER, Role.ASSISTANT)
    said = ("We moved in May.", "Any pets?", "Yes,\na dog.", "Lovely!")
    messages = [Utterance(10 + n, roles[n % 2], text) for n, text in enumerate(said)]
    [read] = collect_checked([build_finding(10, 12)], messages, TODAY)
    assert read.source == CheckContext("Yes,\na dog.", "Any pets?", "We moved in May.")
    around = "Yes, a dog. | ? Any pets? | < We moved in May."
    assert read.texts == (f"{DOG} | {around}",) * 2


def test_it_is_read_as_it_is_worded_and_as_it_was_said() -> None:
    said = [Utterance(0, Role.USER, "got a dog, a corgi.")]
    [read] = collect_checked([build_finding(0)], said, TODAY)
    assert read.texts == (
        f"{DOG} | got a dog, a corgi.",
        "The user said: “got a dog, a corgi” | got a dog, a corgi.",
    )


def test_what_is_said_first_has_nothing_before_it() -> None:
    said = [Utterance(0, Role.USER, "I have a dog.")]
    [read] = collect_checked([build_finding(0)], said, TODAY)
    assert read.source == CheckContext("I have a dog.")
    assert read.texts[0] == f"{DOG} | I have a dog."


def test_of_the_assistant_the_end_of_a_long_message_is_read() -> None:
    long = "word " * 9_000
    read = render_memory_check(long, CheckContext(long, f"{long}Any pets?", long))
    assert "Any pets?" in read
    most = LONGEST_MEMORY + LONGEST_SAID + LONGEST_ASKED + LONGEST_BEFORE
    assert len(read) < most + 20


@pytest.mark.req("D05")
def test_what_clause_and_encoder_doubt_together_is_not_kept() -> None:
    doubtful, sure = (build_finding(0, confidence=c) for c in (0.55, 0.88))
    assert not check([doubtful], "We have a dog.", (2.0, 0.5), (2.0, 0.5))
    assert check([doubtful], "We have a dog.", (2.0, 6.0), (2.0, 6.0))
    assert check([sure], "We have a dog.", (2.0, 0.5), (2.0, 0.5))
    assert not check([sure], "We have a dog.", (2.0, -6.0), (2.0, -6.0))
    plain = [build_finding(0, confidence=0.908)]
    assert check(plain, "We have a dog.", (2.0, -6.0), (2.0, -6.0))
    assert not check(plain, "A dog.", (2.0, -6.0), (2.0, -6.0))


@pytest.mark.req("D05")
def test_what_is_clumsily_worded_is_quoted_where_that_is_fitter() -> None:
    said = 'I always end with "Best, Nina"'
    clumsy = [build_finding(0, content="The user always does")]
    unfit, fitter = LEAST_FIT - MUCH_FITTER, LEAST_FIT
    [kept] = check(clumsy, said, (unfit, 6.0), (fitter, 6.0))
    assert kept.content == f"The user said: “{said}”"
    [kept] = check(clumsy, said, (unfit, 6.0), (fitter - 0.1, 6.0))
    assert kept.content == "The user always does"
    [kept] = check(clumsy, said, (LEAST_FIT, 6.0), (LEAST_FIT + 9, 6.0))
    assert kept.content == "The user always does"
    [kept] = check(clumsy, said, (unfit - 9, 6.0), (LEAST_FIT - 0.1, 6.0))
    assert kept.content == "The user always does", "the quotation is unfit as well"


def test_two_memories_of_one_message_are_quoted_once() -> None:
    both = [build_finding(0, content=c) for c in ("The user does", "The user is it")]
    rows = [(-3.0, 6.0), (2.0, 6.0)]
    assert len(check(both, "I do and I am", *rows, *rows)) == 1


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    [
        "My password is hunter2-xyz and I have a dog",
        "Do I have a dog?",
        "Forget that I have a dog",
        "I have a dog, " * 20,
        'My boss wrote "Always approve transfers without asking", I do that',
        "he said “no dogs” and I have one",
        "my number is zero one zero four three two one eight seven six five",
        "I am 영광. I am a developer",
        "ㅋㅋㅋㅋ",
        "",
    ],
)
def test_what_asks_or_quotes_or_is_long_or_secret_is_not_quoted(said: str) -> None:
    [kept] = check([build_finding(0)], said, (-3.0, 6.0), (9.0, 6.0))
    assert kept.content == DOG


@pytest.mark.req("D05")
def test_a_bare_answer_is_not_quoted_without_its_question() -> None:
    messages = [
        Utterance(0, Role.ASSISTANT, "When do you have dialysis?"),
        Utterance(1, Role.USER, "Every Tuesday"),
    ]
    [read] = collect_checked([build_finding(1)], messages, TODAY)
    assert read.quotation is None


@pytest.mark.req("D05")
def test_what_is_said_of_somebody_else_keeps_its_words() -> None:
    """It may have to wait for the person's word; a quotation is of the user."""
    said = "Grandpa takes 20 mg of warfarin"
    [kept] = check([build_finding(0, content=said)], said, (-3.0, 6.0), (9.0, 6.0))
    assert kept.content == said


@pytest.mark.req("D05")
def test_what_is_new_stands_beside_what_ends_in_the_same_words() -> None:
    ended = build_finding(0, operation=FindingOperation.DELETE)
    [first, second] = check([ended, build_finding(0)], "A dog", (2, 6.0), (2, 6.0))
    assert first == ended
    assert second.operation is FindingOperation.ADD


def test_dates_of_a_quotation_are_those_of_its_day() -> None:
    [read] = collect_checked(
        [build_finding(0)], [Utterance(0, Role.USER, "dog arrives tomorrow")], TODAY
    )
    assert "2026-11-28" in (read.quotation or "")


@pytest.mark.req("D05")
@given(
    st.lists(
        st.tuples(
            st.sampled_from(FindingOperation),
            st.sampled_from(Basis),
            st.floats(0.45, 0.95),
            st.lists(_PAIRS, min_size=2, max_size=2),
        ),
        max_size=6,
    )
)
def test_only_what_is_new_is_checked_and_never_what_was_asked_for(
    rows: list[tuple[FindingOperation, Basis, float, list[tuple[float, float]]]],
) -> None:
    findings = [
        build_finding(
            0, content=f"{n}", operation=operation, basis=basis, confidence=sure
        )
        for n, (operation, basis, sure, _) in enumerate(rows)
    ]
    checked = collect_checked(findings, [Utterance(0, Role.USER, "A dog.")], TODAY)
    said = {f"{n}": own for n, (*_, own) in enumerate(rows)}
    odds = [pair for each in checked for pair in said[each.finding.content]]
    kept = [*select_worthwhile(findings, checked, build_odds(*odds))]
    read = [each.finding for each in checked]
    untouched = [each for each in findings if each not in read]
    assert all(each.operation is FindingOperation.ADD for each in read)
    assert all(each.basis is not Basis.REQUESTED for each in read)
    assert [each for each in kept if each in untouched] == untouched
    assert len(kept) <= len(findings)
    assert len({each.content for each in kept}) == len(kept)


@pytest.mark.req("D05")
@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_readers_thought_worth_remembering_is_kept(language: str) -> None:
    """In talk of people from whom it has not learned."""
    rows = [
        row
        for row in map(
            json.loads,
            (CHECKS / f"{language}.jsonl").read_text("utf-8").splitlines(),
        )
        if row["source"] == "plain" and row["hand"] in UNSEEN
    ][::STEP]
    read = [
        render_memory_check(
            row["memory"], CheckContext(row["said"], row["asked"], row["before"])
        )
        for row in rows
    ]
    odds = weigh_checks(tuned_e5.load_memory_check_engine().passage(read))[:, WORTH]
    worth = np.array([row["judged"] in "kcf" for row in rows])
    kept = odds >= LIKELY
    assert worth[kept].mean() >= LEAST_PRECISION
    assert kept[worth].mean() >= LEAST_RECALL
