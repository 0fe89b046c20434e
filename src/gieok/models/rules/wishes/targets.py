"""Which known item a wish to forget names so plainly that nothing else can be meant.

Nearness says what a wish is most likely about, never that it is about nothing else. A
wish is certain by its words: every one of them that says something stands in one known
item and in no other ("the metformin thing"), or they name a part of life, or somebody,
of which one item is known ("how old I am", "what my mum does for a living").
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from gieok.kernel.language import KnownMemory
from gieok.models.rules.activity_words import INTOLERANCE
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.english.words import NOUN, get_parts
from gieok.models.rules.lexicon import find_plain_wish, find_wish
from gieok.models.rules.linear import Numbers
from gieok.models.rules.wishes.all_about import find_items_about, find_whole_subjects
from gieok.models.rules.wishes.pointing import SURELY_POINTS, PointingChances
from gieok.models.rules.wishes.subjects import (
    FILLER,
    NOTHING,
    PERSON,
    ItemSubject,
    WishSubject,
    build_item_subject,
    extract_terms_and_people,
    has_relative_of_another,
    read_subject,
)
from gieok.text.english import stem_word
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml")
_JUST_SAID: Final = _LISTS.compile_list("wishes.just_said")
_EVERYTHING: Final = _LISTS.compile_list("wishes.everything")
SURELY_ASKS: Final = 0.5
"""How likely at least what has no word for it asks to forget something."""
LONGEST_ANSWER: Final = 200
"""Characters of what the assistant says that is no more than what was asked."""
MANY_WORDS: Final = 2
"""Words of a wish by which an item is asked about, if no other has as many."""
_REASON: Final = compile_lazily(
    r"[.;!?,]\s|\b(?:because|since|cos|cuz|so(?!-)|(?<=\w )(?<!that )it['’]s)\b"
    r"|\bits(?= [a-z]+ing\b| (?:a|so|too|not|no|none|all)\b)",
    re.IGNORECASE,
)
_APPENDED: Final = compile_lazily(
    r"^\W+(?=(?:i mean )?(?:the|that|all|everything|what|stuff)\b[^.,;!?]*"
    r"\b(?:about|regarding"
    r"|(?:i|you|u|we)(?:['’]ve)? (?:just )?(?:told|said|mentioned))\b)",
    re.IGNORECASE,
)
"""What stands before what a wish points to: "delete that, the bit about my dad"."""
_SHOWN: Final = compile_lazily(
    r"\w+ (?:\w+ ){0,2}?(?:that|this|those|these|the|my) (?P<thing>[a-z]+)",
    re.IGNORECASE,
)
_REMEMBERED: Final = _LISTS.compile_list("wishes.remembered")
_TOLD: Final = _LISTS.compile_list("wishes.told")
_TIME: Final = compile_lazily(r"\d:\d\d|\d ?(?:am|pm)\b|\d ?시(?![가-힣])")
_ELSEWHERE: Final = _LISTS.compile_list("wishes.elsewhere")
_OWNERS: Final = _LISTS.get_words("wishes.owners")
_WORD: Final = compile_lazily(r"[^\W_]+(?:'s)?")
_POINTS: Final = compile_lazily(
    r"^(?:\w+ )?(?:it|them|that (?:out|off))\b|^(?:get|take|leave) (?:it|that|this)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WishTargets:
    """What wishes to forget say of the known items, by clause."""

    named: Mapping[int, int] = field(default_factory=dict[int, int])
    """The one item that a wish names, so that nothing else can be meant."""
    unnamed: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """The items of which a wish about something just told has not a word, nor what it
    is about."""
    others: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """The items that lack a name that stands in a wish, or are of the user alone where
    it is about somebody else."""
    shared: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """The items that share a word, a person or a part of life with a wish that names
    any: no other is surely meant."""
    pointed: Mapping[int, int] = field(default_factory=dict[int, int])
    """The one item that is the message to which a wish that names nothing points."""
    everything: frozenset[int] = frozenset()
    """The wishes that name nothing but everything."""
    sure: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """The items that are surely meant: they name somebody of whom a wish means
    everything, or alone have a figure of a wish or several words of it."""
    likely: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """The items that alone have several words of a wish, or are of the kind that it
    names: asked about at least."""
    doubted: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """The items that are asked about at most, as something else may be ordered: to
    leave an ingredient out, to delete an alarm."""


def read_wish(
    candidates: Sequence[ClauseCandidate],
    place: int,
    morphology: Morphology,
    *,
    points_back: bool = False,
) -> WishSubject:
    """Return what the wish in a clause names.

    One that `points_back` means the message before it, whatever words it has itself.

    A clause that only points ("delete that, please") names what stands before it, and
    nothing at all where the user says nothing else: then it is about the answer that
    the assistant has just given.
    """
    own = candidates[place].clause.message
    before = [c for c in candidates[:place] if c.clause.message != own]
    if points_back and before and not _is_naming_thing(candidates[place].clause.text):
        earlier = before[-1].turn.text
        found = read_subject(earlier, morphology)
        return replace(found, is_said=True, message=earlier)
    for source, text in _iterate_matters(candidates, place):
        just_said = _JUST_SAID.search(text) is not None
        found = read_subject(_JUST_SAID.sub(" ", text), morphology)
        if found.is_empty:
            continue
        told = [c for c in candidates[:source] if _is_statement(c, candidates[place])]
        said = just_said or any(_is_shared(found, c, morphology) for c in told)
        return replace(
            found, is_said=said, message=_get_earlier(candidates, source, place)
        )
    return NOTHING


def _is_naming_thing(text: str) -> bool:
    """Tell whether a wish says what it means: "delete that alarm", not "that bit"."""
    wished = find_wish(text)
    shown = wished and _SHOWN.match(text[wished.start() :])
    if not shown:
        return False
    named = shown["thing"].lower()
    return get_parts(named)[:1] == NOUN and stem_word(named) not in FILLER


def _get_earlier(candidates: Sequence[ClauseCandidate], source: int, place: int) -> str:
    """Return the message of a clause that stands in an earlier one than another."""
    turn = candidates[source].turn
    return "" if turn.index == candidates[place].turn.index else turn.text


def find_named_item(wish: WishSubject, items: Sequence[ItemSubject]) -> int | None:
    """Return the one known item that a wish names, None where it may be another."""
    found = [place for place, item in enumerate(items) if _is_named(wish, item)]
    return found[0] if len(found) == 1 else None


def find_wish_targets(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    slots: Sequence[frozenset[str]],
    pointing: PointingChances,
    asking: Numbers,
    morphology: Morphology,
) -> WishTargets:
    """Return which known items the wishes to forget name, and which they do not.

    `asking` says how likely each clause is one; what has the words of one is, too.
    """
    back = {
        n
        for n in range(len(candidates))
        if pointing.messages[n] >= SURELY_POINTS
        or (
            candidates[n].flags["forget"]
            and pointing.clauses[n] >= SURELY_POINTS
            and _read_beside(candidates, n, morphology).is_empty
        )
    }
    wishing = [
        n
        for n, c in enumerate(candidates)
        if n in back or c.flags["forget"] or asking[n] >= SURELY_ASKS
    ]
    wishes = {
        n: read_wish(candidates, n, morphology, points_back=n in back) for n in wishing
    }
    if not wishes:
        return WishTargets()
    pairs = zip(known, slots, strict=True)
    items = [build_item_subject(item, own, morphology) for item, own in pairs]
    named, pointed = dict[int, int](), dict[int, int]()
    unnamed, others, shared = (dict[int, frozenset[int]]() for _ in range(3))
    everything = frozenset(
        place
        for place, wish in wishes.items()
        if wish == NOTHING and has_everything(candidates[place].clause.text)
    )
    for place, wish in wishes.items():
        message = [n for n, i in enumerate(items) if _is_same(i.content, wish.message)]
        if message:
            pointed[place] = message[-1]
            continue
        if wish.is_said:
            own = read_subject(candidates[place].clause.text, morphology)
            unnamed[place] = _find_unnamed_items(wish, items) & _find_unnamed_items(
                own, items
            )
            continue
        others[place] = _find_other_items(wish, items)
        if not wish.is_empty:
            shared[place] = _find_shared_items(wish, candidates[place], items)
        item = (
            _find_answered_item(candidates[place].turn.asked, items, morphology)
            if wish.is_empty
            else find_named_item(wish, items)
        )
        if item is not None:
            named[place] = item
    about = {
        n: find_items_about(
            find_whole_subjects(candidates[n].clause.text, morphology), items
        )
        for n in wishes
    }
    return WishTargets(
        named,
        unnamed,
        others,
        shared,
        pointed,
        everything,
        sure={
            n: about[n] | _list_certain(candidates[n].clause.text, wish, named.get(n))
            for n, wish in wishes.items()
        },
        likely={n: _find_likely_items(wish, items) for n, wish in wishes.items()},
        doubted={
            n: _find_doubted_items(candidates[n], items, about[n]) for n in wishes
        },
    )


def _find_likely_items(
    wish: WishSubject, items: Sequence[ItemSubject]
) -> frozenset[int]:
    """Return the item that has more words of a wish than any other, and several.

    "Forget about Ines being a nurse at Jimmy's" may mean "she's a nurse at Jimmy's".
    Of what is only called by its kind it is the one item of that kind: of 120 such
    wishes in `training/` 107 mean it.
    """
    if wish.kinds and not wish.terms:
        only = find_named_item(wish, items)
        return frozenset(() if only is None else (only,))
    counts = [sum(map(item.has_term, wish.terms)) for item in items]
    most = max(counts, default=0)
    if most < MANY_WORDS or counts.count(most) > 1:
        return frozenset()
    return frozenset({counts.index(most)})


def _find_doubted_items(
    candidate: ClauseCandidate, items: Sequence[ItemSubject], about: frozenset[int]
) -> frozenset[int]:
    """Return the items that a wish may not mean, though it has their words.

    "땅콩 들어간 거 다 빼줘" erases no allergy, unless it speaks of one or means all
    `about` somebody, nor "delete the photos of Seo" a daughter.
    """
    text = candidate.clause.text
    if find_plain_wish(text) is not None or _REMEMBERED.search(text):
        return frozenset()
    if _ELSEWHERE.search(candidate.turn.text):
        return frozenset(range(len(items)))
    if INTOLERANCE.search(text):
        return frozenset()
    return frozenset(
        place
        for place, item in enumerate(items)
        if place not in about and INTOLERANCE.search(item.content)
    )


def _is_same(said: str, message: str) -> bool:
    """Tell whether two texts are one message, spelled as it was said or as it is read.

    Without capitals and apostrophes, which the user may have left out.
    """
    one, other = (
        text.casefold().replace("'", "").replace("’", "") for text in (said, message)
    )
    return bool(one) and one == other


def _read_beside(
    candidates: Sequence[ClauseCandidate], place: int, morphology: Morphology
) -> WishSubject:
    """Return what the clauses before one name in its message.

    "괜한 소리 했네" names nothing.
    """
    own = candidates[place].clause.message
    before = [c.clause.text for c in candidates[:place] if c.clause.message == own]
    return read_subject(" ".join(before), morphology)


def has_everything(text: str) -> bool:
    """Tell whether a wish has a word for everything."""
    return _EVERYTHING.search(text) is not None


def _find_unnamed_items(
    wish: WishSubject, items: Sequence[ItemSubject]
) -> frozenset[int]:
    """Return the items that share nothing with what a wish names."""
    return frozenset(
        place
        for place, item in enumerate(items)
        if not any(map(item.has_term, wish.terms))
        and wish.people.isdisjoint(item.people)
        and wish.kinds.isdisjoint(item.kinds)
    )


def _find_other_items(
    wish: WishSubject, items: Sequence[ItemSubject]
) -> frozenset[int]:
    """Return the items that lack a name in a wish, or somebody whom it names.

    "Forget that I work at Barclays" does not surely mean another employer, nor
    "forget my sister's job" one's own.
    """
    return frozenset(
        place
        for place, item in enumerate(items)
        if not all(map(item.has_term, wish.names))
        or (wish.people and item.is_of_user_alone)
    )


def _find_owner(text: str) -> str:
    """Return whose somebody is whom a wish names, if that is not the user."""
    for one, other in pairwise(_WORD.findall(text.lower())):
        bare = one.removesuffix("'s").removesuffix("의")
        owned = one.endswith("'s") or has_hangul(other) or other in PERSON
        if bare in _OWNERS and owned:
            return bare
    return ""


def _find_shared_items(
    wish: WishSubject, candidate: ClauseCandidate, items: Sequence[ItemSubject]
) -> frozenset[int]:
    """Return the items that share with a wish what it names.

    "My sister" shares nothing with somebody else's: "Dolores moved her sister in"; nor
    a neighbour's dog with one's own.
    """
    owner = _find_owner(candidate.clause.text)
    is_of_another = has_relative_of_another(candidate.clause.text)
    return frozenset(
        place
        for place, item in enumerate(items)
        if owner in item.content.lower()
        and (
            any(map(item.has_kindred, wish.terms))
            or (wish.people & item.people and item.is_of_another == is_of_another)
            or wish.kinds & item.kinds
        )
    )


def _find_answered_item(
    answer: str, items: Sequence[ItemSubject], morphology: Morphology
) -> int | None:
    """Return the one known item that the assistant has just named."""
    if not answer or len(answer) > LONGEST_ANSWER:
        return None
    terms, _ = extract_terms_and_people(answer, morphology)
    found = [n for n, item in enumerate(items) if item.terms and item.terms <= terms]
    return found[0] if len(found) == 1 else None


def _is_named(wish: WishSubject, item: ItemSubject) -> bool:
    """Tell whether every word of a wish, and whom and what it names, is an item's."""
    about = wish.people <= item.people
    if wish.people and wish.is_of_another != item.is_of_another:
        return False
    if not about or (wish.kinds and wish.kinds.isdisjoint(item.kinds)):
        return False
    if wish.terms:
        return all(map(item.has_term, wish.terms)) and _is_telling(wish, item)
    return wish.people == item.people and len(wish.kinds) <= 1


