"""Statements that plainly say something lasting of the user.

The judges learned from natural, guarded talk, where hardly anyone says just "I live
in Leeds"; they doubt what is said outright. That a clause states it plainly, without a
frame or a doubt against it, or stands beside an explicit "remember this", is evidence
that `worth` weighs with theirs.
"""

from itertools import pairwise
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clauses import Clause
from gieok.models.rules.english import retelling as english
from gieok.models.rules.english.openings import trim_closers
from gieok.models.rules.flags import FRAMES, REQUESTS, collect_words
from gieok.models.rules.kinds import UNABLE_KO
from gieok.models.rules.korean import retelling as korean
from gieok.models.rules.korean.vocabulary import OCCUPATIONS
from gieok.models.rules.lexicon import KIN_KO, REMEMBER, find_plain_wish
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

SHORTEST_WISH: Final = 6  # characters beside the words "remember this"
LONGEST: Final = 60  # characters of a statement that is still plain

_NOT_OWN: Final = ("hearsay", "echo", *FRAMES)
_NOT_STATED: Final = (
    *("question_mark", "question_english", "condition", "forget", "denial"),
    *_NOT_OWN,
)
"""Against a plain statement; a request or a Korean question may hold one."""
_DOUBTS: Final = (
    *("question_korean", "wh_word", "others", "you", "laugh", "question_beside"),
    "future",
)
_MARKS: Final = ("is_residing", "is_liking", "is_unable", "is_regular")
_STATES_KO: Final = _LISTS.get_words("plain.states_ko")
_NAMED_KO: Final = _LISTS.get_words("plain.named_ko")
_ENDINGS: Final = _LISTS.get_words("plain.endings")
_CONSUMED: Final = _LISTS.get_words("plain.consumed")
_IDLE: Final = _LISTS.get_words("plain.idle")
_STATES_EN: Final = _LISTS.compile_list("plain.states_en")
_FLEETING: Final = _LISTS.compile_list("plain.fleeting")
_NEW_OCCUPATION_EN: Final = _LISTS.compile_list("plain.new_occupation_en")
_SAID_AGAIN: Final = _LISTS.compile_list("plain.said_again")
_FOR_ONCE: Final = _LISTS.compile_list("plain.for_once")
_OTHERS_SUBJECT: Final = ("JKS", "JX")


def is_remember_request(candidate: ClauseCandidate) -> bool:
    """Tell whether the user asked in this message that this be remembered."""
    if candidate.has_flag(*_NOT_STATED) or not candidate.flags["remember_beside"]:
        return False
    rest = REMEMBER.sub("", candidate.clause.text).strip(" ,.!:~")
    return len(rest) >= SHORTEST_WISH


def is_fleeting(candidate: ClauseCandidate) -> bool:
    """Tell whether it is over soon: an order for once, or a joke that is taken back."""
    ordered = candidate.has_flag(*REQUESTS, "is_device_order")
    once = ordered and _FOR_ONCE.search(candidate.clause.text) is not None
    return once or bool(candidate.flags["taken_back"])


def is_repetition(candidate: ClauseCandidate) -> bool:
    """Tell whether it says that it was said before."""
    return _SAID_AGAIN.search(candidate.clause.text) is not None


def is_meant(candidate: ClauseCandidate) -> bool:
    """Tell whether the user speaks for themselves: no role, story, drill or hearsay."""
    return not candidate.has_flag(*_NOT_OWN)


def is_plain_wish(candidate: ClauseCandidate) -> bool:
    """Tell whether a clause plainly asks that something be forgotten."""
    if find_plain_wish(candidate.clause.text) is None:
        return False
    return is_meant(candidate)


def _is_korean_statement(candidate: ClauseCandidate) -> bool:
    """Tell whether a Korean clause plainly states something of the user."""
    clause = candidate.clause
    morphemes = tuple(
        m._replace(start=m.start - clause.start) for m in clause.morphemes
    )
    if not _has_plain_ending(clause) or (
        korean.to_third_person(clause.written, morphemes, KIN_KO) is None
    ):
        return False
    mine = bool(candidate.flags["me"])
    if not mine and _has_foreign_subject(clause):
        return False
    if candidate.flags["is_unable"] and not candidate.flags["is_liking"]:
        return mine or collect_words(clause).has_korean(_CONSUMED | UNABLE_KO)
    if candidate.flags["is_regular"] and not mine:
        return not any(m.tag == "JKS" for m in clause.morphemes)
    return candidate.has_flag(*_MARKS) or _is_self_description(candidate, mine=mine)


