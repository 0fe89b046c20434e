"""Puts an English answer in the place of a question word: "I live in Leeds"."""

import re
from typing import Final

from gieok.models.rules.english.answer_reading import (
    AnswerKind,
    is_agent,
    is_dodged,
    read_kind,
    read_polarity,
)
from gieok.models.rules.english.answer_turning import (
    convert_past,
    join_polar,
    replace_person,
)
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.grammar import PREPOSITIONS, SEVERAL
from gieok.models.rules.english.vocabulary import (
    DETERMINERS,
    LIVED,
    NO_PLACE,
    NUMBERS,
    OWNED,
    STATES,
)
from gieok.models.rules.english.words import (
    GERUND,
    THIRD,
    VERB,
    get_parts,
    is_known,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")
_PREPOSITION: Final = _LISTS.compile_list("english.preposition")
DAY: Final = compile_lazily(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
)
ALTERNATIVE: Final = compile_lazily(r",\s*[^,]+ or [^,]+$")
_COUNTS: Final = "|".join(sorted(NUMBERS))
_NUMBER: Final = compile_lazily(
    rf"^(?:(?:just|about|around|only|over) )*(?:\d+|one|{_COUNTS})"
    rf"(?:(?: and |, |[ -])(?:\d+|one|{_COUNTS}))*(?: and a half)?\b",
    re.IGNORECASE,
)
_MONTHS: Final = _LISTS.get_words("english.months")
_PLACES: Final = _LISTS.get_words("english.places")
_NO_HOME: Final = _LISTS.get_words("english.no_home")
_CLOCK: Final = _LISTS.compile_list("english.clock")
_AGED: Final = _LISTS.compile_list("english.aged")
_LASTED: Final = _LISTS.compile_list("english.lasted")
_COMPARED: Final = compile_lazily(
    r"^(?:younger|older|the same age|due in|nearly|almost|\d+ish)\b", re.IGNORECASE
)
_ON_DAY: Final = compile_lazily(
    r"^ on (?:mon|tues|wednes|thurs|fri|satur|sun)day$", re.IGNORECASE
)
_WORKPLACE: Final = compile_lazily(r"^(?:in|at|for|with)\b", re.IGNORECASE)
_STILL: Final = compile_lazily(
    r"^(?:still|just|originally|mostly) |,? originally$", re.IGNORECASE
)
_PLACED: Final = compile_lazily(
    r"^(?:up|down|out|over|next to|not far|just outside|round) \w+"
)
_DECADE: Final = compile_lazily(
    r"^the (?:(?:early|late|mid) )?(?:\d\d)?\d0s\b|^\d{3}0s\b"
)
_HOUR: Final = compile_lazily(r"(?:very |quite |fairly )?(?:early|late|at night)")
_TIMING: Final = compile_lazily(
    r"^(?:in|on|at|around|about|after|before|from|by|during)\b"
)
_ALONE: Final = compile_lazily(
    r"(?:just )?(?:alone|on my own|by myself)", re.IGNORECASE
)
_WISHED: Final = compile_lazily(r"^((?:like|want|love) to) do\b(.*)$", re.IGNORECASE)
_AROUND: Final = compile_lazily(
    r"^(\w+)( (?:about|best|most|more)\b.*)$", re.IGNORECASE
)
_COUNTED: Final = compile_lazily(
    rf"^(?:(?:just|only|about|around|nearly|almost|over)(?: the)? )*"
    rf"(?P<number>\d+|one|zero|{_COUNTS})(?:(?: or |-| to | )(?:\d+|{_COUNTS}))*"
    r"(?![\w'-])",
    re.IGNORECASE,
)
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
_WHO_IS: Final = compile_lazily(rf"who(?:'s| is) ({_NAME})(?: to you)?$", re.IGNORECASE)
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
    if is_dodged(said) or "?" in said or len(said.split()) > most:
        return None
    if _SUBJECT.match(said) or (read_polarity(said) and said[:3].lower() != "no "):
        return None
    kind = read_kind(said)
    for pattern, sentence, kinds in _VALUES:
        if match := pattern.match(ALTERNATIVE.sub("", asked)):
            return sentence(match, said) if not kinds or kind in kinds else None
    return None


def _render_name(match: re.Match[str], said: str) -> str | None:
    """'What's your name?', 'How's your mum?', 'Where's your son?'."""
    word, verb, what = match["word"].lower(), match["verb"], match["what"]
    kind, noun = read_kind(said), match["what"].rpartition(" ")[2].lower()
    if word == "where" and kind is AnswerKind.THING and is_known(said.lower()):
        return None  # "school", asked "Where are your kids?"
    if noun in PREPOSITIONS:
        return None  # "Where are your family from?"
    if noun in ("job", "work") and kind is not AnswerKind.THING:
        return None
    if kind is AnswerKind.PHRASE and word in ("what", "who"):
        return None
    joint = "in " if word == "where" and kind is AnswerKind.THING else ""
    if noun in ("birthday", "anniversary") and said.lower() in _MONTHS:
        joint = "in "
    being = "are" if verb == "are" else "is"
    if what[:4].lower() == "the " and " of your " not in what:
        return f"my {what[4:]} {being} {said}" if noun in OWNED else None
    return f"{replace_person(what)} {being} {joint}{said}"


def _render_called(match: re.Match[str], said: str) -> str:
    being = "are" if match["verb"] == "are" else "is"
    return f"{replace_person(match[2])} {being} called {said}"


def _render_age(match: re.Match[str], said: str) -> str | None:
    who = match["who"]
    verb = "am" if who.lower() == "you" else match["aux"].lower()
    subject = replace_person(who)
    number = _NUMBER.match(said)
    if number is None:
        compared = _COMPARED.search(said) is not None
        return f"{subject} {verb} {said}" if compared else None
    rest = said[number.end() :]
    if not rest or _ON_DAY.match(rest):
        return f"{subject} {verb} {number[0]} years old{rest}"
    return f"{subject} {verb} {said}" if _AGED.fullmatch(rest) else None


def _render_occupation(match: re.Match[str], said: str) -> str | None:
    """'What do you do?', 'What do your parents do?'."""
    who, several = match["who"], match["aux"].lower() == "do"
    own = who.lower() == "you"
    subject = "I" if own else replace_person(who)
    kind, low = read_kind(said), said.partition(" ")[0].lower()
    if low in _IDLE:
        return None
    if stated := _render_occupied(said, kind, is_own=own, is_base=own or several):
        return f"{subject} {stated}"
    working = kind is AnswerKind.PHRASE and _WORKPLACE.match(said)
    working = working and not NO_PLACE.match(said)
    field = kind is AnswerKind.DOING and " " not in said
    if not (working or field or kind is AnswerKind.THING):
        return None
    if several and not own and kind is AnswerKind.THING:
        named = is_agent(said.lower().removesuffix("s")) and said.endswith("s")
        return f"{subject} work as {said}" if named else None
    return f"{subject} {'work' if own or several else 'works'} {_render_trade(said)}"


def _render_occupied(
    said: str, kind: AnswerKind, *, is_own: bool, is_base: bool
) -> str | None:
    """Return what says more than a trade: 'am retired', 'work in a shop'."""
    first, _, rest = said.partition(" ")
    low = first.lower()
    parts = get_parts(low)
    agreeing = VERB if is_base else THIRD
    acting = parts[0] == agreeing or low.removesuffix("s") in STATES | LIVED
    personal = re.search(r"\b(?:me|us|him|her)\b", said) is not None
    if rest and acting and agreeing in parts and not personal:
        return None if is_agent(rest.rpartition(" ")[2].lower()) else f"{low} {rest}"
    being = "am" if is_own else ("are" if is_base else "is")
    if kind is AnswerKind.QUALITY or (rest and parts[0] == GERUND):
        return f"{being} {said}"
    retired = low == "retired" and kind is AnswerKind.THING
    return f"{being} a {said}" if retired and being != "are" else None


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
    small = said if said[:2].isupper() else f"{said[:1].lower()}{said[1:]}"
    return f"as {select_article(said)} {small}"


def _render_clause(
    match: re.Match[str], said: str, joint: str = "", *, until: int | None = None
) -> str:
    """Return 'you live' as 'I live', with the answer behind it."""
    auxiliary, subject = match["aux"].lower(), match["who"]
    rest = match["rest"][:until]
    sentence = join_polar(auxiliary, subject, rest, denied=False)
    return f"{sentence} {joint}{said}"


def _render_place(match: re.Match[str], said: str) -> str | None:
    """'Where do you live?' – 'Leeds', 'near York', 'upstairs', '14 Mill Road'."""
    plain = _STILL.sub("", said)
    kind, low = read_kind(plain), plain.lower()
    stranded = re.search(r"\b(?:from|to|in|at)$", match["rest"]) is not None
    if low in _PLACES or _PLACED.match(low) or low.endswith((" down", " up", " away")):
        return None if stranded else _render_clause(match, plain)
    if kind is AnswerKind.PHRASE:
        return _render_clause(match, plain, until=_find_stranded(match["rest"], plain))
    numbered = re.match(r"\d+ [A-Z]", plain) is not None
    if not (kind is AnswerKind.THING or numbered) or _is_vague(plain):
        return None
    if stranded:
        return _render_clause(match, plain)
    at = numbered or re.match(r"the\b", low)
    return _render_clause(match, plain, "at " if at else "in ")


def _is_vague(said: str) -> bool:
    """Tell whether a thing is no place that has a name: "second floor"."""
    words = said.lower().split()
    if words[0] in DETERMINERS:
        return words[0] in ("all", "both", "no", "another")
    numbered = words[0][:1].isdigit()
    plain = all(is_known(word) for word in words) and said.islower()
    return plain and not numbered and (len(words) > 1 or said in _NO_HOME)


def _find_stranded(rest: str, said: str) -> int | None:
    """Return where a preposition stands that the answer repeats: "live with"."""
    stranded = _STRANDED.search(rest)
    again = stranded and said.lower().startswith((stranded[0], "on ", "by "))
    return stranded.start() - 1 if stranded and again else None


def _render_time(match: re.Match[str], said: str) -> str | None:
    """'When did you retire?' – 'June', '2016', 'five years ago', 'at 7'."""
    low = said.lower()
    if _CLOCK.fullmatch(low):
        return _render_clause(match, said, "" if low.startswith("at ") else "at ")
    if re.match(r"\d{3}0s\b", low):
        return _render_clause(match, said, "in the ")
    if _YEAR.match(said) or low.partition(" ")[0] in _MONTHS or _DECADE.match(low):
        return _render_clause(match, said, "in ")
    if low in ("christmas", "easter"):
        return _render_clause(match, said, "at ")
    if DAY.match(said):
        return _render_clause(match, said, "on ")
    return _render_clause(match, said) if _is_when(low) else None


def _is_when(low: str) -> bool:
    """Tell whether words say when by themselves: "last week", "in May"."""
    kind = read_kind(low)
    if kind in (AnswerKind.OVER, AnswerKind.TIME):
        return "used to" not in low and not low.endswith(
            ("old", "weeks", "years", "months")
        )
    joined = re.match(r"(?:when|before|after|once|as soon as)\b", low) is not None
    dated = kind is AnswerKind.PHRASE and _TIMING.match(low) is not None
    return joined or dated or _HOUR.fullmatch(low) is not None


def _render_duration(match: re.Match[str], said: str) -> str | None:
    """'How long have you lived here?' – 'ten years', 'since 2010', 'all my life'."""
    low = said.lower()
    if _DURATION.match(low) or low in ("forever", "on and off"):
        return _render_clause(match, said)
    if low.startswith("not "):
        return None
    lasting = _LASTED.search(low) is not None and read_kind(said) is not AnswerKind.OVER
    return _render_clause(match, said, "for ") if lasting else None


def _render_count(match: re.Match[str], said: str) -> str | None:
    """'How many kids do you have?' – 'three', 'two girls', '4, all grown up'."""
    counted = _COUNTED.match(said)
    if counted is None:
        return None
    number, rest = counted[0].strip(), said[counted.end() :].strip()
    what = match["what"]
    if counted["number"].lower() in ("1", "one"):
        what = _get_singular(what)
    if re.match(r"and |or |\d", rest) or re.search(r"\btimes\b", what):
        return None
    if rest and not re.match(r",|a (?:day|week|month)\b|in the|at \w+|daily", rest):
        thing = read_kind(said) is AnswerKind.THING and _is_agreeing(counted, rest)
        return _render_clause(match, said) if thing else None
    if rest.startswith(","):
        return f"{_render_clause(match, number)} {what}{rest}"
    return f"{_render_clause(match, number)} {what} {rest}".strip()


def _is_agreeing(counted: re.Match[str], rest: str) -> bool:
    """Tell whether a single word is of as many as the number says: "two girls"."""
    one = counted["number"].lower() in ("1", "one")
    return one or " " in rest or rest.endswith("s") or rest.lower() in SEVERAL


def _get_singular(what: str) -> str:
    """Return the singular of what is counted: "kids", "children"."""
    irregular = {"children": "child", "grandchildren": "grandchild", "people": "person"}
    if what in irregular:
        return irregular[what]
    if what.endswith("ies"):
        return f"{what[:-3]}y"
    return what.removesuffix("s")


def _render_distance(match: re.Match[str], said: str) -> str:
    """'How far do you live from here?' – '10 miles'."""
    away = re.search(r" from .*$", match["rest"])
    if away is None:
        return _render_clause(match, said)
    return _render_clause(match, said, until=away.start()) + replace_person(away[0])


def _render_object(match: re.Match[str], said: str) -> str:
    return _render_clause(match, said)


def _render_chosen(match: re.Match[str], said: str) -> str | None:
    """Return an answer that takes the place of a stranded word, or stands before it."""
    rest, kind = match["rest"], read_kind(said)
    if _ALONE.fullmatch(said):
        alone = rest.endswith(" with")
        return _render_clause(match, said, until=len(rest) - 5) if alone else None
    if wished := _WISHED.match(rest):
        verb = get_parts(said.partition(" ")[0].lower())[0] == VERB
        clause = _render_clause(match, said, until=wished.end(1))
        return clause + replace_person(wished[2]) if verb else None
    if kind is AnswerKind.PHRASE:
        end = _find_stranded(rest, said)
        return None if end is None else _render_clause(match, said, until=end)
    return _render_choice(match, said) if _is_choice(match, said, kind) else None


def _is_choice(match: re.Match[str], said: str, kind: AnswerKind) -> bool:
    """Tell whether words are of the kind that was asked for."""
    what, rest = match["what"], match["rest"]
    if what in ("year", "grade", "class"):
        return kind is AnswerKind.COUNT
    if kind is AnswerKind.DOING:
        # "rereading Dune", asked "What are you reading?"
        return get_parts(rest.partition(" ")[0])[0] != GERUND
    if not what and said.lower() in ("nothing", "no one", "nobody"):
        return True
    return kind is AnswerKind.THING or (not what and kind is AnswerKind.COUNT)


def _render_choice(match: re.Match[str], said: str) -> str:
    """'What do you like?', and 'What sport do you like most?' as "the sport …"."""
    what, rest = match["what"], match["rest"]
    if not what and (around := _AROUND.match(rest)):
        sentence = _render_clause(match, said, until=around.end(1))
        return sentence + replace_person(around[2])
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


def _render_manner(match: re.Match[str], said: str) -> str | None:
    found = match["rest"].startswith("find")
    if (read_kind(said) is AnswerKind.QUALITY) is not found:
        return None
    return f"I {convert_past(replace_person(' ' + match['rest']).strip())} {said}"


def _render_home(match: re.Match[str], said: str) -> str:
    return f"my {match[1].lower()} is {said}"


def _render_open(match: re.Match[str], said: str) -> str | None:
    """'Anything you don't eat?', 'Is there somebody you'd call?'."""
    if re.search(r"\bi\b", match[1], re.IGNORECASE):
        return None  # "anything you'd rather I didn't mention"
    return f"{replace_person(match[1])} {said}"


_NAMED: Final = frozenset({AnswerKind.THING, AnswerKind.QUALITY})
_STATED: Final = _NAMED | {
    *(AnswerKind.COUNT, AnswerKind.PHRASE, AnswerKind.TIME, AnswerKind.DOING),
}
_AMOUNT: Final = _NAMED | {AnswerKind.COUNT}
_ANY: Final = frozenset[AnswerKind]()
_VALUES: Final = tuple(
    (compile_lazily(pattern, re.IGNORECASE), sentence, kinds)
    for pattern, sentence, kinds in (
        (rf"how old (?P<aux>are|is) (?P<who>you|your .+|{_NAME})$", _render_age, _ANY),
        (
            (
                rf"what (?P<aux>do|does) (?P<who>you|your .+?|{_NAME}) do"
                r"(?: for work| for a living|)?$"
            ),
            _render_occupation,
            _ANY,
        ),
        (
            (
                r"what(?:'s| (?P<verb>is|are)) "
                rf"(your .+?|{_NAME}'s [\w ]+?) (?:called|named)$"
            ),
            _render_called,
            _NAMED,
        ),
        (
            (
                r"(?P<word>what|who|where|when)(?:'s| (?P<verb>is|are)) "
                r"(?P<what>your .+?(?= like$|$)|the name of your .+|the [\w ]+?)"
                r"(?: like)?$"
            ),
            _render_name,
            _STATED,
        ),
        (
            (
                r"(?P<word>how)(?:'s| (?P<verb>is|are)) (?P<what>your [\w ]+?)"
                r"(?: these days| now| lately|)$"
            ),
            _render_name,
            _STATED,
        ),
        (
            r"(?P<word>what) (?:level|grade|year) (?P<verb>is) (?P<what>your .+)$",
            _render_name,
            _STATED,
        ),
        (
            rf"how often {_AUX} {_WHO} {_REST}",
            _render_object,
            frozenset({AnswerKind.TIME}),
        ),
        (rf"how far {_AUX} {_WHO} {_REST}", _render_distance, _STATED),
        (
            rf"how much {_AUX} {_WHO} {_REST}",
            _render_object,
            _AMOUNT | {AnswerKind.TIME},
        ),
        (rf"how long {_AUX} {_WHO} {_REST}", _render_duration, _ANY),
        (rf"how many (?P<what>[\w ]+?) {_AUX} {_WHO} {_REST}", _render_count, _ANY),
        (
            (
                rf"how {_AUX} {_WHO} (?P<rest>(?:take|like|drink|eat|have) your "
                r"(?:tea|coffee|eggs?|steak|toast|meat|food|milk|\w*potatoes)\b.*)$"
            ),
            _render_object,
            _NAMED,
        ),
        (rf"where {_AUX} {_WHO} {_REST}", _render_place, _ANY),
        (rf"(?:what time|when) {_AUX} {_WHO} {_REST}", _render_time, _ANY),
        (
            (
                r"(?:what|which|who|whom)(?: (?:kind|sort|type)s? of)?"
                r"(?: (?P<what>[\w ]+?))?? "
                rf"(?P<aux>do|does|are|is|can) {_WHO} (?P<rest>(?!do\b|get up to\b).*)$"
            ),
            _render_chosen,
            _ANY,
        ),
        (
            rf"(?:(?:is|are) there )?{_SOME} (you(?:'\w+)? .+)$",
            _render_open,
            _STATED - {AnswerKind.PHRASE},
        ),
        (
            r"how did you (?P<rest>(?:meet|find|get|learn|end up|come)\b.*)$",
            _render_manner,
            frozenset({AnswerKind.PHRASE, AnswerKind.QUALITY}),
        ),
        (r"where(?:'s| is) (home|work|school)$", _render_home, _STATED),
    )
)
