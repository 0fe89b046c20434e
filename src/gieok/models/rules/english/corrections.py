"""Puts what is right in the place of what was wrong, in an English sentence.

"I work in accounting" and "I mean finance" are "I work in finance". A number stands for
a number, a day for a day, a name for a name, a relative for a relative, and a thing for
a thing; what stands behind "in" for what stood behind "in".
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product
from typing import Final

from gieok.models.rules.correction_parts import (
    ADDED,
    PartChange,
    SentenceCorrection,
    apply_changes,
    is_apart,
)
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.grammar import PREPOSITIONS, find_verb, is_finite
from gieok.models.rules.english.phrases import (
    GRAMMAR,
    MAX_WORDS,
    NUMBERS,
    EnglishPhrase,
    EnglishSentence,
    WordKind,
    find_phrases,
    parse_phrases,
    read_sentence,
)
from gieok.models.rules.english.vocabulary import DETERMINERS
from gieok.text.english import stem_word
from gieok.text.patterns import compile_lazily

MAX_OPTIONS: Final = 8
ALIKE: Final = 0.75
"""How alike two words are of which one is the other misspelt."""
_ORDINAL: Final = compile_lazily(r"\d+(?:st|nd|rd|th)")
_WH: Final = frozenset({"what", "who", "how", "why", "where", "when", "which"})

_THINGS: Final = (WordKind.NAME, WordKind.NOUN, WordKind.QUALITY)


def list_english_corrections(
    sentence: str, said: str, denied: str, *, is_opened: bool
) -> list[SentenceCorrection]:
    """Return what a sentence may become by what is right, the likeliest first.

    `is_opened` says that a capital at the start of what is right means a name.
    """
    former = read_sentence(sentence)
    right = read_sentence(said, is_opened=is_opened)
    if not former.tokens or not right.tokens or ADDED.search(said):
        return []
    if denied:
        return [*_replace_denied(former, right, denied)]
    phrases = parse_phrases(right)
    if phrases is None:
        rest = _trim_same_frame(former, right)
        if rest is None:
            return []
        right = read_sentence(rest, is_opened=True)
        phrases = parse_phrases(right)
    return _replace_phrases(former, right, phrases) if phrases else []


def list_openings(text: str) -> Iterator[int]:
    """Yield where the first words of a text end that may name something, most first.

    What they do is not told of what stood before: "Florence was better".
    """
    read = read_sentence(text)
    for count in range(min(MAX_WORDS, len(read.tokens)), 0, -1):
        acts = count < len(read.tokens) and is_finite(read.tokens, count)
        if read.tokens[count - 1].is_word and not acts:
            yield read.get_span(0, count - 1)[1]


def _trim_same_frame(former: EnglishSentence, right: EnglishSentence) -> str | None:
    """Return of a clause what it says otherwise than a sentence of the same form.

    "She lives in Lincoln" says "in Lincoln" otherwise than "My sister lives in Leeds".
    """
    one, other = find_verb(former.tokens), find_verb(right.tokens)
    if one is None or other is None or right.tokens[0].low in _WH:
        return None
    verbs = former.tokens[one], right.tokens[other]
    if stem_word(verbs[0].low) != stem_word(verbs[1].low):
        return None
    who, whom = (
        [token.low for token in said.tokens[:place]]
        for said, place in ((former, one), (right, other))
    )
    if who == whom or (len(whom) == 1 and whom[0] in ("he", "she", "it", "they")):
        after = other + 1
        return right.text[right.starts[after] :] if after < len(right.tokens) else None
    does, done = former.tokens[one:], right.tokens[other:]
    same = [t.low for t in done if t.is_word] == [t.low for t in does if t.is_word]
    return right.text[: right.starts[other]].strip() if same and other else None


def _replace_denied(
    former: EnglishSentence, right: EnglishSentence, denied: str
) -> Iterator[SentenceCorrection]:
    """Yield a sentence without what is said to be wrong, which it holds."""
    wrong = read_sentence(denied, is_opened=True)
    phrases = parse_phrases(right) or _find_right_phrase(former, right)
    named = [
        old for old in find_phrases(wrong) if phrases and _is_match(old, phrases[-1])
    ]
    if not named:
        return
    bare = wrong.tokens[named[-1].first : named[-1].last + 1]
    lows = [_remove_ordinal(token.low) for token in former.tokens]
    size = len(bare)
    wanted = [_remove_ordinal(token.low) for token in bare]
    for first in range(len(lows) - size, -1, -1):
        if lows[first : first + size] == wanted:
            before = lows[first - 1] if first else ""
            old = EnglishPhrase(
                first,
                first + size - 1,
                phrases[0].kind,
                before in DETERMINERS and before not in NUMBERS,
                "",
            )
            new = phrases[0]._replace(last=phrases[-1].last)
            change = _build_change(former, old, right, new)
            yield apply_changes(former.text, [change._replace(is_typed=True)])


def _remove_ordinal(word: str) -> str:
    """Return the figure of a date, "12th" as "12"; other words stay."""
    return word[:-2] if _ORDINAL.fullmatch(word) else word


def _find_right_phrase(
    former: EnglishSentence, right: EnglishSentence
) -> list[EnglishPhrase]:
    """Return what a clause says otherwise than a sentence with all its other words."""
    had = {stem_word(token.low) for token in former.tokens}
    new = [
        one
        for one in find_phrases(right)
        if not {stem_word(t.low) for t in right.tokens[one.first : one.last + 1]} <= had
    ]
    named = {n for one in new for n in range(one.first, one.last + 1)}
    grammar = DETERMINERS | PREPOSITIONS | GRAMMAR
    others = {
        stem_word(token.low)
        for n, token in enumerate(right.tokens)
        if token.is_word and n not in named and token.low not in grammar
    }
    return new if len(new) == 1 and others <= had else []


def _replace_phrases(
    former: EnglishSentence, right: EnglishSentence, phrases: Sequence[EnglishPhrase]
) -> list[SentenceCorrection]:
    """Return a sentence with each thing in the place of one of its kind."""
    found = find_phrases(former)
    verb = find_verb(former.tokens)
    lows = {token.low for token in former.tokens}
    options: list[list[PartChange]] = []
    for new in phrases:
        kept = {t.low for t in right.tokens[new.first : new.last + 1]} <= lows
        if kept and len(phrases) > 1:
            continue
        matching = [old for old in reversed(found) if _is_match(old, new)]
        if new.kind not in _THINGS and new.kind is not WordKind.PERSON:
            matching = _select_same_form(former, right, matching, new)
        else:
            matching.sort(key=lambda old: verb is not None and old.last < verb)
        options.append(
            [c for old in matching for c in _list_changes(former, old, right, new)]
        )
    if not options or not all(options):
        return []
    chosen = [each for each in product(*options) if is_apart(each)][:MAX_OPTIONS]
    told = [apply_changes(former.text, each) for each in chosen]
    if len(options) > 1:
        told = [one for one in told if one.is_typed]
    return [one for one in told if not _is_same(one.old, one.new)]


def _is_same(old: str, new: str) -> bool:
    """Tell whether two words are the same, but for an ending."""
    return [stem_word(w) for w in old.lower().split()] == [
        stem_word(w) for w in new.lower().split()
    ]


def _is_match(old: EnglishPhrase, new: EnglishPhrase) -> bool:
    """Tell whether one thing may stand in the place of another."""
    if old.preposition and new.preposition and old.preposition != new.preposition:
        return False
    if new.preposition and not old.preposition:
        return False
    return old.kind is new.kind or (old.kind in _THINGS and new.kind in _THINGS)


def _select_same_form(
    former: EnglishSentence,
    right: EnglishSentence,
    found: Sequence[EnglishPhrase],
    new: EnglishPhrase,
) -> list[EnglishPhrase]:
    """Return the last of the numbers or days that is written alike, or the last."""
    ordinal = _ORDINAL.fullmatch(right.tokens[new.first].low) is not None
    alike = [
        old
        for old in found
        if (_ORDINAL.fullmatch(former.tokens[old.first].low) is not None) == ordinal
    ]
    return list((alike or found)[:1])


def _list_changes(
    former: EnglishSentence,
    old: EnglishPhrase,
    right: EnglishSentence,
    new: EnglishPhrase,
) -> Iterator[PartChange]:
    """Yield a thing in the place of another, or of a word that tells it from others.

    "Walnut" may stand for "peanut" of "a peanut allergy".
    """
    yield _build_change(former, old, right, new)
    if old.kind in _THINGS and old.kind is not WordKind.NAME and not new.determiner:
        for place in range(old.first, old.last):
            part = old._replace(
                first=place,
                last=place,
                determiner=old.determiner and place == old.first,
            )
            yield _build_change(former, part, right, new)


def _build_change(
    former: EnglishSentence,
    old: EnglishPhrase,
    right: EnglishSentence,
    new: EnglishPhrase,
) -> PartChange:
    """Return the change that puts a thing in the place of another."""
    first = old.first - (old.determiner and new.determiner)
    start, end = former.get_span(first, old.last)
    begin, stop = right.get_span(new.first - new.determiner, new.last)
    text = right.text[begin:stop]
    if old.determiner and not new.determiner:
        start, text = _replace_article(former, old, start, text)
    if not start:
        text = text[:1].upper() + text[1:]
    elif right.text[:1] == text[:1] and new.kind in (WordKind.NOUN, WordKind.QUALITY):
        text = text[:1].lower() + text[1:]
    words_old, words_new = former.get_words(old), right.get_words(new)
    return PartChange(
        start,
        end,
        text,
        words_old,
        words_new,
        _is_typed(old, new, words_old, words_new),
        new.kind in (WordKind.NAME, WordKind.PERSON),
    )


def _replace_article(
    former: EnglishSentence, old: EnglishPhrase, start: int, text: str
) -> tuple[int, str]:
    """Return a thing with "a" or "an" as its sound wants it."""
    article = former.tokens[old.first - 1]
    if article.low not in ("a", "an"):
        return start, text
    right = select_article(text)
    begin = former.starts[old.first - 1]
    return begin, f"{right.capitalize() if not begin else right} {text}"


def _is_typed(old: EnglishPhrase, new: EnglishPhrase, wrong: str, right: str) -> bool:
    """Tell whether it is plain that one stands for the other."""
    if old.kind is new.kind and old.kind not in (WordKind.NOUN, WordKind.QUALITY):
        return True
    if new.preposition and old.preposition == new.preposition:
        return True
    one, other = wrong.lower(), right.lower()
    return SequenceMatcher(None, one, other).ratio() >= ALIKE or (
        " " in one and " " in other and one.split()[-1] == other.split()[-1]
    )
