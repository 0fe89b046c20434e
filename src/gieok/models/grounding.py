"""Whether a sentence about a person rests on what was really said.

Tolerant of paraphrase: numbers and names must appear in the sources, of the other words
a share, whatever script they are in, something of each part of the sentence, and a word
of what the user said themselves. `training/measure_grounding.py` says how many true and
how many foreign sentences pass.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from gieok.models.figures import extract_claimed_numbers, extract_stated_numbers
from gieok.models.worked_out_dates import MONTHS, has_stated_figures, remove_dates
from gieok.text.cleaning import normalize_unicode
from gieok.text.english import STOPWORDS, stem_word
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models", "patterns.toml")

ENOUGH = 0.25
"""Share of the words or character pairs the sources must hold."""
_READABLE = 2
"""Letters of a script that a source needs before its words can be compared."""
_MIXED = 0.2
"""Share from which on a second language counts as spoken in a text."""
_HANGUL_WEIGHT = 2.5
"""A syllable carries about as much as this many Latin letters."""


@dataclass(frozen=True, slots=True)
class GroundingSources:
    """What a sentence may rest on: numbers and words on `near`, names also on `far`."""

    near: tuple[str, ...]
    far: tuple[str, ...] = ()
    enough: float = ENOUGH
    own: tuple[str, ...] | None = None
    """What the user said themselves, of which it has to hold something, unless None."""
    repeated: str = ""
    """What is known, of which it may hold words that nobody said now."""


class ScriptLanguage(StrEnum):
    """A language as far as its script shows it."""

    KOREAN = "ko"
    ENGLISH = "en"
    OTHER = "other"


_NEUTRAL_KOREAN = _LISTS.compile_list("grounding.neutral_korean")
_PARTICLE = _LISTS.compile_list("grounding.particle")
_NEUTRAL_OTHER = _LISTS.compile_list("grounding.neutral_other")
_NEUTRAL_ENGLISH = STOPWORDS | {"user", "users", "person"}
_WEEKDAYS = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
)
_NOT_NAMES = frozenset(["user", "users", "i", *MONTHS, *_WEEKDAYS])
_WORD = compile_lazily(r"(?<![\dA-Za-z])[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?")
_HANGUL_RUN = compile_lazily(r"[가-힣]+")
_LATIN_OR_HANGUL = compile_lazily(r"[A-Za-zÀ-ɏḀ-ỿ가-힣ㄱ-ㅣ]")
_UNSPACED = compile_lazily(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uf900-\ufaff]"
)
"""Scripts that put no spaces between words."""
_HIRAGANA_PAIR = compile_lazily(r"[\u3040-\u309f]{2}")
"""Mostly grammar, which any Japanese sentence holds."""
_SHORTEST_OTHER = 4
"""Letters of a word in another alphabet that are compared; shorter ones say little."""
_QUOTED = compile_lazily(
    r"[\"“‘「『]([^\"”’」』]{2,80})[\"”’」』]|(?<![A-Za-z])'([^']{2,80})'(?![A-Za-z])"
)
_NAMED = _LISTS.compile_list("grounding.named")
NEGATED = _LISTS.compile_list("grounding.negated")
_PART_ENDS = _LISTS.compile_list("grounding.part_ends")
_MIN_PART = 2
"""Words of a part of a sentence of which one at least has to have been said."""
_MIN_KOREAN_PART = 3
"""The same of Korean, in pairs of letters: a verb alone has one or two."""
_SAME_START = 5
_INITIALISM = 3


def compute_language_shares(text: str) -> dict[ScriptLanguage, float]:
    """Return how much of the letters is in each language; all 0 without letters."""
    weights = dict.fromkeys(ScriptLanguage, 0.0)
    for letter in text:
        if not letter.isalpha():
            continue
        if "가" <= letter <= "힣" or "ㄱ" <= letter <= "ㅣ":
            weights[ScriptLanguage.KOREAN] += _HANGUL_WEIGHT
        elif unicodedata.name(letter, "").startswith("LATIN"):
            weights[ScriptLanguage.ENGLISH] += 1
        else:
            weights[ScriptLanguage.OTHER] += _HANGUL_WEIGHT
    total = sum(weights.values()) or 1.0
    return {language: weight / total for language, weight in weights.items()}


def detect_language(text: str) -> ScriptLanguage:
    """Return the language most of the text is in, Korean if it holds no letters."""
    shares = compute_language_shares(text)
    return max(ScriptLanguage, key=lambda language: shares[language])


def is_grounded(content: str, sources: GroundingSources, year: int) -> bool:
    """Say whether the numbers, the names and enough of the words are in the sources.

    `year` is the year of the conversation: a date worked out from "내일" or "next May"
    holds numbers nobody said, and they are accepted if they lie close to it.
    """
    text = normalize_unicode(content)
    near = normalize_unicode("\n".join(sources.near))
    far = normalize_unicode("\n".join((*sources.near, *sources.far)))
    return (
        has_stated_figures(text, near, year)
        and _has_stated_names(text, far)
        and _has_stated_words(text, near, sources.enough)
        and _has_own_words(text, sources)
        and (sources.own is None or _has_stated_parts(text, far))
    )


def has_shared_words(text: str, source: str) -> bool:
    """Tell whether a text holds a word of a source, or cannot be compared with it."""
    shared = _compare_words(normalize_unicode(text), normalize_unicode(source))
    return any(shared) if shared else _is_translated(text, source)


def _has_own_words(text: str, sources: GroundingSources) -> bool:
    """Tell whether it holds something that the user said, and that was not known.

    What only denies the known ("no longer drinks coffee") holds nothing new.
    """
    if sources.own is None:
        return True
    own = "\n".join(sources.own)
    known = _compare_words(text, normalize_unicode(sources.repeated))
    said = _compare_words(text, normalize_unicode(own))
    if len(known) == len(said) and not all(known):
        new = [hit for hit, before in zip(said, known, strict=True) if not before]
        return any(new) or (any(said) and NEGATED.search(text) is not None)
    return any(said) if said else has_shared_words(text, own)


def _has_stated_parts(text: str, source: str) -> bool:
    """Tell whether something of each part of a sentence was said.

    What is listed or told besides must not ride on the words of the rest.
    """
    return all(
        any(hits)
        for part in _PART_ENDS.split(text)
        if len(hits := _compare_words(part, source)) >= _get_least_part(part)
    )


def _get_least_part(part: str) -> int:
    korean = detect_language(part) is ScriptLanguage.KOREAN
    return _MIN_KOREAN_PART if korean else _MIN_PART


def _has_stated_names(text: str, source: str) -> bool:
    """Names are capitalised English words, quotations, and what "이름은" introduces."""
    lowered, joined = source.lower(), re.sub(r"\s+", "", source).lower()
    quoted = (a or b for a, b in _QUOTED.findall(text))
    if any(re.sub(r"\s+", "", quote).lower() not in joined for quote in quoted):
        return False
    if any((a or b)[:2] not in joined for a, b in _NAMED.findall(text)):
        return False
    if detect_language(text) is ScriptLanguage.ENGLISH and not _is_readable(
        source, ScriptLanguage.ENGLISH
    ):
        return True
    words = _collect_stems(lowered)
    return all(_is_supported(name, words) for name in _extract_latin_names(text))


def _extract_latin_names(text: str) -> list[str]:
    korean = detect_language(text) is ScriptLanguage.KOREAN
    names: list[str] = []
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s$", "", match[0])
        starts = match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".!?"
        if word.isupper() and len(word) <= _INITIALISM:
            continue
        if (word[0].isupper() and not starts) or (korean and len(word) > 1):
            names.append(word.lower())
    return [name for name in names if name not in _NOT_NAMES]


def _has_stated_words(text: str, source: str, enough: float) -> bool:
    """Count the character pairs, words and numbers of the text that the source has.

    Where the user mixes languages, words come back translated and half is enough; a
    sentence in the language that its sources do not use cannot be compared at all.
    A date counts neither way where one may have been worked out.
    """
    if not enough:
        return True
    hits = _compare_words(text, source)
    if not hits:
        return _is_translated(text, source)
    mixed = sorted(compute_language_shares(source).values())[-2] >= _MIXED
    return sum(hits) / len(hits) >= (enough / 2 if mixed else enough)


def _compare_words(text: str, source: str) -> list[bool]:
    """Return for each number, pair of letters and word whether the source has it."""
    text = remove_dates(text, source)
    said = extract_stated_numbers(source)
    hits = [number in said for number in sorted(extract_claimed_numbers(text))]
    if _is_readable(source, ScriptLanguage.KOREAN):
        known = _collect_pairs(re.sub(r"[^가-힣]+", "", source)) | _collect_pairs(
            source
        )
        known.update(run[0] for run in _HANGUL_RUN.findall(source))
        pairs = sorted(_collect_pairs(_remove_particles(text)))
        hits += [pair in known for pair in pairs]
    if _is_readable(source, ScriptLanguage.ENGLISH):
        stems = _collect_stems(source.lower())
        words = (word for word in _split_words(text) if word not in _NEUTRAL_ENGLISH)
        hits += [_is_supported(word, stems) for word in words]
    if _is_readable(source, ScriptLanguage.OTHER):
        pieces = _collect_other_pieces(source)
        told = _NEUTRAL_OTHER.sub(" ", text)
        hits += [piece in pieces for piece in sorted(_select_telling(told))]
    return hits


def _is_translated(text: str, source: str) -> bool:
    own = detect_language(text)
    others = (language for language in ScriptLanguage if language is not own)
    return not _is_readable(source, own) and any(
        _is_readable(source, other) for other in others
    )


def _remove_particles(text: str) -> str:
    """Korean words without their particles and without those that say nothing."""
    runs = _HANGUL_RUN.findall(_NEUTRAL_KOREAN.sub(" ", text))
    return " ".join(_PARTICLE.sub("", run) or run for run in runs)


def _is_readable(text: str, language: ScriptLanguage) -> bool:
    return sum(map(len, _split_runs(text, language))) >= _READABLE


def _split_runs(text: str, language: ScriptLanguage) -> list[str]:
    """Return the runs of letters that are of a language, as far as its script shows."""
    match language:
        case ScriptLanguage.KOREAN:
            return _HANGUL_RUN.findall(text)
        case ScriptLanguage.ENGLISH:
            return _WORD.findall(text)
        case ScriptLanguage.OTHER:
            runs = groupby(text, _is_other_letter)
            return ["".join(letters) for is_other, letters in runs if is_other]


def _is_other_letter(letter: str) -> bool:
    """Tell whether a character is a letter, or a vowel sign, of some other script."""
    if letter.isascii() or _LATIN_OR_HANGUL.match(letter):
        return False
    return unicodedata.category(letter)[0] in "LM"


def _collect_other_pieces(text: str) -> set[str]:
    """Return the character pairs of unspaced scripts, and how words of others begin."""
    pieces: set[str] = set()
    for run in _split_runs(text.casefold(), ScriptLanguage.OTHER):
        if _UNSPACED.match(run):
            pieces.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        elif len(run) >= _SHORTEST_OTHER:
            pieces.add(run[:_SHORTEST_OTHER])
    return pieces


def _select_telling(text: str) -> set[str]:
    """Return the pieces of a text, those of grammar only where there are no others."""
    pieces = _collect_other_pieces(text)
    return {piece for piece in pieces if not _HIRAGANA_PAIR.match(piece)} or pieces


def _collect_pairs(text: str) -> set[str]:
    """Character pairs of every Korean word; the letter itself of a one-letter word."""
    return {
        run[start : start + 2]
        for run in _HANGUL_RUN.findall(text)
        for start in range(max(1, len(run) - 1))
    }


def _split_words(text: str) -> list[str]:
    return [re.sub(r"['’]\w+$", "", word).lower() for word in _WORD.findall(text)]


def _collect_stems(text: str) -> frozenset[str]:
    return frozenset(stem_word(word) for word in _split_words(text))


def _is_supported(word: str, stems: frozenset[str]) -> bool:
    """Same stem, or the same first five letters ("allergic" and "allergy")."""
    return stem_word(word) in stems or (
        len(word) > _SAME_START
        and any(other.startswith(word[:_SAME_START]) for other in stems)
    )
