"""Puts a few words that are no sentence into the yes-or-no question they answer.

"Any pets?" – "Two cats"; "Do you climb?" – "Twice a week"; "Are you married?" –
"Widowed". Words are put only where the question has a place of their kind.
"""

import re
from typing import Final

from gieok.models.rules.english.answer_reading import (
    AnswerKind,
    is_agent,
    is_of_time,
    read_kind,
    trim_approximate,
)
from gieok.models.rules.english.answer_turning import join_polar
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.grammar import PREPOSITIONS, SEVERAL, TIMES
from gieok.models.rules.english.vocabulary import (
    DETERMINERS,
    NO_PLACE,
    OVER,
    SMALL,
    TIMED,
)
from gieok.models.rules.english.words import (
    ADJECTIVE,
    ADVERB,
    GERUND,
    NOUN,
    VERB,
    get_parts,
    is_known,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

FEW_WORDS: Final = 2
_LIMITING: Final = _LISTS.compile_list("english.limiting")
_DONE: Final = _LISTS.get_words("english.done")
_COUNTED: Final = compile_lazily(
    r"^(?:an?|the|my|one|two|three|four|five|six|\d+)\b", re.IGNORECASE
)
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
    r"^(?P<verb>eat|drink|play|take|wear|grow) (?P<article>an? )?(?:\w+ )?"
    r"(?P<noun>\w*[^\Ws])$",
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
_PLACING: Final = frozenset({"at", "in", "for", "to"})
_ANY_OBJECT: Final = compile_lazily(r"^(\w+) any( (?:\w+)(?: \w+)*)$")
_OWNING: Final = compile_lazily(
    r"^(?:(?:do|does) (?:have|got)|(?:have|has) (?:got|any|an?))\b", re.IGNORECASE
)
_BEING: Final = frozenset({"are", "is", "was", "were"})
_UNNAMED: Final = compile_lazily(r"^any(?:one|body|thing)\b")
_POSSESSIVE: Final = compile_lazily(r"^(?:my|our|his|her|their)\b", re.IGNORECASE)
_JUDGED: Final = frozenset({"well", "much", "enough", "early", "late", "properly"})
_PERSONAL: Final = compile_lazily(r"\b(?:i|you|we|he|she|they)\b", re.IGNORECASE)
_LEADING: Final = compile_lazily(r"^(?:just|only|mostly|mainly)\b", re.IGNORECASE)


def render_fragment(polar: tuple[str, str, str], said: str, most: int) -> str | None:
    """Return a few words in the place they have in a question, or nothing."""
    auxiliary, subject, rest = polar
    kind = read_kind(said)
    had = re.match(r"(?:(?:have|got) )?(?:any )?(.+)$", rest)
    owning = _OWNING.match(f"{auxiliary} {rest}") is not None
    chosen = not owning and " or " in rest
    whole = kind is AnswerKind.CLAUSE and not said.lower().startswith("when ")
    if len(said.split()) > most or whole or chosen or _PERSONAL.search(said):
        return None
    if auxiliary in _BEING:
        return _render_being(polar, said, kind)
    joined = _join_phrase(rest, said) if auxiliary in ("do", "does") else None
    if joined and (auxiliary == "do" or not _ONLY_ME.match(said)):
        return join_polar(auxiliary, subject, joined, denied=False)
    if _LIMITING.match(said):
        return None
    if had and owning and kind is not AnswerKind.TIME:
        return _render_had(polar, had[1], said, kind)
    return _render_added(polar, said, kind) if auxiliary in ("do", "does") else None


def _render_being(
    polar: tuple[str, str, str], said: str, kind: AnswerKind
) -> str | None:
    """'Are you engaged?' – 'since May'; 'Are you married?' – 'Widowed'."""
    since = said.lower().startswith("since ") and kind is AnswerKind.TIME
    if since and polar[0] in ("are", "is") and not TIMED.search(polar[2]):
        return f"{join_polar(*polar, denied=False)}, {said}"
    if (polar[0], polar[1].lower()) != ("are", "you"):
        return None
    return _render_state(polar[2], said, kind)


def _join_phrase(rest: str, said: str) -> str | None:
    """Return what is done, with a few words that say more of it, or nothing.

    "Play piano", asked "play an instrument"; "live in Leeds", asked "live nearby".
    """
    if _ONLY_ME.match(said):
        return rest if rest.endswith(" alone") else None
    if rest.startswith("work") and _HOURS.fullmatch(said):
        return f"{_HOURS.sub('', rest).strip()} {said}"
    if rest in ("work", "work in an office") and said.lower() == "from home":
        return "work from home"
    if (asked := _CONSUMED.match(rest)) and (noun := _JUST.match(said)):
        return _join_consumed(asked, noun, said)
    return _add_phrase(rest, said)


def _join_consumed(asked: re.Match[str], noun: re.Match[str], said: str) -> str | None:
    """Return "drink wine", asked "drink alcohol"; nothing for who drinks it."""
    named = noun["noun"]
    thing = get_parts(named.lower())[0] == NOUN and named.islower() and is_known(named)
    kind = read_kind(said) is AnswerKind.THING and not is_agent(named)
    other = asked["noun"].lower() != named.lower()
    fits = thing and kind and other and named not in TIMES | _NOTHING
    return f"{asked['verb']} {said}" if fits else None


def _add_phrase(rest: str, said: str) -> str | None:
    """Return "work at Tesco", asked "work", which names no place or aim itself."""
    lows = rest.lower().split()
    words = said.split()
    placed = get_first(said) in _PLACING and len(words) > 1
    open_ended = PREPOSITIONS.isdisjoint(lows) and len(lows) <= FEW_WORDS
    if not (placed and open_ended) or lows[0] in ("have", "got"):
        return None
    if lows[-1] in _JUDGED or TIMED.search(said) or OVER.search(said):
        return None
    if _is_aim(said) or "," in said or re.search(r"\d", said) or NO_PLACE.match(said):
        return None
    return f"{_NEARBY.sub('', rest.replace(' any ', ' '))} {said}"


def _is_aim(said: str) -> bool:
    """Tell whether words say what for: "to relax"."""
    words = said.lower().split()
    aimed = len(words) > 1 and words[0] == "to"
    return aimed and words[1] not in DETERMINERS and get_parts(words[1])[0] == VERB


def _render_added(
    polar: tuple[str, str, str], said: str, kind: AnswerKind
) -> str | None:
    """'Do you climb?' – 'Twice a week'; 'Do you live alone?' – 'with my wife'."""
    auxiliary, subject, rest = polar
    verb = _ANY_OBJECT.match(rest)
    if auxiliary == "do" and verb and kind is AnswerKind.THING:
        return join_polar(auxiliary, subject, f"{verb[1]} {said}", denied=False)
    if replaced := _replace_phrase(rest, said):
        return join_polar(auxiliary, subject, replaced, denied=False)
    again = TIMED.search(rest) is not None and _AGAIN.match(said) is None
    judged = rest.split()[-1:] and rest.split()[-1] in _JUDGED
    if again or judged or kind is not AnswerKind.TIME:
        return None
    return f"{join_polar(auxiliary, subject, rest, denied=False)}, {said}"


def _render_had(
    polar: tuple[str, str, str], noun: str, said: str, kind: AnswerKind
) -> str | None:
    """'Any pets?' – 'Two cats'; "a dog" is no answer to be put beside "cat"."""
    auxiliary, subject, rest = polar
    doing = kind is AnswerKind.DOING and get_last_noun(noun) in _DONE
    if kind not in (AnswerKind.THING, AnswerKind.COUNT) and not doing:
        return None
    if auxiliary in ("does", "has"):
        if _COUNTED.match(noun):
            return None  # "a boyfriend", asked "Does your son have a girlfriend?"
        return f"{join_polar(auxiliary, subject, rest, denied=False)}: {said}"
    if kind is AnswerKind.COUNT:
        return _render_number(noun, said)
    return _render_owned(noun, said)


def _render_number(noun: str, said: str) -> str | None:
    """'Any kids?' – '3'; 'Do you have a dog?' – 'two'."""
    if _COUNTED.match(noun):
        return f"I have {said}"
    plural = (noun.endswith("s") or noun in SEVERAL) and " " not in noun
    single = said.lower() in ("1", "one")
    return f"I have {said} {noun}" if plural and not single else None


def _render_owned(noun: str, said: str) -> str | None:
    """'Any pets?' – 'a cat'; 'Do you have a car?' – 'company car'."""
    if _UNNAMED.match(noun):
        return f"I have {_UNNAMED.sub(said, noun)}"
    plain = trim_approximate(said)
    if _POSSESSIVE.match(plain):
        return f"I have {noun}: {said}" if " or " not in noun else None
    if _COUNTED.match(plain) or get_first(plain) in DETERMINERS:
        return f"I have {said}"
    alike = {get_last_noun(each) for each in noun.split(" or ")}
    described = get_parts(get_first(plain))[0] == ADJECTIVE
    if get_last_noun(plain) in alike or (described and plain.endswith(" one")):
        return _render_named(noun, plain, said)
    return _render_listed(noun, said)


def _render_named(noun: str, plain: str, said: str) -> str | None:
    """Return what is said to be had by the noun of the question: "company car"."""
    if _is_plural(plain):
        return f"I have {said}"
    single = re.match(r"an? ", noun) is not None
    return f"I have {select_article(plain)} {plain}" if single else None


def _render_listed(noun: str, said: str) -> str | None:
    """'Any allergies?' – 'latex'; 'Do you have a dog?' – 'Rex'."""
    if " or " in noun or (_COUNTED.match(noun) and said.islower() and is_known(said)):
        return None
    listed = get_last_noun(noun) in _NOTHING | {"allergie"}
    if _LEADING.match(said) and not listed:
        return f"I have {said}" if _is_plural(said) else None
    return f"I have {noun}: {said}"


def _is_plural(said: str) -> bool:
    """Tell whether words end with a plural."""
    return said.endswith("s") and not said.endswith("ss")


def _render_state(rest: str, said: str, kind: AnswerKind) -> str | None:
    """'Are you married?' – 'Widowed'; 'Are you from Leeds?' – 'Oslo'."""
    if rest.lower() in _LASTING and _SINCE.match(said):
        return f"I am {rest}, {said}"
    words = said.split()
    article = re.match(r"an? ", said) is not None
    plain = not re.search(r"\d", said) and len(words) <= FEW_WORDS + article
    if not plain or len(rest.split()) > FEW_WORDS or not rest:
        return None
    opening = get_first(rest)
    if opening in PREPOSITIONS and " " in rest:
        return _render_governed(opening, said, kind)
    if opening in ("a", "an"):
        return _render_role(said, kind, article=article)
    return f"I am {said}" if _is_state(rest, said, kind) else None


def _render_governed(opening: str, said: str, kind: AnswerKind) -> str | None:
    """'Are you from Leeds?' – 'Oslo'; 'Are you on medication?' – 'insulin'."""
    surely = kind is AnswerKind.THING and get_first(said) not in SMALL
    placed = opening == "at" and said.lower() in ("home", "work", "school")
    if not (surely or placed) or opening in ("over", "under", "about"):
        return None
    known = [word for word in said.lower().split() if get_parts(word)[0] == ADVERB]
    return None if known else f"I am {opening} {said}"


def _render_role(said: str, kind: AnswerKind, *, article: bool) -> str | None:
    """'Are you a nurse?' – 'midwife', 'a doctor', 'retired'."""
    if kind is AnswerKind.QUALITY:
        return f"I am {said}"
    agent = kind is AnswerKind.THING and is_agent(said.rpartition(" ")[2].lower())
    if not agent:
        return None
    return f"I am {said}" if article else f"I am {select_article(said)} {said}"


def _is_state(rest: str, said: str, kind: AnswerKind) -> bool:
    """Tell whether words are a state of the kind that was asked about."""
    if get_first(said) in SMALL | DETERMINERS or rest.startswith("the "):
        return False
    if get_parts(get_first(rest))[0] == GERUND:
        alone = " " not in rest and kind is AnswerKind.DOING
        return alone or (kind is AnswerKind.QUALITY and " " not in rest)
    unknown = not is_known(get_first(said)) and not is_known(get_first(rest))
    if rest[:1].isupper():
        return unknown and " " not in rest
    if kind is AnswerKind.QUALITY:
        return True
    return kind is AnswerKind.THING and unknown


def _replace_phrase(rest: str, said: str) -> str | None:
    """Return "live with my wife" for "live with your family", answered with "with …".

    Nothing if the question has no phrase of the kind that was answered.
    """
    opening = get_first(said)
    place = re.search(rf"\b{re.escape(opening)}\b", rest) if opening else None
    if (
        opening not in PREPOSITIONS
        or _is_aim(said)
        or is_of_time(said)
        or OVER.search(said)
    ):
        return None
    if opening == "with" and rest.endswith(" alone"):
        return f"{rest.removesuffix('alone')}{said}"
    return f"{rest[: place.start()]}{said}" if place and " " in said else None


def get_first(text: str) -> str:
    """Return the first word in lower case, without signs."""
    return text.partition(" ")[0].lower().strip(",.!")


def get_last_noun(text: str) -> str:
    """Return the last word, in the singular."""
    return text.rpartition(" ")[2].lower().rstrip("s")
