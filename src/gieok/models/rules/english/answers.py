"""States an English question and its short answer as one sentence of the user's own.

"Do you have any allergies?" – "No, none" becomes "I don't have any allergies". The
answer is read first (see `answer_reading`); it is put where the question has a place of
its kind. Where the question offers, suggests or asks why, nothing is stated, and of
an answer whose rest fits nowhere only the yes or no.
"""

import re
from typing import Final

from gieok.models.rules.english.answer_fragments import (
    get_first,
    render_fragment,
)
from gieok.models.rules.english.answer_reading import (
    AnswerKind,
    YesOrNo,
    is_clause,
    is_dodged,
    read_kind,
    read_polarity,
    trim_answer,
)
from gieok.models.rules.english.answer_turning import (
    derive_base,
    join_polar,
    replace_person,
    split_subject,
)
from gieok.models.rules.english.answer_values import (
    ALTERNATIVE,
    OPEN_QUESTION,
    render_value,
)
from gieok.models.rules.english.grammar import PREPOSITIONS
from gieok.models.rules.english.short_answers import (
    ShortAnswer,
    read_short_answer,
    render_former,
    render_short_answer,
)
from gieok.models.rules.english.vocabulary import DAYS, SMALL
from gieok.models.rules.english.words import (
    ADVERB,
    NOUN,
    PARTICIPLE,
    PAST,
    get_parts,
    is_known,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_AGREEING_END: Final = _LISTS.compile_list("english.agreeing_end")
_TWO_QUESTIONS: Final = _LISTS.compile_list("english.two_questions")
_ADDRESS: Final = _LISTS.compile_list("english.address")
_REFUSED: Final = _LISTS.compile_list("english.refused")
_TAG: Final = _LISTS.compile_list("english.tag")
_AUXILIARIES: Final = _LISTS.get_words("english.auxiliaries")
_PREDICATE: Final = _LISTS.compile_list("english.predicate")
_TRAILING: Final = compile_lazily(
    r" (?:this time|at all|exactly|then|these days|nowadays|lately|now)\?$",
    re.IGNORECASE,
)
_CALLED: Final = compile_lazily(r",\s+(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z]\w+(\s*\?+)$")
MAX_WORDS: Final = 6
"""Words of an answer that is part of a sentence."""
_FOR_ME: Final = compile_lazily(
    r" (?:that )?(?:i|we) (?:should|need to|ought to|must) [^?]*(?=\?)", re.IGNORECASE
)
_COUNTED: Final = compile_lazily(
    r"^(?:an?|the|my|one|two|three|four|five|six)\b", re.IGNORECASE
)
_NAMING: Final = compile_lazily(
    r"\b(?:name\w*|who\w*|call\w*|where\w*)\b", re.IGNORECASE
)
_DENIED: Final = compile_lazily(
    r"^you(?: \w+n't| are not|'re not| have never|'ve never| never)\b", re.IGNORECASE
)
_CONTRARY: Final = compile_lazily(
    r"^(?:but )?i(?!'m not| (?:\w+n't|never))\b", re.IGNORECASE
)
_USED_TO: Final = compile_lazily(r"^(?P<own>i )?used to\W*$", re.IGNORECASE)
_OWN_SHORT: Final = compile_lazily(
    r"\bi(?:'m not| (?:do|am|have|can|did)(?:n't| not)?| can't)\b[\s,.!]*",
    re.IGNORECASE,
)
_NEGATED: Final = compile_lazily(r"n't\b|\bnot\b", re.IGNORECASE)
_BETWEEN: Final = compile_lazily(r"^[\s,.;–-]*(?:but)?[\s,]*$", re.IGNORECASE)
_NO_MORE: Final = compile_lazily(r"^(?:any ?more|no more)$", re.IGNORECASE)
_BUT: Final = compile_lazily(r"^but\b\s*", re.IGNORECASE)
_NOT_SINCE: Final = compile_lazily(r"^not (?:since|for|until)\b", re.IGNORECASE)
_AND: Final = compile_lazily(r"^and +", re.IGNORECASE)
_NO_SUCH: Final = compile_lazily(r"(?:^|[,.!;] *)no (?=\w)", re.IGNORECASE)
_BEING: Final = frozenset({"are", "is", "was", "were"})
_PRESENT: Final = frozenset({"do", "does", "are", "is", "can"})
_UNNAMED: Final = compile_lazily(r"\bany(?:thing|one|body|where)(?: nice)?\b")
_PASSING: Final = (AnswerKind.OVER, AnswerKind.DEED, AnswerKind.COMING)
_UNSAID: Final = (AnswerKind.OTHER, *_PASSING)
_FITTING: Final = (AnswerKind.THING, AnswerKind.QUALITY, AnswerKind.COUNT)


def _clean_question(question: str) -> str:
    """Return the question without address, small words and its sign."""
    straight = _FOR_ME.sub("", question.replace("’", "'").strip())
    called = _CALLED.sub(r"\1", _ADDRESS.sub("", straight)).strip()
    return _TRAILING.sub("?", called)


def _read_polar(question: str) -> tuple[str, str, str] | None:
    """Return auxiliary, subject and rest of a yes-or-no question."""
    text = question.rstrip("?! ")
    words = text.split()
    if not words:
        return None
    first = words[0].lower().removesuffix("n't")
    if first in _AUXILIARIES:
        split = split_subject(" ".join(words[1:]), first)
        return (first, *split) if split and split[1] else None
    return _read_declared(question)


def _read_declared(question: str) -> tuple[str, str, str] | None:
    """'You live alone, don't you?', 'You're vegetarian, right?', 'Any pets?'."""
    text = _TAG.sub("", question).rstrip("?! ")
    any_of = re.match(r"(?:got )?any ([\w' -]+)$", text, re.IGNORECASE)
    if any_of:
        return "do", "you", f"have any {any_of[1]}"
    said = re.sub(r"^you're\b", "you are", text, flags=re.IGNORECASE)
    said = re.sub(r"^you've\b", "you have", said, flags=re.IGNORECASE)
    words = said.split()
    if len(words) < 2 or words[0].lower() != "you":  # noqa: PLR2004
        return None
    verb, rest = words[1].lower(), " ".join(words[2:])
    if verb in ("are", "can", "were") or said != text:
        return verb, "you", rest
    parts = get_parts(verb)
    if parts[0] == PAST or (PAST in parts and parts[0] == PARTICIPLE):
        base = "use" if verb == "used" else derive_base(verb)
        return None if base is None else ("did", "you", f"{base} {rest}".strip())
    return "do", "you", f"{verb} {rest}".strip()


def _normalize_opening(answer: str, asked: str) -> str:
    """Return an answer without the capital of a word that it opens with, if no name."""
    first, _, rest = answer.partition(" ")
    low = first.lower().strip(",.!;:")
    named = _NAMING.search(asked) or rest[:1].isupper() or low in DAYS
    small = low.partition("-")[0] in SMALL or (
        is_known(low) and not named and not first.isupper()
    )
    return answer[:1].lower() + answer[1:] if small else answer


def render_english_answer(
    question: str, answer: str, *, most: int = MAX_WORDS
) -> str | None:
    """Return question and answer as one sentence in the first person, or nothing.

    An answer that is put into its question has `most` words; of two questions nobody
    knows which it answers.
    """
    asked = _clean_question(question)
    if _TWO_QUESTIONS.search(asked):
        return None
    straight = trim_answer(answer.replace("’", "'").strip())
    agreed = _AGREEING_END.search(straight) is not None
    straight = _AGREEING_END.sub("", straight)
    said = _normalize_opening(straight, asked)
    if _REFUSED.search(asked):
        return _render_addressed(asked, said)
    if OPEN_QUESTION.match(asked):
        return render_value(asked.rstrip("?! "), said.strip(" .!"), most)
    if _DENIED.match(asked):
        return _render_denied(asked, said)
    polar = _read_polar(ALTERNATIVE.sub("", asked))
    opened = read_polarity(said)
    if agreed and opened is not None and opened.is_denied:
        return None  # "nah yeah"
    said = f"yes, {said}" if agreed and opened is None else said
    return None if polar is None else _render_polar(polar, said, most)


def _render_denied(asked: str, said: str) -> str | None:
    """'You don't drive, do you?': a no agrees, and a yes may mean either."""
    opened = read_polarity(said)
    if opened is None or not opened.is_sure:
        return None
    agreed = opened.is_denied or re.match(
        r"(?:right|correct|exactly|true|that's|indeed)", said, re.IGNORECASE
    )
    if not agreed or _CONTRARY.search(opened.rest):
        return None
    stated = replace_person(_TAG.sub("", asked).rstrip("?! "))
    return re.sub(
        r"^I (are|were)n't",
        lambda m: "I am not" if m[1] == "are" else "I was not",
        stated,
    )


def _render_addressed(asked: str, said: str) -> str | None:
    """'What should I call you?', 'Would you say you're an introvert?'."""
    if re.match(r"what (?:should|shall|can) i call you", asked, re.IGNORECASE):
        named = None if is_dodged(said) else said.strip(" .!")
        return named and f"I want to be called {named}"
    if match := re.match(r"would you say (you.+)", asked, re.IGNORECASE):
        polar = _read_declared(match[1])
        return None if polar is None else _render_polar(polar, said)
    return None


def _render_polar(
    polar: tuple[str, str, str], said: str, most: int = MAX_WORDS
) -> str | None:
    """Return what a yes or no with its rest, or a fragment, says."""
    if used := _USED_TO.match(said):
        return render_former(polar[0], "you" if used["own"] else polar[1], polar[2])
    opened = read_polarity(said)
    if is_dodged(said) or not _is_answered(polar[2], said, opened):
        return None
    of_other = polar[1].lower() != "you"
    short = read_short_answer(opened.rest if opened else said)
    if short and not (opened and (short.is_named or short.is_of_user == of_other)):
        agreed = None if opened is None else not opened.is_denied
        return _render_short(polar, short, agreed=agreed)
    if of_other and (own := _OWN_SHORT.search(said)):
        return _render_other(polar, said, own, opened)
    if opened is not None:
        return _render_opened(polar, said, opened)
    return _render_bare(polar, said, most)


def _render_opened(
    polar: tuple[str, str, str], said: str, opened: YesOrNo
) -> str | None:
    """Return what a yes or no that opens an answer says, with its rest."""
    if opened.is_denied:
        return _render_denial(polar, said, opened.rest)
    return _render_agreed(polar, opened.rest)


def _is_answered(asked: str, said: str, opened: YesOrNo | None) -> bool:
    """Tell whether a yes or no, if words open with one, says which of the two.

    "Do you not drive?" – "yes" may mean either, "Are you left-handed?" – "right" is
    no yes, and "yes and no" is both.
    """
    if opened is None:
        return not asked.startswith("not ")
    negative = asked.startswith(("not ", "never "))
    handed = get_first(said) == "right" and "left" in asked
    doubled = negative and (not opened.is_denied or asked.startswith("never "))
    return opened.is_sure and not (handed or doubled)


def _render_bare(polar: tuple[str, str, str], said: str, most: int) -> str | None:
    """Return what an answer says that is neither yes or no nor a short answer."""
    rest = said.strip(" .!")
    if _NOT_SINCE.match(said):
        return f"{join_polar(*polar, denied=True)}, {rest[:1].lower()}{rest[1:]}"
    return None if _PREDICATE.match(said) else render_fragment(polar, rest, most)


def _render_short(
    polar: tuple[str, str, str], short: ShortAnswer, *, agreed: bool | None
) -> str | None:
    """'I don't', 'they do, mostly', 'my mum is, my dad died'; behind a yes or no."""
    stated = render_short_answer(polar, short)
    if stated is None or agreed is short.is_denied:
        return None
    if _NO_MORE.match(short.rest):
        return f"{stated} {short.rest}"
    other = read_short_answer(short.rest)
    also = None if other is None else _render_short(polar, other, agreed=None)
    if also is not None:
        return f"{stated}; {also}"
    return _append_rest(stated, _BUT.sub("", short.rest), ",")


def _render_other(
    polar: tuple[str, str, str],
    said: str,
    short: re.Match[str],
    opened: YesOrNo | None,
) -> str | None:
    """Return what a yes or no says of who was asked about, if "I" am otherwise.

    "No, I don't" may be meant of either, asked "Does your wife drive?".
    """
    if opened is None or not opened.is_sure:
        return None
    contrary = opened.is_denied != (_NEGATED.search(short[0]) is not None)
    alone = _BETWEEN.match(opened.rest[: -len(short[0])] or "") is not None
    sure = alone and short.end() == len(said) and contrary
    return join_polar(*polar, denied=opened.is_denied) if sure else None


def _render_agreed(polar: tuple[str, str, str], rest: str) -> str | None:
    """Return what a yes that opens an answer says, with its rest."""
    auxiliary, _, asked = polar
    kind = read_kind(_AND.sub("", rest))
    over = kind in _PASSING or re.match(r"had\b", rest) is not None
    either = " or " in asked and not asked.startswith(("have ", "got "))
    either = either or (polar[1].lower() == "you" and asked.endswith("together"))
    other = read_short_answer(rest)
    if other is not None and other.is_named and not other.is_denied:
        return None  # "yes my brother does"
    if either or (auxiliary in _PRESENT and over):
        return None  # "alone, or with family?"; "yes, until May"
    if unnamed := _UNNAMED.search(asked):
        return _render_unnamed(polar, rest, unnamed)
    kept = "" if kind in _UNSAID and auxiliary in _PRESENT else rest
    listed = kind in _FITTING and kind is not AnswerKind.QUALITY
    joint = ":" if listed and re.search(r"\bany \w+$", asked) else ","
    return _append_rest(join_polar(*polar, denied=False), kept, joint)


def _render_unnamed(
    polar: tuple[str, str, str], rest: str, unnamed: re.Match[str]
) -> str | None:
    """Return "I am seeing Tom", asked "Are you seeing anyone?"."""
    if not rest and "where" not in unnamed[0]:
        return join_polar(*polar, denied=False)
    if read_kind(rest) is not AnswerKind.THING or "where" in unnamed[0]:
        return None
    auxiliary, subject, asked = polar
    asked = f"{asked[: unnamed.start()]}{rest}{asked[unnamed.end() :]}"
    return join_polar(auxiliary, subject, asked, denied=False)


def _render_denial(polar: tuple[str, str, str], said: str, rest: str) -> str | None:
    """Return what a no says with its rest, or nothing if it is the no of a noun."""
    polar = (polar[0], polar[1], polar[2].removeprefix("not "))
    denied = join_polar(*polar, denied=True)
    first = get_first(_COUNTED.sub("", rest).strip())
    if first in polar[2].lower().split() or first in ("way", "more", "longer"):
        return denied  # "no microwave", asked "Do you have a microwave?"; "no way"
    kind = read_kind(rest)
    if _NO_SUCH.search(said) and kind is AnswerKind.THING:
        return None  # "No brothers, one sister", asked "Do you have siblings?"
    if _NOT_SINCE.match(rest):
        return f"{denied}, {rest}"
    if kind is AnswerKind.CLAUSE or (kind is AnswerKind.OVER and is_clause(rest)):
        return _append_rest(denied, rest, " but")
    counted = polar[0] in _BEING and re.match(r"(?:\d|two|three|four)", rest)
    fits = not counted and _is_alternative(polar[2], rest, kind)
    return f"{denied} but {rest}" if fits else denied


def _is_alternative(asked: str, rest: str, kind: AnswerKind) -> bool:
    """Tell whether words can stand for the last of what was asked: "no, a cat"."""
    words = asked.lower().split()
    last = words[-1] if words else ""
    if kind is AnswerKind.PHRASE:
        opening = get_first(rest)
        return opening in words or (opening == "with" and last == "alone")
    if kind not in _FITTING or last in PREPOSITIONS or rest[:3].lower() == "my ":
        return False
    if get_parts(last)[0] == ADVERB or last in ("alone", "here", "there", "nearby"):
        return False
    named = get_parts(last)[0] == NOUN and is_known(last)
    return named is (kind is not AnswerKind.QUALITY) or not is_known(last)


def _append_rest(sentence: str, rest: str, joint: str) -> str:
    """Return a sentence with what the answer adds to it."""
    if not rest:
        return sentence
    bare = _BUT.sub("", rest)
    if re.match(r"(?:since|when|because)\b", rest, re.IGNORECASE):
        return f"{sentence}, {rest}"
    if bare[:4].lower() == "not ":
        return f"{sentence}, {bare}"
    if is_clause(bare) or (_PREDICATE.match(bare) and bare[:3].lower() != "my "):
        return f"{sentence}, {rest}" if bare != rest else f"{sentence}; {rest}"
    return f"{sentence}{joint} {bare if joint == ' but' else rest}"
