"""The death of a person or pet ends what is known of them as living.

"Biscuit died on Tuesday" shares no word but the name with "The user's cat Biscuit is
7". What is known of whoever has that name, or is the only one of their kind, gives way
to when they died, which says who they were.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.relation import PLAINLY_STATED, ItemRelation
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.models.rules.english.vocabulary import PERSONS
from gieok.models.rules.flags import NOT_ASSERTED
from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.subjects import PLACES
from gieok.models.rules.lexicon import (
    ACQUAINTANCES_EN,
    ACQUAINTANCES_KO,
    KIN_KO,
    PETS,
)
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.changes", "deaths.toml")

_STATED_EN: Final = _LISTS.compile_list("deaths.stated_en")
_STATED_KO: Final = _LISTS.compile_list("deaths.stated_ko")
_NOT: Final = _LISTS.compile_list("deaths.not")
_PARTED: Final = _LISTS.compile_list("deaths.parted")
_PLACES: Final = "|".join(sorted(_LISTS.get_words("deaths.places") | PLACES))
_RETURNED: Final = compile_lazily(
    rf"(?<!하늘)(?:{_PLACES})(?:으로|로|에) ?"
    r"(?:(?:다시|도로|바로|그냥|일찍|잘) )?(?:돌아가|떠나 ?보냈)"
)
"""Who went back to a place: "집에 돌아가셨어", but not "폐렴으로 돌아가셨어"."""
_ELDERS: Final = _LISTS.get_words("deaths.elders")
_DEAD: Final = _LISTS.compile_list("deaths.dead")
_KIN_EN: Final = "|".join(sorted(PERSONS, key=len, reverse=True))
_BEING_EN: Final = compile_lazily(
    r"^(?:The )?[Uu]ser(?:'s | has (?:a |an |one |their )?)(?:[a-z-]+ ){0,3}?"
    rf"(?P<noun>{_KIN_EN})(?:"
    r"(?:'s name is|,? (?:is )?(?:called|named)) (?P<called>[A-Z][\w-]+)"
    r"|(?:'s name is| is (?:called|named)) (?P<typed>[a-z][\w-]+)"
    r"|,? (?P<name>[A-Z][\w-]+)|,? |$)"
)
_TYPED_EN: Final = compile_lazily(
    r"^(?:The )?[Uu]ser has (?:got )?(?:a|an|one|their) (?:[a-z-]+ ){0,3}?"
    rf"(?P<noun>{_KIN_EN}) (?:called|named) (?P<name>[a-z][\w-]+)"
)
"""Names without a capital, which only such a sentence surely holds."""
_KIN_KO: Final = "|".join(sorted(KIN_KO, key=len, reverse=True))
_BEING_KO: Final = compile_lazily(
    rf"^사용자(?:의|는) (?P<noun>{_KIN_KO})"
    r"(?:(?:의)? 이름은 (?P<called>[가-힣]{1,4}?)이?(?:이다|다|이고|고)"
    r"| (?P<name>[가-힣]{1,4}?)이?(?:은|는|가|을|를|랑|와|과|도)? |[가-힣]* )"
)
_CALLED_KO: Final = compile_lazily(
    rf"^사용자는 (?P<noun>{_KIN_KO})(?:[을를]|(?:[을를]? 한 마리[를을]?))? "
    r".{0,15}?(?:\(|(?:데|고|며|,) )이름(?:은|이)? "
    r"(?P<name>[가-힣]{1,4}?)이?(?:라고|라는|이다|\))"
    r"|^사용자는 (?P<named>[가-힣]{1,4}?)이?라는 (?:[가-힣]+ )?"
    rf"(?P<kind>{_KIN_KO})[을를]"
)
"""Names that stand apart from what they are of: "햄스터를 키운다(이름 콩이)"."""
_KIND_KO: Final = compile_lazily(r"(?<=[가-힣])\((?!이름)[^()]*\)")
"""What a memory says beside a name: "초코(푸들)"."""
_PARTICLES_KO: Final = compile_lazily(
    r"(?<=[가-힣])(?:께서는|께서|은|는|이|가|도|를|을)$"
)
_NAMED_EN: Final = compile_lazily(r"^(?P<name>[A-Z][\w-]+)(?:'s| is| has| was)\b")
_OTHERS: Final = ACQUAINTANCES_EN | ACQUAINTANCES_KO
_WORD: Final = compile_lazily(r"[\w'-]+")
_DAY: Final = compile_lazily(r"\d{4}-\d\d-\d\d")


class KnownBeing(NamedTuple):
    """A person or pet of the user's, as a memory speaks of them."""

    noun: str
    """What they are to the user, or nothing."""
    name: str