def _is_telling(wish: WishSubject, item: ItemSubject) -> bool:
    """Tell whether the words that a wish shares with an item name what it is about.

    A verb alone does not, nor what is said of somebody whom the wish does not name.
    """
    named = any(term.capitalize() in item.content for term in wish.terms)
    if not all(map(has_hangul, wish.terms)) and not named and not wish.people:
        return not (wish.terms <= wish.verbs or item.people)
    return True


def _list_certain(text: str, wish: WishSubject, named: int | None) -> frozenset[int]:
    """Return the item that a wish names, if by a figure or by several words.

    That is meant: of 107 such wishes in `training/` by 28 hands always, where one word
    alone was misleading in 20 of 317. But "forget the olive oil" is said while cooking,
    and a time of the day says little.
    """
    if named is None or _TIME.search(text) or not _TOLD.search(text):
        return frozenset()
    figures = (term for term in wish.terms if term.isdecimal())
    much = len(wish.terms) > 1 or any(len(figure) > 1 for figure in figures)
    return frozenset({named} if much else ())


def _is_statement(candidate: ClauseCandidate, wish: ClauseCandidate) -> bool:
    """Tell whether a clause before a wish tells something of its own."""
    flags = candidate.flags
    asks = flags["question_mark"] or flags["question_korean"] or flags["forget"]
    return candidate.clause.message != wish.clause.message and not asks


def _is_shared(
    wish: WishSubject, candidate: ClauseCandidate, morphology: Morphology
) -> bool:
    terms, people = extract_terms_and_people(candidate.clause.text, morphology)
    return bool(wish.terms & terms or wish.people & people)


def _iterate_matters(
    candidates: Sequence[ClauseCandidate], place: int
) -> Iterator[tuple[int, str]]:
    """Yield the texts that may say what a wish is about, and of which clause they are.

    The likeliest comes first.
    """
    text = candidates[place].clause.text
    wished = find_wish(text)
    start, end = wished.span() if wished else (len(text), len(text))
    if not has_hangul(text) and not _POINTS.search(text[start:]):
        behind = _APPENDED.sub("", text[end:])
        yield place, _REASON.split(behind, maxsplit=1)[0]
    yield place, text[:start]
    own, earlier = candidates[place].clause.message, None
    for before in range(place - 1, -1, -1):
        message = candidates[before].clause.message
        if message != own:
            earlier = message if earlier is None else earlier
            if message != earlier:
                return
        yield before, candidates[before].clause.text
