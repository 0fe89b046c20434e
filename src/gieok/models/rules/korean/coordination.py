"""Finds the nouns that a Korean sentence coordinates, and writes it with fewer."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from gieok.models.rules.coordination_parts import Coordination
from gieok.models.rules.korean.endings import has_final
from gieok.models.rules.korean.subjects import CIRCUMSTANCES, TRANSITIVE
from gieok.models.rules.korean.vocabulary import KIN
from gieok.text.kiwi import Morph, get_shared_morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_JOINING: Final = _LISTS.get_words("coordination.joining_ko")
_DOING: Final = _LISTS.get_words("coordination.doing_ko")
_COLLECTIVE: Final = _LISTS.get_words("coordination.collective_ko")
_OPENED: Final = _LISTS.get_spellings("coordination.particles_ko")
_CLOSED: Final = {opened: closed for closed, opened in _OPENED.items()}
_INVARIANT: Final = _LISTS.get_words("coordination.invariant_ko")
_LIVING: Final = KIN | _LISTS.get_words("coordination.people_ko")
NOUNS: Final = ("NNG", "NNP", "XSN", "SL", "SN", "XPN", "NR", "NNB", "MM")
NAMES: Final = ("NNG", "NNP", "XSN", "SL", "SN", "XPN")
_BEFORE: Final = ("JX", "JKS", "MAG", "JKB")
_SUFFIX: Final = "XSV"
_DONE_AND: Final = [("하", "VV"), ("고", "EC")]
_RIEUL: Final = 8  # of the 28 finals of a syllable


def find_korean_coordination(sentence: str) -> Coordination | None:
    """Return the nouns that a sentence coordinates, with what is around them."""
    morphemes = get_shared_morphology().analyze(sentence)
    chains = [chain for chain in _find_chains(morphemes) if len(chain) > 1]
    if not chains:
        return None
    chain = _trim_last(morphemes, _trim_first(morphemes, chains[0]))
    if any(start >= end for start, end in chain):
        return None
    return _build_coordination(sentence, morphemes, chain, is_sure=len(chains) == 1)


def _find_chains(
    morphemes: Sequence[Morph],
) -> Iterator[list[tuple[int, int]]]:
    """Yield runs of nouns that are joined, each as the places of its morphemes."""
    chain: list[tuple[int, int]] = []
    place = 0
    while place < len(morphemes):
        end = _skip_nouns(morphemes, place)
        if end == place:
            place += 1
            continue
        chain.append((place, end))
        place = _skip_link(morphemes, end)
        if place == end or _skip_nouns(morphemes, place) == place:
            yield chain
            chain = []


def _skip_nouns(morphemes: Sequence[Morph], place: int) -> int:
    while place < len(morphemes) and morphemes[place].tag in NOUNS:
        place += 1
    return place


def _skip_link(morphemes: Sequence[Morph], place: int) -> int:
    """Return where the noun after a link begins, or the place itself without one."""
    rest = morphemes[place : place + 2]
    if not rest:
        return place
    one = rest[0]
    if _is_and(morphemes, place):
        return place + 2
    joins = one.tag in ("JC", "SP", "JX", "MAG", "MAJ") and one.form in _JOINING
    if not joins or (one.tag == "JX" and not _is_repeated(morphemes, place)):
        return place
    comma = one.form != "," and [m.form for m in rest[1:]] == [","]
    return place + (2 if comma else 1)


def _is_and(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether "하고" stands there, which Kiwi takes for a verb."""
    return [(m.form, m.tag) for m in morphemes[place : place + 2]] == _DONE_AND


def _is_maybe_done(morphemes: Sequence[Morph], last: int) -> bool:
    """Tell whether "하고" before the last noun may say that something is done."""
    if not any(_is_and(morphemes, place) for place in range(last)):
        return False
    verb = next((m.form for m in morphemes[last:] if m.tag == "VV"), "")
    return verb not in _DOING


