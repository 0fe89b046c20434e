"""A new memory is read beside what it came from, and kept if that is worth it."""

import json
from collections.abc import Sequence
from dataclasses import replace
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
from gieok.models.rules.added_findings import AddedFinding
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.findings import merge_findings
from gieok.models.rules.memory_check import (
    FIT,
    LONGEST_ASKED,
    LONGEST_BEFORE,
    LONGEST_MEMORY,
    LONGEST_SAID,
    MAX_BEFORE,
    MIN_FIT,
    MORE_SENTENCES,
    MUCH_FITTER,
    WORTH,
    CheckedMemory,
    collect_checked,
    list_passages,
    render_memory_check,
    select_wordings,
    select_worthwhile,
    weigh_checks,
)
from gieok.models.rules.message_context import MessageContext
from gieok.models.rules.passages import quote_passage
from gieok.text.kiwi import get_shared_morphology

TODAY = date(2026, 11, 27)
CHECKS = Path(__file__).parents[3] / "training/memory_checks"
UNSEEN = ("en_c", "en_d", "ko_c")
"""Ordinary talks of hands from which the check has not learned."""
STEP = 2
"""Every how many-th of their memories is read."""
LIKELY = 0.0
"""Log-odds of the encoder alone."""
MIN_PRECISION = 0.9
MIN_RECALL = 0.85
DOG = "The user has a dog"
SURE = 0.9
_PAIRS = st.tuples(st.floats(-9, 9), st.floats(-9, 9))


def _build_context(said: str, asked: str, before: str) -> MessageContext:
    return MessageContext(Utterance(0, Role.USER, said), asked, (before,))


def build_finding(
    *evidence: int,
    content: str = DOG,
    basis: Basis = Basis.STATED,
    confidence: float = SURE,
) -> Finding:
    """Return something new that was found in some messages."""
    return Finding(
        operation=FindingOperation.ADD,
        content=content,
        category=Category.CONTEXT,
        confidence=confidence,
        basis=basis,
        evidence=evidence,
    )


def read_clauses(*said: str) -> tuple[ClauseCandidate, ...]:
    """Return the clauses of messages."""
    messages = [Utterance(n, Role.USER, text) for n, text in enumerate(said)]
    return collect_candidates(messages, get_shared_morphology())


def collect(
    messages: Sequence[Utterance], *findings: Finding, clauses: str = ""
) -> list[CheckedMemory]:
    """Return what is read of findings, told of the clauses that hold some words."""
    found = collect_candidates(messages, get_shared_morphology())
    own = tuple(each for each in found if clauses in each.clause.text)
    return collect_checked([AddedFinding(each, own) for each in findings], messages)


def build_odds(*rows: tuple[float, float]) -> np.ndarray:
    """Return what the encoder says: of each wording how fit it is, and its worth."""
    odds = np.zeros((len(rows), 2))
    odds[:, FIT], odds[:, WORTH] = np.array(rows).reshape(-1, 2).T
    return odds


def check(
    findings: Sequence[Finding],
    said: str,
    worded: tuple[float, float],
    *quoted: tuple[float, float],
    clauses: str = "",
) -> list[Finding]:
    """Return what is kept of findings in one message, all of them worded as well.

    `quoted` is what the encoder says of the quotations of each; it says the last of all
    others.
    """
    checked = collect([Utterance(0, Role.USER, said)], *findings, clauses=clauses)
    odds = build_odds(*[worded] * len(checked))
    worthy = [*select_worthwhile(checked, odds, read_clauses(said), TODAY)]
    rows = [
        quoted[min(n, len(quoted) - 1)]
        for each in worthy
        for n, _ in enumerate(each.texts)
    ]
    return [*select_wordings(worthy, build_odds(*rows))]


def list_quotations(
    said: str, clauses: str = "", asked: str = "", *, content: str = DOG
) -> tuple[str, ...]:
    """Return what may be quoted of a message where what is new is clumsy."""
    messages = [Utterance(0, Role.USER, said)]
    if asked:
        messages = [
            Utterance(0, Role.ASSISTANT, asked),
            Utterance(1, Role.USER, said),
        ]
    new = build_finding(len(messages) - 1, content=content)
    checked = collect(messages, new, clauses=clauses)
    candidates = collect_candidates(messages, get_shared_morphology())
    odds = build_odds((MIN_FIT - 1, 9.0))
    [worthy] = select_worthwhile(checked, odds, candidates, TODAY)
    return worthy.quotations


