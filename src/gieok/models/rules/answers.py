"""Takes a question and its short answer as one statement of the user's own.

"노래교실은 잘 다니고 계세요?" – "네" says what neither says alone. The clause that
answers is replaced by the statement, so everything after judges, relates and words that
statement as if the user had said it in full. Whether such a pair tells anything lasting
(and is no quiz, offer, suggestion, dodge or question of the moment) is learned from
`training/answers.jsonl`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gieok.models.rules.candidates import (
    ClauseCandidate,
    detect_own_flags,
)
from gieok.models.rules.clauses import Clause
from gieok.models.rules.english.answers import render_english_answer
from gieok.models.rules.english.short_answers import read_short_answer
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.korean.answers import render_korean_answer
from gieok.models.rules.lexicon import LAUGH
from gieok.models.rules.linear import LinearModel, Numbers, compute_probability
from gieok.models.rules.question_subjects import (
    name_honoured,
    name_question_subject,
)
from gieok.models.rules.questions import extract_question
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

LONGEST_ANSWER: Final = 40
"""Characters of an answer that may lean on its question."""
ENOUGH: Final = 0.6
"""Probability from which a pair tells something lasting."""
DOUBTED: Final = 0.3
"""Probability below which it tells nothing; between the two it is judged as any."""
SURE: Final = 1.0
"""Log-odds at least of what such a pair tells: a confidence of .82."""

_BARE: Final = _LISTS.compile_list("bare")
_COMPLETE: Final = _LISTS.compile_list("complete")


def render_answer(
    asked: str, said: str, morphology: Morphology, before: Sequence[str] = ()
) -> str | None:
    """Return what an answer says together with its question, in the first person.

    `before` is what the user said before the question, the nearest first: it may be
    about somebody spoken of there. Nothing if the answer says it alone, or the question
    cannot be turned about.
    """
    question = name_question_subject(extract_question(asked), before, morphology)
    answer = " ".join(said.split())
    if not question or not answer or len(answer) > LONGEST_ANSWER or "?" in answer:
        return None
    complete = _COMPLETE.search(answer.lower()) and not read_short_answer(answer)
    if complete or not LAUGH.sub("", answer).strip(" .,!~"):
        return None
    if has_hangul(question):
        return render_korean_answer(question, answer, morphology)
    return render_english_answer(question, answer)


def merge_answers(
    candidates: Sequence[ClauseCandidate], morphology: Morphology
) -> tuple[ClauseCandidate, ...]:
    """Return the clauses, those that answer a question with it as one statement."""
    found: list[ClauseCandidate] = []
    skipped: Clause | None = None
    turns = list({each.turn.index: each.turn.text for each in candidates}.items())
    for number, candidate in enumerate(candidates):
        if candidate.clause is skipped:
            continue
        following = candidates[number + 1 : number + 2]
        rest = following[0].clause if following else None
        if candidate.clause.start:
            found.append(candidate)
            continue
        before = [text for at, text in turns if at < candidate.turn.index][::-1]
        if named := name_honoured(
            candidate.clause.text, candidate.turn.asked, before, morphology
        ):
            found.append(_replace_words(candidate, named, morphology))
            continue
        if not candidate.flags["answers"]:
            found.append(candidate)
            continue
        stated, used = _merge_with_rest(candidate, rest, before, morphology)
        skipped = rest if used else None
        found.append(stated)
    return tuple(found)


def _merge_with_rest(
    candidate: ClauseCandidate,
    rest: Clause | None,
    before: Sequence[str],
    morphology: Morphology,
) -> tuple[ClauseCandidate, bool]:
    """Return the statement, and whether the clause behind a bare yes or no is in it."""
    clause, asked = candidate.clause, candidate.turn.asked
    bare = _BARE.match(clause.text.lower()) is not None
    beside = rest if rest and rest.message == clause.message else None
    if bare and beside:
        joined = f"{clause.text.rstrip(' .!~,')}, {beside.text}"
        said = render_answer(asked, joined, morphology, before)
        if said:
            return _replace_words(candidate, said, morphology), True
    said = render_answer(asked, clause.text, morphology, before)
    return (_replace_words(candidate, said, morphology) if said else candidate), False


def _replace_words(
    candidate: ClauseCandidate, said: str, morphology: Morphology
) -> ClauseCandidate:
    """Return a candidate that says something else, in the place where it stood."""
    clause = candidate.clause
    morphemes = tuple(
        m._replace(start=m.start + clause.start) for m in morphology.analyze(said)
    )
    stated = replace(clause, text=said, written=said, morphemes=morphemes)
    flags = {**candidate.flags, **detect_own_flags(stated)}
    return replace(candidate, clause=stated, flags=flags, topic="", is_answer=True)


def build_answer_features(evidence: ClauseEvidence) -> Numbers:
    """Return what tells whether a pair is a fact: its words, and its statement."""
    return np.hstack([evidence.contexts, evidence.clauses]).astype(np.float64)


def weigh_answers(
    evidence: ClauseEvidence, worth: Numbers, model: LinearModel
) -> Numbers:
    """Return the log-odds of the clauses, those of answers by what was learned of them.

    A pair that tells nothing lasting is never told, one that does in any case; what is
    neither is told if it would be, had the user said it in full. So is what nobody had
    asked (see `name_honoured`).
    """
    answers = np.array(
        [
            c.is_answer and bool(extract_question(c.turn.asked))
            for c in evidence.candidates
        ]
    )
    if not answers.any():
        return worth
    chances = compute_probability(
        model.compute_logits(build_answer_features(evidence))[:, 0]
    )
    judged = np.where(chances >= ENOUGH, np.maximum(worth, SURE), worth)
    judged = np.where(chances < DOUBTED, -np.inf, judged)
    framed = np.array(
        [c.turn.frame.roleplay or c.turn.frame.drill for c in evidence.candidates]
    )
    return np.where(answers, np.where(framed, -np.inf, judged), worth)
