"""States an English question and its short answer as one sentence of the user's own.

"Do you have any allergies?" – "No, none" becomes "I don't have any allergies". Words
are turned about, nothing is added; where the question offers, suggests or asks why,
nothing is stated.
"""

import re
from typing import Final

from gieok.models.rules.english.answer_turning import (
    join_polar,
    replace_person,
    split_subject,
)
from gieok.models.rules.english.answer_values import (
    ALTERNATIVE,
    DAY,
    OPEN_QUESTION,
    is_deed,
    render_value,
)
from gieok.models.rules.english.grammar import PREPOSITIONS, TIMES, has_third_person
from gieok.models.rules.english.short_answers import (
    ShortAnswer,
    read_short_answer,
    render_former,
    render_short_answer,
)
from gieok.models.rules.english.tokens import split_tokens
from gieok.models.rules.english.words import (
    ADJECTIVE,
    NOUN,
    PARTICIPLE,
    get_parts,
    is_known,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_YES: Final = _LISTS.compile_list("english.yes")
_NO: Final = _LISTS.compile_list("english.no")
_AGREEING_END: Final = _LISTS.compile_list("english.agreeing_end")
_TWO_QUESTIONS: Final = _LISTS.compile_list("english.two_questions")
_ECHOED: Final = _LISTS.compile_list("english.echoed")
_ADDRESS: Final = _LISTS.compile_list("english.address")
_REFUSED: Final = _LISTS.compile_list("english.refused")
_TAG: Final = _LISTS.compile_list("english.tag")
_AUXILIARIES: Final = _LISTS.get_words("english.auxiliaries")
_TRAILING: Final = compile_lazily(
    r" (?:this time|at all|exactly|then|these days|nowadays|lately|now)\?$",
    re.IGNORECASE,
)
_VOCATIVE: Final = compile_lazily(
    r"^(?:love|dear|pet|mate|sir|miss|ma'am|teacher|darling)\b[\s,.]*", re.IGNORECASE
)
_PREPOSITION: Final = _LISTS.compile_list("english.preposition")
_PREDICATE: Final = _LISTS.compile_list("english.predicate")
_ENGLISH: Final = PatternFile("gieok.models.rules.english", "patterns.toml")
_DAYS: Final = _ENGLISH.get_words("spelling.days")
_SMALL: Final = _LISTS.get_words("english.small")
_FINITE: Final = _LISTS.compile_list("english.finite")
_CALLED: Final = compile_lazily(r",\s+(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z]\w+(\s*\?+)$")
MOST_WORDS: Final = 6
"""Words of an answer that is part of a sentence."""
FEW_WORDS: Final = 2
_FOR_ME: Final = compile_lazily(
    r" (?:that )?(?:i|we) (?:should|need to|ought to|must) [^?]*(?=\?)", re.IGNORECASE
)
_COUNTED: Final = compile_lazily(
    r"^(?:an?|the|my|one|two|three|four|five|six)\b", re.IGNORECASE
)
_NAMING: Final = compile_lazily(
    r"\b(?:name\w*|who\w*|call\w*|where\w*)\b", re.IGNORECASE
)
_DENIED: Final = compile_lazily(r"^you \w+n't\b", re.IGNORECASE)
_AGREED: Final = _LISTS.compile_list("english.agreed")
_CONTRARY: Final = compile_lazily(r"\bi(?:'m| am| do| have| can| did)\b", re.IGNORECASE)
_NO_SUCH: Final = compile_lazily(r"(?:^|[,.!;] *)no (?=\w)", re.IGNORECASE)
_NO_IDIOM: Final = _LISTS.get_words("english.no_idiom")
_PERSONAL: Final = compile_lazily(r"\b(?:i|you|we|he|she|they)\b", re.IGNORECASE)
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
_LIMITING: Final = _LISTS.compile_list("english.limiting")
_TIMED: Final = _LISTS.compile_list("english.timed")
_OVER: Final = _LISTS.compile_list("english.over")
_AGAIN: Final = compile_lazily(
    r"^(?:every (?:day|week|month|year|time)|always|usually|mostly|often|regularly"
    r"|all the time)\b",
    re.IGNORECASE,
)
_ONLY_ME: Final = compile_lazily(r"^(?:just|only) me$|^on my own$", re.IGNORECASE)
_JUST: Final = compile_lazily(
    r"^(?:(?:just|only|mostly|mainly) )?(?P<noun>[a-z]+)(?: only| mostly| mainly)?$",
    re.IGNORECASE,
)
_CONSUMED: Final = compile_lazily(
    r"^(?P<verb>eat|drink|play|take|wear|grow) (?:an? )?(?:\w+ )?(?P<noun>\w*[^\Ws])$",
    re.IGNORECASE,
)
"""A question about a kind of thing, which is answered by one: "play an instrument"."""
_HOURS: Final = compile_lazily(r"\b(?:part|full)[ -]?time\b", re.IGNORECASE)
_NEARBY: Final = compile_lazily(
    r" (?:nearby|close(?: by)?|locally|far(?: away)?)$", re.IGNORECASE
)
_SINCE: Final = compile_lazily(r"^\d+ (?:weeks?|months?|years?)$", re.IGNORECASE)
_LASTING: Final = frozenset({"pregnant", "married", "engaged", "sober"})
_NOTHING: Final = frozenset({"none", "nothing", "allergy", "allergies"})
_BY_THE_WAY: Final = compile_lazily(
    r"^(?:in (?:the past|theory|a word|fact|short|case)|to be|at (?:first|least)"
    r"|for (?:now|sure|example))\b",
    re.IGNORECASE,
)
_PLACING: Final = frozenset({"at", "in", "for", "to"})
_APPROXIMATE: Final = _LISTS.get_words("english.approximate")
_TIMING: Final = frozenset({"in", "on", "at", "since", "for", "from", "during", "by"})
_ANY_OBJECT: Final = compile_lazily(r"^(\w+)(?: any)(?: \w+)+$")


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
        return None if split is None else (first, *split)
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
    if words[1].lower() in ("are", "can", "were") or said != text:
        return words[1].lower(), "you", " ".join(words[2:])
    return "do", "you", " ".join(words[1:])


def _normalize_opening(answer: str, asked: str) -> str:
    """Return an answer without the capital of a word that it opens with, if no name."""
    first, _, rest = answer.partition(" ")
    low = first.lower().strip(",.!;:")
    named = _NAMING.search(asked) or rest[:1].isupper() or low in _DAYS
    small = low.partition("-")[0] in _SMALL or (
        is_known(low) and not named and not first.isupper()
    )
    return answer[:1].lower() + answer[1:] if small else answer


def render_english_answer(
    question: str, answer: str, *, most: int = MOST_WORDS
) -> str | None:
    """Return question and answer as one sentence in the first person, or nothing.

    An answer that is put into its question has `most` words; of two questions nobody
    knows which it answers.
    """
    asked = _clean_question(question)
    if _TWO_QUESTIONS.search(asked):
        return None
    straight = _AGREEING_END.sub("", answer.replace("’", "'").strip())
    said = _normalize_opening(straight, asked)
    if _REFUSED.search(asked):
        return _render_addressed(asked, said)
    if OPEN_QUESTION.match(asked):
        return render_value(asked.rstrip("?! "), said.strip(" .!"), most)
    if _DENIED.match(asked):
        return _render_denied(asked, said)
    polar = _read_polar(ALTERNATIVE.sub("", asked))
    agreed = _AGREEING_END.search(answer) and not (_YES.match(said) or _NO.match(said))
    said = f"yes, {said}" if agreed else said
    return None if polar is None else _render_polar(polar, said, most)


def _render_denied(asked: str, said: str) -> str | None:
    """'You don't drive, do you?': a no agrees, and a yes may mean either."""
    agreed = _NO.match(said) or _AGREED.match(said)
    if agreed is None or _CONTRARY.search(said[agreed.end() :]):
        return None
    return replace_person(_TAG.sub("", asked).rstrip("?! "))


def _render_addressed(asked: str, said: str) -> str | None:
    """'What should I call you?', 'Would you say you're an introvert?'."""
    if re.match(r"what (?:should|shall|can) i call you", asked, re.IGNORECASE):
        return f"I want to be called {said.strip(' .!')}"
    if match := re.match(r"would you say (you.+)", asked, re.IGNORECASE):
        polar = _read_declared(match[1])
        return None if polar is None else _render_polar(polar, said)
    return None


def _render_polar(
    polar: tuple[str, str, str], said: str, most: int = MOST_WORDS
) -> str | None:
    """Return what a yes or no with its rest, or a fragment, says."""
    if used := _USED_TO.match(said):
        return render_former(polar[0], "you" if used["own"] else polar[1], polar[2])
    opening = _NO.match(said) or _YES.match(said)
    short = read_short_answer(said[opening.end() :] if opening else said)
    of_other = polar[1].lower() != "you"
    if short and not (opening and (short.is_named or short.is_of_user == of_other)):
        agreed = None if opening is None else _NO.match(said) is None
        return _render_short(polar, short, agreed=agreed)
    if of_other and (own := _OWN_SHORT.search(said)):
        return _render_other(polar, said, own)
    match = _YES.match(said) or _NO.match(said)
    if match is not None:
        return _render_agreed(polar, said, match)
    rest = said.strip(" .!")
    if _NOT_SINCE.match(said):
        return f"{join_polar(*polar, denied=True)}, {rest[:1].lower()}{rest[1:]}"
    whole = _PREDICATE.match(said) or not said
    return None if whole else _render_fragment(polar, rest, most)


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
    return _append_rest(stated, also or _BUT.sub("", short.rest), ",")


def _render_other(
    polar: tuple[str, str, str], said: str, short: re.Match[str]
) -> str | None:
    """Return what a yes or no says of who was asked about, if "I" am otherwise.

    "No, I don't" may be meant of either, asked "Does your wife drive?".
    """
    no = _NO.match(said) is not None
    contrary = no != (_NEGATED.search(short[0]) is not None)
    opening = _NO.match(said) or _YES.match(said)
    between = said[opening.end() : short.start()] if opening else "?"
    sure = _BETWEEN.match(between) and short.end() == len(said) and contrary
    return join_polar(*polar, denied=no) if sure else None


def _render_agreed(
    polar: tuple[str, str, str], said: str, match: re.Match[str]
) -> str | None:
    """Return what a yes or no that opens an answer says, with its rest."""
    no = _YES.match(said) is None
    rest = said[match.end() :]
    while more := (_NO.match(rest) if no else _YES.match(rest)):
        rest = rest[more.end() :]
    rest = "" if _ECHOED.match(rest) else rest.strip(" .!")
    rest = _VOCATIVE.sub("", rest)
    if no:
        return _render_denial(polar, said, rest)
    auxiliary, subject, asked = polar
    if rest and "anything" in asked and not _FINITE.search(rest):
        asked = asked.replace("anything", rest)
        return join_polar(auxiliary, subject, asked, denied=False)
    joint = ":" if re.search(r"\bany \w+$", asked) else ","
    return _append_rest(join_polar(*polar, denied=False), rest, joint)


def _render_denial(polar: tuple[str, str, str], said: str, rest: str) -> str | None:
    """Return what a no says with its rest, or nothing if it is the no of a noun."""
    first = _normalize_first(_COUNTED.sub("", rest).strip())
    if first in polar[2].lower().split() or first in _NO_IDIOM:
        rest = ""  # "no microwave", asked "Do you have a microwave?"; "no way"
    elif _NO_SUCH.search(said) and _is_noun_phrase(rest):
        return None  # "No brothers, one sister", asked "Do you have siblings?"
    return _append_rest(join_polar(*polar, denied=True), rest, " but")


def _is_noun_phrase(text: str) -> bool:
    """Tell whether words open with a thing that there is none of: "red meat"."""
    first, second = [*(w.lower().strip(",.!") for w in text.split()), "", ""][:2]
    if not first:
        return False
    described = get_parts(first)[0] in (ADJECTIVE, PARTICIPLE) and second
    return get_parts(second if described else first)[0] == NOUN


def _render_fragment(polar: tuple[str, str, str], said: str, most: int) -> str | None:
    """'Any pets?' – 'Two cats'; 'Do you work from home?' – 'Tuesdays'."""
    auxiliary, subject, rest = polar
    verbal = _FINITE.search(said) or has_third_person(split_tokens(said))
    had = re.match(r"(?:have|got) (?:any )?(.+)$", rest)
    chosen = had is None and " or " in rest
    if len(said.split()) > most or verbal or chosen or _PERSONAL.search(said):
        return None
    if (auxiliary, subject.lower()) == ("are", "you"):
        return _render_state(rest, said)
    other = _ONLY_ME.match(said) and auxiliary != "do"
    asks = auxiliary in ("do", "does") and not other
    joined = _join_phrase(rest, said) if asks else None
    if joined:
        return join_polar(auxiliary, subject, joined, denied=False)
    if _is_contrary(said):
        return None
    if had and auxiliary in ("do", "does", "have", "has"):
        return _render_had(polar, had[1].split(" or ")[0], said)
    return _render_added(polar, said) if auxiliary in ("do", "does") else None


def _join_phrase(rest: str, said: str) -> str | None:
    """Return what is done, with a few words that say more of it, or nothing.

    "Play piano", asked "play an instrument"; "live in Leeds", asked "live nearby".
    """
    if _ONLY_ME.match(said):
        return rest if rest.endswith(" alone") else None
    if rest.startswith("work") and _HOURS.fullmatch(said):
        return f"{_HOURS.sub('', rest).strip()} {said}"
    if rest.startswith("work in ") and said.lower() == "from home":
        return f"work {said}"
    if (asked := _CONSUMED.match(rest)) and (noun := _JUST.match(said)):
        named = get_parts(noun["noun"].lower())
        same = noun["noun"].lower() == asked["noun"].lower()
        thing = named[0] == NOUN and noun["noun"].islower()
        thing = thing and noun["noun"] not in TIMES | _NOTHING
        return f"{asked['verb']} {said}" if thing and not same else None
    return _add_phrase(rest, said)


def _add_phrase(rest: str, said: str) -> str | None:
    """Return "work at Tesco", asked "work", which names no place or aim itself."""
    lows = rest.lower().split()
    placed = _normalize_first(said) in _PLACING and len(said.split()) > 1
    open_ended = PREPOSITIONS.isdisjoint(lows) and len(lows) <= FEW_WORDS
    if not (placed and open_ended) or _TIMED.search(said) or _OVER.search(said):
        return None
    if "," in said or re.search(r"\d", said) or _BY_THE_WAY.match(said):
        return None
    return f"{_NEARBY.sub('', rest)} {said}"


def _render_added(polar: tuple[str, str, str], said: str) -> str | None:
    """'Do you climb?' – 'Twice a week'; 'Do you live alone?' – 'with my wife'."""
    auxiliary, subject, rest = polar
    if auxiliary == "do" and (verb := _ANY_OBJECT.match(rest)):
        return join_polar(auxiliary, subject, f"{verb[1]} {said}", denied=False)
    if replaced := _replace_phrase(rest, said):
        return join_polar(auxiliary, subject, replaced, denied=False)
    again = _TIMED.search(rest) is not None and _AGAIN.match(said) is None
    if again or not _is_of_time(said):
        return None
    return f"{join_polar(auxiliary, subject, rest, denied=False)}, {said}"


def _render_had(polar: tuple[str, str, str], noun: str, said: str) -> str | None:
    """'Any pets?' – 'Two cats'; "a dog" is no answer to be put beside "cat"."""
    auxiliary, subject, rest = polar
    if auxiliary in ("does", "has"):
        joint = "," if _PREPOSITION.match(said) else ":"
        return f"{join_polar(auxiliary, subject, rest, denied=False)}{joint} {said}"
    named = _get_last_noun(said) == _get_last_noun(noun)
    other = _COUNTED.match(noun) is not None and said.islower() and is_known(said)
    if named or _COUNTED.match(said):
        return f"I have {said}"
    return None if other else f"I have {noun}: {said}"


def _render_state(rest: str, said: str) -> str | None:
    """'Are you married?' – 'Widowed'; 'Are you from Leeds?' – 'Oslo'."""
    opening = _normalize_first(rest)
    if rest.lower() in _LASTING and _SINCE.match(said):
        return f"I am {rest}, {said}"
    plain = not re.search(r"\d", said) and len(said.split()) <= FEW_WORDS
    if not plain or DAY.match(said) or len(rest.split()) > FEW_WORDS:
        return None
    if _PREPOSITION.match(said) or _normalize_first(said) in _SMALL:
        return None
    governed = f"{opening} " if opening in PREPOSITIONS else ""
    return f"I am {governed}{said}"


def _is_contrary(said: str) -> bool:
    """Tell whether a few words say that something is over, or is so of one only."""
    described = get_parts(_normalize_first(said))[0] == PARTICIPLE
    return is_deed(said) or described or _LIMITING.match(said) is not None


def _is_of_time(said: str) -> bool:
    """Tell whether a few words say when, how often or how long."""
    lows = [word.strip(",.!") for word in said.lower().split()]
    while lows and lows[0] in _APPROXIMATE:
        lows.pop(0)
    opening = lows[0] if lows else ""
    placed = opening in PREPOSITIONS and opening not in _TIMING
    timed = _TIMED.search(said)
    if placed or timed is None or _OVER.search(said):
        return False
    before = said[: timed.start()].lower()
    left = [word for word in before.split() if word not in _TIMING | _APPROXIMATE]
    return len(left) < FEW_WORDS and "," not in before


def _replace_phrase(rest: str, said: str) -> str | None:
    """Return "live with my wife" for "live with your family", answered with "with …".

    Nothing if the question has no phrase of the kind that was answered.
    """
    opening = _normalize_first(said)
    place = re.search(rf"\b{re.escape(opening)}\b", rest) if opening else None
    if opening not in PREPOSITIONS or _is_of_time(said):
        return None
    if opening == "with" and rest.endswith(" alone"):
        return f"{rest.removesuffix('alone')}{said}"
    return f"{rest[: place.start()]}{said}" if place else None


def _normalize_first(text: str) -> str:
    """Return the first word, without signs."""
    return text.partition(" ")[0].lower().strip(",.!")


def _get_last_noun(text: str) -> str:
    """Return the last word, in the singular."""
    return text.rpartition(" ")[2].lower().rstrip("s")


def _append_rest(sentence: str, rest: str, joint: str) -> str:
    """Return a sentence with what the answer adds to it."""
    if not rest:
        return sentence
    whole = _PREDICATE.match(rest) or re.search(
        r"\b(?:is|are|was|were|has|does|did|don't|moved|died)\b", rest
    )
    return f"{sentence}; {rest}" if whole else f"{sentence}{joint} {rest}"