def find_deaths(
    candidates: Sequence[ClauseCandidate], known: Sequence[KnownMemory], today: date
) -> list[ItemRelation]:
    """Return which known items are of somebody who is stated to have died."""
    dead = {
        place: said
        for place, candidate in enumerate(candidates)
        if (said := find_dead(candidate))
    }
    if not dead:
        return []
    beings = {
        place: being
        for place, item in enumerate(known)
        if (being := read_being(item.content)) and not _DEAD.search(item.content)
    }
    found: list[ItemRelation] = []
    for place, said in dead.items():
        own = _select_meant(said, beings)
        if _PARTED.search(candidates[place].clause.text):
            own = {item: one for item, one in own.items() if one.noun in PETS | _ELDERS}
        day = candidates[place].turn.day or today
        for item, told in _render_deaths(own, candidates[place], day, known):
            updates = FindingOperation.UPDATE if told else FindingOperation.DELETE
            found.append(
                ItemRelation(place, item, updates, PLAINLY_STATED, remaining=told)
            )
    return found


def find_dead(candidate: ClauseCandidate) -> frozenset[str]:
    """Return the words of a clause for somebody who died, in lower case."""
    text = candidate.clause.text.replace("’", "'")
    unmeant = candidate.has_flag(*NOT_ASSERTED)
    said = candidate.turn.text
    if unmeant or _NOT.search(said) or _RETURNED.search(said):
        return frozenset()
    stated = (_STATED_EN if is_english(text) else _STATED_KO).search(text)
    if stated is None:
        return frozenset()
    said = next(group for group in stated.groups() if group)
    words = [word.lower() for word in _WORD.findall(said)]
    if any(word in _OTHERS or word.endswith("'s") for word in words[:-1]):
        return frozenset()
    plain = {_PARTICLES_KO.sub("", word.removesuffix("'s")) for word in words}
    return frozenset(plain | {word.removesuffix("이") for word in plain})


def read_being(content: str) -> KnownBeing | None:
    """Return of whom a memory speaks, if that is a person or pet of the user's."""
    text = _KIND_KO.sub("", content.replace("’", "'"))
    apart = _CALLED_KO.match(text)
    if apart is not None:
        noun, name = apart["noun"] or apart["kind"], apart["name"] or apart["named"]
        return KnownBeing(noun, name)
    pattern = _BEING_KO if has_hangul(content) else _BEING_EN
    found = _TYPED_EN.match(text) or pattern.match(text)
    if found is not None:
        groups = found.groupdict()
        names = (groups.get("called"), groups.get("typed"), groups["name"])
        return KnownBeing(found["noun"], next(filter(None, names), ""))
    named = _NAMED_EN.match(content)
    return KnownBeing("", named["name"]) if named else None


def _select_meant(
    said: frozenset[str], beings: Mapping[int, KnownBeing]
) -> dict[int, KnownBeing]:
    """Return those who are said to be dead: of the name, or the only one of a kind."""
    named = {place: one for place, one in beings.items() if _is_called(one, said)}
    if named:
        return named
    kind = {place: one for place, one in beings.items() if one.noun in said}
    names = {one.name for one in kind.values() if one.name}
    nouns = {one.noun for one in kind.values()}
    return kind if len(names) <= 1 and len(nouns) == 1 else {}


def _is_called(being: KnownBeing, said: frozenset[str]) -> bool:
    name = being.name.lower()
    return bool(name) and (name in said or name.removesuffix("이") in said)


def _render_deaths(
    own: Mapping[int, KnownBeing],
    candidate: ClauseCandidate,
    day: date,
    known: Sequence[KnownMemory],
) -> Iterator[tuple[int, str]]:
    """Yield what ends with somebody, and once what is true instead."""
    if not own:
        return
    when = _find_day(candidate.clause.text, day)
    noun = next((one.noun for one in own.values() if one.noun), "")
    name = next((one.name for one in own.values() if one.name), "")
    first, *others = sorted(own, key=lambda place: not own[place].noun)
    yield first, _render_death(KnownBeing(noun, name), when, known[first].content)
    yield from ((place, "") for place in others)
    if noun in PETS and name:
        for place, item in enumerate(known):
            if place not in own and re.search(rf"\b{re.escape(name)}", item.content):
                yield place, ""


def _find_day(said: str, day: date) -> str:
    """Return when it was: the day that is named, in the past, or that of the talk."""
    found = _DAY.search(resolve_dates(said, day))
    named = date.fromisoformat(found[0]) if found else day
    while named > day:
        named -= timedelta(weeks=1)
    return named.isoformat()


def _render_death(being: KnownBeing, when: str, content: str) -> str:
    if has_hangul(content):
        who = f"사용자의 {being.noun} {being.name}".strip()
        subject = append_particle(who, "이가" if being.name else "이", "가")
        return f"{subject} 세상을 떠났다 ({when})"
    name = being.name[:1].upper() + being.name[1:]
    who = f"The user's {being.noun} {name}" if being.noun else name
    return f"{who.strip()} died ({when})"