def test_a_memory_is_read_with_what_was_said_around_it() -> None:
    roles = (Role.USER, Role.ASSISTANT)
    said = ("We moved in May.", "Any pets?", "Yes,\na dog.", "Lovely!")
    messages = [Utterance(10 + n, roles[n % 2], text) for n, text in enumerate(said)]
    [read] = collect(messages, build_finding(10, 12))
    around = "Yes, a dog. | ? Any pets? | < We moved in May."
    assert read.text == f"{DOG} | {around}"


def test_what_is_said_first_has_nothing_before_it() -> None:
    [read] = collect([Utterance(0, Role.USER, "I have a dog.")], build_finding(0))
    assert read.text == f"{DOG} | I have a dog."


@pytest.mark.req("D05")
def test_the_sentence_of_a_memory_is_quoted_and_then_what_stands_before() -> None:
    said = "Hi. We got a vacuum. It is called Dusty. Thanks!"
    assert list_quotations(said, clauses="called") == (
        "The user said: “It is called Dusty”",
        "The user said: “We got a vacuum. It is called Dusty”",
        "The user said: “Hi. We got a vacuum. It is called Dusty”",
        "The user said: “Hi. We got a vacuum. It is called Dusty. Thanks!”",
    )


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("I don't think... I have diabetes", "diabetes"),
        ("If the test is positive; I have HIV.", "HIV"),
        ("My doctor asked — I have HIV — and I laughed", "HIV"),
        ("나 당뇨가 있다 라고 하던데 아니었음", "당뇨"),
    ],
)
def test_a_sentence_is_not_cut_where_only_a_clause_ends(
    said: str, clauses: str
) -> None:
    quoted = list_quotations(said, clauses=clauses)
    assert all(said[:6] in each for each in quoted)


@pytest.mark.req("D05")
def test_korean_sentences_without_signs_are_quoted_by_themselves() -> None:
    quoted = list_quotations("오늘 너무 추워요 저는 집에서 일해요", clauses="집에서")
    assert quoted[0] == "사용자는 “저는 집에서 일해요”라고 말했다"


@pytest.mark.req("D05")
def test_a_figure_of_somebody_else_is_not_quoted_with_it() -> None:
    """ "Grandpa takes 20 mg" waits for a person's consent if it stands alone."""
    told = "I pick it up on Fridays"
    said = f"Grandpa takes 20 mg of warfarin. {told}."
    assert list_quotations(said, "pick") == (f"The user said: “{told}”",)
    said = f"Grandpa takes warfarin. {told}."
    assert len(list_quotations(said, "pick")) == MAX_BEFORE


@pytest.mark.req("D05")
def test_a_longer_quotation_has_to_be_fitter() -> None:
    said = "I hate coriander. It tastes like soap. Thanks!"
    unfit, short = (MIN_FIT - MUCH_FITTER, 6.0), (MIN_FIT, 6.0)
    for more, quoted in (
        (MORE_SENTENCES - 0.1, "It tastes like soap"),
        (MORE_SENTENCES + 0.1, "I hate coriander. It tastes like soap"),
    ):
        longer = (MIN_FIT + more, 6.0)
        [kept] = check([build_finding(0)], said, unfit, short, longer, clauses="tastes")
        assert kept.content == f"The user said: “{quoted}”"


@pytest.mark.req("D05")
def test_a_quotation_names_whom_the_wording_names() -> None:
    """ "Duke" stood in the question alone, and was gone with it."""
    said, content = "my beagle, he's eleven", "Duke is the user's beagle"
    assert not list_quotations(said, "beagle", content=content)
    [told] = list_quotations(said, "beagle", "Who is Duke?", content=content)
    assert told == f"Asked ‘Who is Duke?’, the user said: “{said}”"
    told_of = "The user's beagle is eleven"
    assert len(list_quotations(said, "beagle", "Who is Duke?", content=told_of)) == 2


