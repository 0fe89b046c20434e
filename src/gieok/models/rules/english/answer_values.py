"""Puts an English answer in the place of a question word: "I live in Leeds"."""

import re
from typing import Final

from gieok.models.rules.english.answer_turning import (
    convert_past,
    join_polar,
    replace_person,
)
from gieok.models.rules.english.grammar import DETERMINERS, PREPOSITIONS
from gieok.models.rules.english.words import (
    ADJECTIVE,
    GERUND,
    NOUN,
    PARTICIPLE,
    PAST,
    THIRD,
    VERB,
    get_parts,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")
_YES: Final = _LISTS.compile_list("english.yes")
_NO: Final = _LISTS.compile_list("english.no")
_DODGED: Final = _LISTS.compile_list("english.dodged")
_FINITE: Final = _LISTS.compile_list("english.finite")
_PREPOSITION: Final = _LISTS.compile_list("english.preposition")
DAY: Final = compile_lazily(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
)
ALTERNATIVE: Final = compile_lazily(r",\s*[^,]+ or [^,]+$")
_OF_TIME: Final = _LISTS.compile_list("english.of_time")
_ENGLISH: Final = PatternFile("gieok.models.rules.english", "patterns.toml")
_OWNED: Final = _ENGLISH.get_words("noun.owned")
_STATES: Final = _ENGLISH.get_words("verb.states")
_LIVED: Final = _ENGLISH.get_words("verb.lived")
_COUNTS: Final = "|".join(sorted(_ENGLISH.get_words("apostrophe.numbers")))
_NUMBER: Final = compile_lazily(
    rf"^(?:(?:just|about|around|only|over) )*(?:\d+|one|{_COUNTS})"
    rf"(?:(?: and |, |[ -])(?:\d+|one|{_COUNTS}))*(?: and a half)?\b",
    re.IGNORECASE,
)
_SPOKEN_VOWELS: Final = frozenset("AEFHILMNORSX")
"""Letters whose names open with a vowel: "an HR manager"."""
_IDLE: Final = frozenset({"nothing", "none", "not", "nowt", "various"})
_SUBJECT: Final = _LISTS.compile_list("english.subject")
_DURATION: Final = compile_lazily(
    r"^(?:since|for|all|over|about|almost|nearly)\b", re.IGNORECASE
)
_YEAR: Final = compile_lazily(r"^(?:19|20)\d\d\b")
_ADVERBIAL: Final = compile_lazily(
    r" (?:for|with|at|in|on|when|before|after|during)\b .*$"
)
_KINDS: Final = compile_lazily(r"\b(?:kind|sort|type)s? of\b")
_STRANDED: Final = compile_lazily(r"\b(?:in|on|at|for|of|from|with|to|about)$")
_NAME: Final = r"(?-i:[A-Z][a-z]+)"
_WHO: Final = rf"(?P<who>you|your (?:[\w-]+'s )?[\w-]+|{_NAME})"
_WHO_IS: Final = re.compile(rf"who(?:'s| is) ({_NAME})(?: to you)?$", re.IGNORECASE)
_INTRODUCED: Final = compile_lazily(
    r"^(?:(?:oh|s?he'?s|s?he is|that'?s)[,\s]+)*(?=(?:my|our|an?|the) \w)",
    re.IGNORECASE,
)
_AUX: Final = r"(?P<aux>do|does|did|are|is|have|has|can)"
_REST: Final = r"(?P<rest>.*)$"
_SOME: Final = r"(?:any|some)(?:thing|one|body|where|\b[\w ]+?)(?: that| who)?"
OPEN_QUESTION: Final = compile_lazily(
    rf"^(?:what|where|when|who|which|how|(?:(?:is|are) there )?{_SOME} you)\b",
    re.IGNORECASE,
)


def render_value(asked: str, said: str, most: int) -> str | None:
    """Put the answer in the place of a question word."""
    introduced = _WHO_IS.match(asked)
    if introduced and (opening := _INTRODUCED.match(said)):
        return f"{introduced[1]} is {said[opening.end() :]}"
    if (
        not said
        or _DODGED.match(said)
        or _YES.match(said)
        or (_NO.match(said) and not said.lower().startswith("no "))
        or _SUBJECT.match(said)
        or "?" in said
        or _FINITE.search(said)
        or len(said.split()) > most
    ):
        return None
    for pattern, sentence in _VALUES:
        if sentence in _PLACED and is_deed(said) and " " in said:
            continue  # "moved to Leeds last year", asked "Where do you live?"
        if match := pattern.match(ALTERNATIVE.sub("", asked)):
            return sentence(match, said)
    return None


def is_deed(said: str) -> bool:
    """Tell whether words open with what somebody did: "gave up in May"."""
    parts = get_parts(said.partition(" ")[0].lower())
    return parts[0] == PAST or (PAST in parts and ADJECTIVE not in parts)


def _render_name(match: re.Match[str], said: str) -> str | None:
    what = match[1]
    if is_deed(said) and not re.search(r"\bname\b", what, re.IGNORECASE):
        return None  # "lost her job", asked "How's your mum?"
    if what[:4].lower() == "the " and " of your " not in what:
        owned = what.rpartition(" ")[2].lower() in _OWNED
        return f"my {what[4:]} is {said}" if owned else None
    return f"{replace_person(match[1])} is {said}"


def _render_called(match: re.Match[str], said: str) -> str:
    return f"{replace_person(match[1])} is called {said}"


def _render_age(match: re.Match[str], said: str) -> str:
    who = match["who"]
    verb = "am" if who.lower() == "you" else match["aux"].lower()
    subject = replace_person(who)
    number = _NUMBER.match(said)
    if number is None or re.search(r"month|year", said):
        return f"{subject} {verb} {said}"
    return f"{subject} {verb} {number[0]} years old{said[number.end() :]}"


def _render_occupation(match: re.Match[str], said: str) -> str | None:
    who = match["who"]
    own = who.lower() == "you"
    subject = "I" if own else replace_person(who)
    low = said.partition(" ")[0].lower()
    if low in _IDLE:
        return None
    if stated := _render_occupied(said, is_own=own):
        return f"{subject} {stated}"
    parts = get_parts(low)
    described = parts[0] in (ADJECTIVE, PARTICIPLE, PAST)
    nominal = get_parts(said.rpartition(" ")[2].lower())[0] == NOUN
    if is_deed(said) or (described and not nominal):
        return None
    return f"{subject} {'work' if own else 'works'} {_render_trade(said)}"


def _render_occupied(said: str, *, is_own: bool) -> str | None:
    """Return what says more than a trade: 'am retired', 'work in a shop'."""
    first, _, rest = said.partition(" ")
    low = first.lower()
    parts = get_parts(low)
    agreeing = VERB if is_own else THIRD
    acting = parts[0] == agreeing or low.removesuffix("s") in _STATES | _LIVED
    if rest and acting and agreeing in parts:
        return f"{low} {rest}"
    being = "am" if is_own else "is"
    alone = not rest and parts[0] in (ADJECTIVE, PARTICIPLE, PAST)
    return f"{being} {said}" if alone or (rest and parts[0] == GERUND) else None


def _render_trade(said: str) -> str:
    """Return 'as a nurse', 'in a shop', 'in sales', 'in teaching'."""
    low = said.partition(" ")[0].lower()
    if low in PREPOSITIONS:
        return said
    if low in DETERMINERS or low == "i":
        return f"as {said[:1].lower()}{said[1:]}"
    field = said.endswith("s") and not said.endswith("ss")
    doing = " " not in said and GERUND in get_parts(low)
    if field or doing or said.isupper():
        return f"in {said}"
    if said[:2].isupper():  # "HR manager"
        return f"as {'an' if said[0] in _SPOKEN_VOWELS else 'a'} {said}"
    article = "an " if low[:1] in "aeiou" else "a "
    return f"as {article}{said[:1].lower()}{said[1:]}"


def _render_clause(
    match: re.Match[str], said: str, joint: str = "", *, until: int | None = None
) -> str:
    """Return 'you live' as 'I live', with the answer behind it."""
    auxiliary, subject = match["aux"].lower(), match["who"]
    rest = match["rest"][:until]
    sentence = join_polar(auxiliary, subject, rest, denied=False)
    return f"{sentence} {joint}{said}"


def _render_place(match: re.Match[str], said: str) -> str:
    stranded = re.search(r"\b(?:from|to|in|at)$", match["rest"])
    joint = "" if stranded or _PREPOSITION.match(said) else "in "
    if re.match(r"the\b", said, re.IGNORECASE):
        joint = "at "
    return _render_clause(match, said, "at " if re.match(r"at\b", joint) else joint)


def _render_time(match: re.Match[str], said: str) -> str:
    bare = not _PREPOSITION.match(said)
    joint = "at " if bare and _OF_TIME.match(said) else ""
    joint = "in " if _YEAR.match(said) else joint
    return _render_clause(match, said, "on " if bare and DAY.match(said) else joint)


def _render_duration(match: re.Match[str], said: str) -> str:
    return _render_clause(match, said, "" if _DURATION.match(said) else "for ")


def _render_count(match: re.Match[str], said: str) -> str:
    sentence = _render_clause(match, said)
    return f"{sentence} {match['what']}"


def _render_object(match: re.Match[str], said: str) -> str:
    return _render_clause(match, said)


def _render_choice(match: re.Match[str], said: str) -> str:
    """'What do you like?', and 'What sport do you like most?' as "the sport …"."""
    what, rest = match["what"], match["rest"]
    if " " not in rest or _STRANDED.search(rest):
        return _render_clause(match, said)
    kinds = not what or _KINDS.search(match[0]) is not None
    if kinds and (place := _ADVERBIAL.search(rest)):
        sentence = _render_clause(match, said, until=place.start())
        return sentence + replace_person(place[0])
    if not what:
        return _render_clause(match, said)
    verb = "are" if what.endswith("s") else "is"
    return f"the {what} {_render_clause(match, verb)} {said}"


def _render_manner(match: re.Match[str], said: str) -> str:
    return f"I {convert_past(replace_person(' ' + match['rest']).strip())} {said}"


def _render_home(match: re.Match[str], said: str) -> str:
    return f"my {match[1].lower()} is {said}"


def _render_open(match: re.Match[str], said: str) -> str | None:
    """'Anything you don't eat?', 'Is there somebody you'd call?'."""
    if re.search(r"\bi\b", match[1], re.IGNORECASE):
        return None  # "anything you'd rather I didn't mention"
    return f"{replace_person(match[1])} {said}"


_PLACED: Final = frozenset({_render_place, _render_time, _render_duration})
"""What answers with a place or a time, never with what was done."""
_VALUES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), sentence)
    for pattern, sentence in (
        (rf"how old (?P<aux>are|is) (?P<who>you|your .+|{_NAME})$", _render_age),
        (
            (
                rf"what (?:do|does) (?P<who>you|your .+?|{_NAME}) do"
                r"(?: for work| for a living|)?$"
            ),
            _render_occupation,
        ),
        (
            rf"what(?:'s| is| are) (your .+?|{_NAME}'s [\w ]+?) (?:called|named)$",
            _render_called,
        ),
        (
            (
                r"(?:what|who|where|when)(?:'s| is| are) "
                r"(your .+?(?= like$|$)|the name of your .+|the [\w ]+?)(?: like)?$"
            ),
            _render_name,
        ),
        (
            r"how(?:'s| is| are) (your [\w ]+?)(?: these days| now| lately|)$",
            _render_name,
        ),
        (r"what (?:level|grade|year) is (your .+)$", _render_name),
        (rf"how (?:often|much|far) {_AUX} {_WHO} {_REST}", _render_object),
        (rf"how long {_AUX} {_WHO} {_REST}", _render_duration),
        (rf"how many (?P<what>[\w ]+?) {_AUX} {_WHO} {_REST}", _render_count),
        (
            rf"how {_AUX} {_WHO} (?P<rest>(?:take|like|spell|drink|eat|have) .+)$",
            _render_object,
        ),
        (rf"where {_AUX} {_WHO} {_REST}", _render_place),
        (rf"(?:what time|when) {_AUX} {_WHO} {_REST}", _render_time),
        (
            (
                r"(?:what|which|who|whom)(?: (?:kind|sort|type)s? of)?"
                r"(?: (?P<what>[\w ]+?))?? "
                rf"(?P<aux>do|does|are|is|can) {_WHO} (?P<rest>(?!do\b|get up to\b).*)$"
            ),
            _render_choice,
        ),
        (
            rf"(?:(?:is|are) there )?{_SOME} (you(?:'\w+)? .+)$",
            _render_open,
        ),
        (
            r"how did you (?P<rest>(?:meet|find|get|learn|end up|come)\b.*)$",
            _render_manner,
        ),
        (r"where(?:'s| is) (home|work|school)$", _render_home),
    )
)