def _is_repeated(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether "도" joins: it does after each of several ("고양이도 강아지도")."""
    alike = [n for n, m in enumerate(morphemes) if m.form == "도" and m.tag == "JX"]
    return len(alike) > 1 and place in alike[:-1]


def _trim_first(
    morphemes: Sequence[Morph], chain: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Leave the times out that stand before the first noun ("매일 커피랑")."""
    start, end = chain[0]
    while start < end - 1 and morphemes[start].form in CIRCUMSTANCES:
        start += 1
    return [(start, end), *chain[1:]]


def _trim_last(
    morphemes: Sequence[Morph], chain: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Leave what is done out of the last noun ("왓챠 구독한다", "왓챠 구독 중이다")."""
    start, end = chain[-1]
    following = morphemes[end].tag if end < len(morphemes) else ""
    if following == "VCP" and morphemes[end - 1].form == "중":
        end -= 2
    elif following == _SUFFIX:
        end -= 1
    return [*chain[:-1], (start, end)]


def _build_coordination(
    text: str,
    morphemes: Sequence[Morph],
    chain: Sequence[tuple[int, int]],
    *,
    is_sure: bool,
) -> Coordination:
    spans = [(morphemes[a].start, morphemes[b - 1].end) for a, b in chain]
    words = tuple(tuple(list_words(text, morphemes[a:b])) for a, b in chain)
    after = text[spans[-1][1] :]
    before = morphemes[chain[0][0] - 1].tag if chain[0][0] else ""
    ended = morphemes[chain[-1][1]].tag if chain[-1][1] < len(morphemes) else ""
    living = {any(word in _LIVING for word in own) for own in words}
    sure = (
        is_sure
        and all(words)
        and before in _BEFORE
        and ended != "XSA"
        and len(living) == 1
        and not _is_maybe_done(morphemes, chain[-1][0])
        and not any(map(_is_collective, morphemes[chain[0][0] :]))
    )
    return Coordination(
        text[: spans[0][0]],
        tuple(text[a:b] for a, b in spans),
        words,
        tuple(text[one[1] : other[0]] for one, other in pairwise(spans)),
        after,
        sure,
    )


def _is_collective(one: Morph) -> bool:
    """Tell whether it says that things are one together ("섞어", "둘 다")."""
    return one.form in _COLLECTIVE and one.tag[0] != "E"


def list_words(text: str, morphemes: Sequence[Morph]) -> Iterator[str]:
    """Yield the nouns that are written in one word, without what counts them."""
    word, end = "", -1
    for one in (*morphemes, Morph("", "", -1, 0)):
        if one.tag in NAMES and one.start == end:
            word, end = word + text[one.start : one.end], one.end
            continue
        if word and not word.isdigit():
            yield word.lower()
        word = text[one.start : one.end] if one.tag in NAMES else ""
        end = one.end


def build_korean_sentence(found: Coordination, kept: Sequence[int]) -> str | None:
    """Return a sentence with some of its conjuncts, each with the particle it wants."""
    last = kept[-1]
    joined = "".join(found.conjuncts[n] + found.links[n] for n in kept[:-1])
    noun, after = found.conjuncts[last], found.after
    if last < len(found.conjuncts) - 1:
        changed = _select_particle(noun, after)
        if changed is None:
            return None
        after = changed
    return f"{found.before}{joined}{noun}{_add_particle(noun, after)}"


def _select_particle(noun: str, after: str) -> str | None:
    """Return what follows a noun with its particle as the noun wants it."""
    written = after.split(" ", 1)[0].rstrip(".")
    if not written or written in _INVARIANT:
        return after
    closed = written if written in _OPENED else _CLOSED.get(written)
    if closed is None:
        return None
    ends = has_final(noun) and not (closed == "으로" and _has_rieul(noun))
    return (closed if ends else _OPENED[closed]) + after[len(written) :]


def _has_rieul(noun: str) -> bool:
    return "가" <= noun[-1] <= "힣" and (ord(noun[-1]) - ord("가")) % 28 == _RIEUL


def _add_particle(noun: str, after: str) -> str:
    """Return what follows an object, with the particle that speech left out."""
    if not after.startswith(" "):
        return after
    verb = get_shared_morphology().analyze(noun + after)
    place = next((n for n, m in enumerate(verb) if m.start > len(noun)), 0)
    if not place or verb[place].tag != "VV" or verb[place].form not in TRANSITIVE:
        return after
    return ("을" if has_final(noun) else "를") + after