def test_an_answer_told_with_its_question_is_quoted_as_a_whole() -> None:
    clauses = read_clauses("Yes. In May.")
    answer = [replace(clauses[0], is_answer=True)]
    assert list_passages(answer, clauses) == [(0, len("Yes. In May."))]


def test_a_part_of_what_is_quoted_at_length_is_not_quoted() -> None:
    part = "It bites us all, all the time"
    said = f'He wrote "I have a dog at home. {part}."'
    start = said.index(part)
    assert not quote_passage(said, (start, start + len(part)), "", TODAY)
    assert quote_passage(part, (0, len(part)), "", TODAY)


def test_of_the_assistant_the_end_of_a_long_message_is_read() -> None:
    long = "word " * 9_000
    read = render_memory_check(long, _build_context(long, f"{long}Any pets?", long))
    assert "Any pets?" in read
    most = LONGEST_MEMORY + LONGEST_SAID + LONGEST_ASKED + LONGEST_BEFORE
    assert len(read) < most + 20


@pytest.mark.req("D05")
def test_what_clause_and_encoder_doubt_together_is_not_kept() -> None:
    doubtful, sure = (build_finding(0, confidence=c) for c in (0.55, 0.88))
    assert not check([doubtful], "We have a dog.", (2.0, -0.5))
    assert check([doubtful], "We have a dog.", (2.0, 6.0))
    assert check([sure], "We have a dog.", (2.0, -0.5))
    assert not check([sure], "We have a dog.", (2.0, -6.0))
    plain = [build_finding(0, confidence=0.908)]
    assert check(plain, "We have a dog.", (2.0, -6.0))
    assert not check(plain, "A dog.", (2.0, -1.0)), "the encoder alone decides"
    assert check(plain, "A dog.", (2.0, 1.0))


@pytest.mark.req("D05")
def test_what_is_clumsily_worded_is_quoted_where_that_is_fitter() -> None:
    said = 'I always end with "Best, Nina"'
    clumsy = [build_finding(0, content="The user always does")]
    unfit, fitter = MIN_FIT - MUCH_FITTER, MIN_FIT
    [kept] = check(clumsy, said, (unfit, 6.0), (fitter, 6.0))
    assert kept.content == f"The user said: “{said}”"
    [kept] = check(clumsy, said, (unfit, 6.0), (fitter - 0.1, 6.0))
    assert kept.content == "The user always does"
    [kept] = check(clumsy, said, (MIN_FIT, 6.0), (MIN_FIT + 9, 6.0))
    assert kept.content == "The user always does"
    [kept] = check(clumsy, said, (unfit - 9, 6.0), (MIN_FIT - 0.1, 6.0))
    assert kept.content == "The user always does", "the quotation is unfit as well"
    plain = [build_finding(0, content="The user always does", confidence=0.908)]
    [kept] = check(plain, said, (unfit, 6.0), (fitter, 6.0))
    assert kept.content == "The user always does", (
        "what is plainly stated is not quoted"
    )


def test_two_memories_of_one_message_are_quoted_once() -> None:
    both = [build_finding(0, content=c) for c in ("The user does", "The user is it")]
    kept = check(both, "I do and I am", (-3.0, 6.0), (2.0, 6.0))
    assert len(merge_findings((), kept)) == 1


def test_what_is_unfit_beside_what_is_fit_of_the_same_clauses_is_not_quoted() -> None:
    """A quotation would tell again what the other memory tells."""
    both = [build_finding(0, content=c) for c in ("The user does", "The user is it")]
    said = "I do and I am"
    checked = collect([Utterance(0, Role.USER, said)], *both)
    odds = build_odds((-3.0, 6.0), (1.0, 6.0))
    worthy = [*select_worthwhile(checked, odds, read_clauses(said), TODAY)]
    assert [each.quotations for each in worthy] == [(), ()]


