"""A memory that says the contrary of a known one takes its place.

"The user does not drive" and "The user drives" are the same words but for a negation,
so the newer one denies the older, in whichever order they come. What is denied in part
stands: "does not drive at night".
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Final, NamedTuple

from gieok.kernel.language import Basis, Finding, FindingOperation, KnownMemory
from gieok.text.english import stem_word
from gieok.text.kiwi import Morph, Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.changes", "denials.toml")

_NEGATIONS: Final = _LISTS.get_words("denials.english_negations")
_ENGLISH_FILLERS: Final = _LISTS.get_words("denials.english_fillers")
_ENGLISH_EMPHASIS: Final = _LISTS.compile_list("denials.english_emphasis")
_ENGLISH_DEGREE: Final = _LISTS.compile_list("denials.english_degree")
_ENGLISH_LIKING: Final = _LISTS.compile_list("denials.english_liking")
_FORMS: Final = _LISTS.get_spellings("denials.english_forms")
_KOREAN_FILLERS: Final = _LISTS.get_words("denials.korean_fillers")
_KOREAN_DEGREE: Final = _LISTS.get_words("denials.korean_degree")
_KOREAN_LIKING: Final = _LISTS.get_words("denials.korean_liking")
_WORD: Final = compile_lazily(r"[\w'-]+|[“”\"?]")
_MARKS: Final = ("“", "”", '"', "?")
_CONTRACTED: Final = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "shan't": "shall not",
}
_ADVERBS: Final = ("안", "못")
_AUXILIARIES: Final = ("않", "못하")
_MARKING: Final = ("JKS", "JKO", "JKC", "EF", "ETN", "SF", "SP")
"""Tags of what only marks a word's part, or ends a sentence."""
_TOPICS: Final = ("은", "는", "ᆫ", "도")
"""Particles that narrow nothing, as 만 ("only") and 까지 ("even to") do."""
_ONLY: Final = ("밖에", "뿐")
"""What with a negation says that something is so: 커피밖에 안 마신다."""
_NOUNS: Final = ("NNG", "NNP", "XSN")
_LONGER: Final = ("더", "이상")
_QUOTING: Final = ("SSO", "SSC", "SS")
_ADHERENT: Final = "주의자이"
"""Who holds to something does it: 채식주의자 is who does 채식."""
_OPENING: Final = 2
"""Letters of a word that a memory shares with its contrary: others are not read."""
_MIN_WORDS: Final = 2
"""Words of an English statement: who, and what."""


class Statement(NamedTuple):
    """What a memory says, apart from whether it is so."""

    words: tuple[str, ...]
    is_denied: bool


def replace_denied(
    new: Sequence[Finding], known: Sequence[KnownMemory], morphology: Morphology
) -> list[Finding]:
    """Return what is new, with what becomes of the known memories that it denies.

    "The user does not drive" ends that the user drives, and stands besides. "The user
    drives" changes that the user does not.
    """
    found: list[Finding] = []
    read = cache(partial(read_statement, morphology=morphology))
    for one in new:
        said = read(one.content)
        denied: list[KnownMemory] = []
        if said is not None and one.operation is FindingOperation.ADD:
            near = _list_near(one.content, known)
            denied = [m for m in near if is_denial(said, read(m.content))]
        changed = denied[:1] if said is not None and not said.is_denied else []
        found += [_end_memory(one, memory) for memory in denied[len(changed) :]]
        found.append(_change_memory(one, changed[0]) if changed else one)
    return found


def is_denial(one: Statement | None, other: Statement | None) -> bool:
    """Tell whether two statements are the contrary of each other."""
    if one is None or other is None:
        return False
    return one.words == other.words and one.is_denied is not other.is_denied


def read_statement(content: str, morphology: Morphology) -> Statement | None:
    """Return what a memory says, and whether it denies it; None if it only quotes."""
    if has_hangul(content):
        return _read_korean(morphology.analyze(content))
    return _read_english(content)


def _list_near(content: str, known: Sequence[KnownMemory]) -> list[KnownMemory]:
    """Return the known memories that share a word's beginning with one that is new."""
    openings = {word[:_OPENING] for word in content.split()[1:] if len(word) > 1}
    return [m for m in known if any(opening in m.content for opening in openings)]


def _change_memory(new: Finding, denied: KnownMemory) -> Finding:
    return replace(new, operation=FindingOperation.UPDATE, target=denied.id)


def _end_memory(new: Finding, denied: KnownMemory) -> Finding:
    return replace(
        new,
        operation=FindingOperation.DELETE,
        content=denied.content,
        category=denied.category,
        basis=Basis.STATED,
        target=denied.id,
    )


def _read_english(content: str) -> Statement | None:
    tokens = _WORD.findall(_remove_emphasis(content.lower().replace("’", "'")))
    if any(word in _MARKS for word in tokens):
        return None
    words: list[str] = []
    is_denied = False
    for word in tokens:
        if word in _NEGATIONS:
            is_denied = not is_denied
            if words and words[-1] in ("do", "does"):
                words.pop()
        elif word not in _ENGLISH_FILLERS:
            words.append(word)
    if len(words) < _MIN_WORDS:
        return None
    return Statement(
        tuple(_FORMS.get(word, stem_word(word) or word) for word in words), is_denied
    )


def _remove_emphasis(text: str) -> str:
    """Return what is said in full, without what only says how surely it is so."""
    for short, whole in _CONTRACTED.items():
        text = text.replace(short, whole)
    text = _ENGLISH_EMPHASIS.sub("", text.replace("n't", " not"))
    return _ENGLISH_DEGREE.sub("", text) if _ENGLISH_LIKING.search(text) else text


def _read_korean(morphemes: Sequence[Morph]) -> Statement | None:
    if any(m.tag in _QUOTING or m.form in _ONLY for m in morphemes):
        return None
    passed_over = _KOREAN_FILLERS
    if any(m.form in _KOREAN_LIKING for m in morphemes):
        passed_over |= _KOREAN_DEGREE
    spoken = [m for m in morphemes if not _is_marking(m) and m.form not in passed_over]
    said, is_denied = "", False
    for m, following in zip(spoken, [*spoken[1:], None], strict=True):
        denied = (m.tag, m.form) == ("VCN", "아니") or (
            m.tag == "VA" and m.form == "없"
        )
        auxiliary = m.tag == "VX" and m.form in _AUXILIARIES
        negates = auxiliary or (m.tag == "MAG" and m.form in _ADVERBS)
        is_denied ^= denied or negates
        opens = following is not None and following.form in _AUXILIARIES
        if denied:
            said += "이" if m.tag == "VCN" else "있"
        elif not (negates or (m.form == "지" and opens)):
            said += m.form
    said = said.replace("".join(_LONGER), "")
    if spoken and spoken[-1].tag in _NOUNS:
        said += "이"  # "사용자는 채식주의자"
    if said.endswith(_ADHERENT):
        said = said.removesuffix(_ADHERENT) + "하"
    return Statement((said,), is_denied)


def _is_marking(m: Morph) -> bool:
    """Tell whether a morpheme only marks a word's part, or ends a sentence."""
    return m.tag in _MARKING or (m.tag == "JX" and m.form in _TOPICS)
