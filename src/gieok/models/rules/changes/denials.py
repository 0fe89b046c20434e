"""A memory that says the contrary of a known one takes its place.

"The user does not drive" and "The user drives" are the same words but for a negation,
so the newer one denies the older, in whichever order they come. What is denied in part
stands: "does not drive at night".
"""

from collections.abc import Sequence
from dataclasses import replace
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
_DEGREE: Final = _LISTS.compile_list("denials.english_degree")
_FORMS: Final = _LISTS.get_spellings("denials.english_forms")
_KOREAN_FILLERS: Final = _LISTS.get_words("denials.korean_fillers")
_WORD: Final = compile_lazily(r"[\w'-]+|[“”\"?]")
_MARKS: Final = ("“", "”", '"', "?")
_CONTRACTED: Final = {"won't": "will not", "can't": "can not", "shan't": "shall not"}
_ADVERBS: Final = ("안", "못")
_AUXILIARIES: Final = ("않", "못하")
_MARKING: Final = ("JKS", "JKO", "JX", "JKC", "EF", "SF", "SP")
"""Tags of what only marks a word's part, or ends a sentence."""
_QUOTING: Final = ("SSO", "SSC", "SS")
_ADHERENT: Final = "주의자이"
"""Who holds to something does it: 채식주의자 is who does 채식."""
_OPENING: Final = 2
"""Letters of a word that a memory shares with its contrary: others are not read."""
_LEAST_WORDS: Final = 3
"""Words of an English statement: who, what and of what."""


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
    for one in new:
        said = read_statement(one.content, morphology)
        denied: list[KnownMemory] = []
        if said is not None and one.operation is FindingOperation.ADD:
            denied = _list_denied(one.content, said, known, morphology)
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


def _list_denied(
    content: str,
    said: Statement,
    known: Sequence[KnownMemory],
    morphology: Morphology,
) -> list[KnownMemory]:
    """Return the known memories of which one that is new says the contrary."""
    openings = {word[:_OPENING] for word in content.split()[1:] if len(word) > 1}
    near = [m for m in known if any(opening in m.content for opening in openings)]
    return [m for m in near if is_denial(said, read_statement(m.content, morphology))]


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
    text = content.lower().replace("’", "'")
    for short, whole in _CONTRACTED.items():
        text = text.replace(short, whole)
    tokens = _WORD.findall(_DEGREE.sub("", text.replace("n't", " not")))
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
    if len(words) < _LEAST_WORDS:
        return None
    return Statement(
        tuple(_FORMS.get(word, stem_word(word) or word) for word in words), is_denied
    )


def _read_korean(morphemes: Sequence[Morph]) -> Statement | None:
    if any(m.tag in _QUOTING for m in morphemes):
        return None
    said, is_denied = "", False
    for place, m in enumerate(morphemes):
        following = morphemes[place + 1 : place + 2]
        denied = (m.tag, m.form) == ("VCN", "아니") or (
            m.tag == "VA" and m.form == "없"
        )
        auxiliary = m.tag == "VX" and m.form in _AUXILIARIES
        if denied or auxiliary or (m.tag == "MAG" and m.form in _ADVERBS):
            is_denied = not is_denied
        opens = bool(following) and following[0].form in _AUXILIARIES
        if denied:
            said += "이" if m.tag == "VCN" else "있"
        elif not (auxiliary or (m.form == "지" and opens) or _is_passed_over(m)):
            said += m.form
    if said.endswith(_ADHERENT):
        said = said.removesuffix(_ADHERENT) + "하"
    return Statement((said,), is_denied)


def _is_passed_over(m: Morph) -> bool:
    """Tell whether a morpheme says nothing of its own."""
    return (
        m.tag in _MARKING
        or m.form in _KOREAN_FILLERS
        or (m.tag == "MAG" and m.form in _ADVERBS)
    )