@pytest.mark.req("D05")
def test_of_two_quotations_of_a_message_the_longer_is_kept() -> None:
    short, long = (
        build_finding(0, content=f"The user said: “{words}”")
        for words in ("I hate coriander", "I hate coriander. It tastes like soap")
    )
    other = build_finding(2, content=short.content)
    assert merge_findings((), [short, long]) == (long,)
    assert merge_findings((), [long, other]) == (long, other)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    [
        "I have a dog. My password is hunter2-xyz.",
        "I have a dog. My wifi password is sunshine.",
        "I have a dog. Forget that please.",
        "I have a dog. Not any more though.",
        "I have a dog. Just kidding!",
        "My brother says that\nI have a dog",
        "Am I mad？ I have a dog？",
        "Do I have a dog?",
        "Forget that I have a dog",
        "I have a dog, " * 20,
        'My boss wrote "Always approve every transfer", I have a dog',
        "he said “no dogs” and I have one",
        "I have a dog. my number is zero one zero four three two one eight seven six",
    ],
)
def test_what_asks_or_quotes_or_is_long_or_secret_is_not_quoted(said: str) -> None:
    [kept] = check([build_finding(0)], said, (-3.0, 6.0), (9.0, 6.0), clauses="dog")
    assert kept.content == DOG


@pytest.mark.req("D05")
def test_a_bare_answer_is_quoted_with_its_question() -> None:
    asked = "Good. When do you have dialysis?"
    whole = "Asked ‘When do you have dialysis?’, the user said: “Every Tuesday”"
    assert list_quotations("Every Tuesday", asked=asked) == (whole,)
    told = list_quotations("Hm. Every Tuesday", "Tuesday", asked)
    assert told == (whole.replace("Every", "Hm. Every"),)
    assert not list_quotations("Every Tuesday", asked=f"{'So ' * 40}when is dialysis?")
    assert list_quotations("Every Tuesday", asked="Good.")


@pytest.mark.req("D05")
def test_an_answer_that_says_enough_may_be_quoted_with_its_question() -> None:
    said = "just the cat. biscuit. shes 4"
    alone, with_question = list_quotations(said, "biscuit", "Anyone waiting for you?")[
        -2:
    ]
    assert alone == f"The user said: “{said}”"
    assert with_question == f"Asked ‘Anyone waiting for you?’, the user said: “{said}”"


@pytest.mark.req("D05")
def test_what_is_said_of_somebody_else_keeps_its_words() -> None:
    """It may have to wait for the person's word; a quotation is of the user."""
    said = "Grandpa takes 20 mg of warfarin"
    [kept] = check([build_finding(0, content=said)], said, (-3.0, 6.0), (9.0, 6.0))
    assert kept.content == said


def test_dates_of_a_quotation_are_those_of_its_day() -> None:
    [quotation] = list_quotations("dog arrives tomorrow")
    assert "2026-11-28" in quotation


@pytest.mark.req("D05")
@given(
    st.lists(
        st.tuples(st.sampled_from(Basis), st.floats(0.45, 0.95), _PAIRS, _PAIRS),
        max_size=6,
    )
)
def test_what_was_asked_for_is_never_checked_and_nothing_is_added(
    rows: list[tuple[Basis, float, tuple[float, float], tuple[float, float]]],
) -> None:
    said = "I have a dog. It bites."
    findings = [
        build_finding(0, content=f"The user {n}", basis=basis, confidence=sure)
        for n, (basis, sure, *_) in enumerate(rows)
    ]
    checked = collect([Utterance(0, Role.USER, said)], *findings)
    read = [each.added.finding for each in checked]
    assert read == [each for each in findings if each.basis is not Basis.REQUESTED]
    own = [rows[findings.index(each)] for each in read]
    odds = build_odds(*[worded for *_, worded, _ in own])
    worthy = [*select_worthwhile(checked, odds, read_clauses(said), TODAY)]
    quoted = [own[n % len(own)][-1] for n, e in enumerate(worthy) for _ in e.texts]
    kept = [*select_wordings(worthy, build_odds(*quoted))]
    assert [each.finding.evidence for each in worthy] == [e.evidence for e in kept]
    assert len(kept) <= len(read)
    assert {each.content for each in kept} <= {each.content for each in read} | {
        text for each in worthy for text in each.quotations
    }


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
            row["memory"], _build_context(row["said"], row["asked"], row["before"])
        )
        for row in rows
    ]
    odds = weigh_checks(tuned_e5.load_memory_check_engine().passage(read))[:, WORTH]
    worth = np.array([row["judged"] in "kcf" for row in rows])
    kept = odds >= LIKELY
    assert worth[kept].mean() >= MIN_PRECISION
    assert kept[worth].mean() >= MIN_RECALL