def _is_self_description(candidate: ClauseCandidate, *, mine: bool) -> bool:
    """Tell whether it says what the user is, does, is called, or has for a family."""
    clause = candidate.clause
    if not _STATES_KO.isdisjoint(_collect_predicates(clause)) or _is_noun_statement(
        clause, mine=mine
    ):
        return True
    head = clause.morphemes[: 3 if mine else 2]
    named = any(m.form in _NAMED_KO for m in head)
    kin = any(m.form in KIN_KO for m in head)
    forms = {m.form for m in clause.morphemes}
    return (named and bool(candidate.flags["copula"])) or (
        kin and bool({"있", "이"} & forms) and not candidate.flags["acquaintance"]
    )


def _collect_predicates(clause: Clause) -> set[str]:
    """Return the forms of a clause, "일" and "하" also as one word."""
    forms = {m.form for m in clause.morphemes}
    pairs = pairwise(clause.morphemes)
    return forms | {one.form + two.form for one, two in pairs if two.tag == "XSV"}


def _is_passing(candidate: ClauseCandidate) -> bool:
    """Tell whether it is of the moment or over; moves and "배우고 있다" are not."""
    last = candidate.clause.morphemes
    ongoing = any(m.form == "있" and m.tag == "VX" for m in last)
    is_new = _NEW_OCCUPATION_EN.search(candidate.clause.text) is not None
    passing = candidate.flags["passing"] and not ongoing and not is_new
    return (
        bool(passing or candidate.flags["past"])
        and not (candidate.flags["is_residing"])
    )


def _is_noun_statement(clause: Clause, *, mine: bool) -> bool:
    """Tell whether the user says to be something ("나 간호사야")."""
    nominal = [
        before
        for before, after in pairwise(clause.morphemes)
        if after.tag == "VCP" or (after.form == "야" and before.tag != "VCP")
    ][-1:]
    return (mine or _is_new_occupation(clause)) and any(
        m.tag in ("NNG", "NNP", "XSN") and m.form not in _IDLE for m in nominal
    )


def _is_new_occupation(clause: Clause) -> bool:
    """Tell whether it says what somebody is by now, of nobody else: "이제 기획자야"."""
    opening, *rest = clause.morphemes
    return (
        opening.form == "이제"
        and not any(m.tag in _OTHERS_SUBJECT for m in rest)
        and any(m.form in OCCUPATIONS for m in rest)
    )


def _has_plain_ending(clause: Clause) -> bool:
    """Tell whether it ends as a statement, not as a reason, guess or wish."""
    endings = [m for m in clause.morphemes if m.tag in ("EF", "EC")][-1:]
    unsure = any(
        (m.form == "겠" and m.tag == "EP") or (m.form == "보" and m.tag == "VX")
        for m in clause.morphemes
    )
    return not unsure and any(m.tag == "EF" or m.form in _ENDINGS for m in endings)


def _has_foreign_subject(clause: Clause) -> bool:
    """Tell whether a name or pronoun that is not the user's is the subject."""
    return any(
        one.tag in ("NNP", "NP", "MM") and other.tag in _OTHERS_SUBJECT
        for one, other in pairwise(clause.morphemes)
    )


def _is_english_statement(clause: Clause) -> bool:
    """Tell whether an English clause plainly states something of the user."""
    text = trim_closers(english.trim_opening(clause.text))
    if english.to_third_person(text) is None or _FLEETING.search(text):
        return False
    return _STATES_EN.search(text) is not None


def _is_permanent_order(candidate: ClauseCandidate) -> bool:
    """Tell whether it orders, once and for all, how a device or an answer should be."""
    wanted = candidate.has_flag("is_device_order", "is_answers_order")
    return bool(candidate.flags["standing"]) and wanted


def _is_statement(candidate: ClauseCandidate) -> bool:
    """Tell whether it states something lasting in either language."""
    text = trim_closers(english.trim_opening(candidate.clause.text))
    own = english.to_third_person(text) is not None or text[:3].lower() == "we "
    marked = own and candidate.has_flag(*_MARKS)
    if candidate.flags["english"] and (
        marked or _is_english_statement(candidate.clause)
    ):
        return _FLEETING.search(text) is None
    return bool(candidate.flags["korean"]) and _is_korean_statement(candidate)


def is_plain(candidate: ClauseCandidate) -> bool:
    """Tell whether the clause plainly states something lasting about the user."""
    if candidate.has_flag(*_NOT_STATED) or len(candidate.clause.text) > LONGEST:
        return False
    if candidate.has_flag(*REQUESTS):
        return _is_permanent_order(candidate)
    doubted = candidate.has_flag(*_DOUBTS) or _is_passing(candidate)
    if candidate.flags["acquaintance"] and not (
        candidate.flags["kin"] and not candidate.flags["korean"]
    ):
        return False
    return not doubted and _is_statement(candidate)
