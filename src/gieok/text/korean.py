"""Korean text as content morphemes: particles, endings and empty words removed."""

from dataclasses import dataclass, field

from gieok.text.kiwi import Morph, Morphology, get_shared_morphology

CONTENT = frozenset({"NNG", "NNP", "NNB", "NR", "VV", "VA", "XR", "MAG", "MM", "IC"})
"""Nouns, verbs, adjectives, roots, adverbs, determiners (Sejong tags)."""

_NOTHING = """
것 거 수 때 때문 중 등 데 줄 뿐 만큼 듯 번 적 터 바 측 편 쪽 점 겸 김 건 게
하 되 있 없 이 같 보 주 오 가 말 알 모르 그렇 이렇 저렇 어떻 어떠 그러 이러 그래
이 그 저 이런 그런 저런 어떤 무슨 어느 몇 모든 각 한 두
잘 더 안 못 좀 또 다 많이 아주 너무 정말 진짜 꼭 바로 그냥 이제 지금 다시 아직 왜 언제
그리고 그런데 근데 하지만 그래서 그러면 그럼 네 예 응 어 아 음 글쎄
"""
STOPWORDS = frozenset(_NOTHING.split())
"""Morphemes found in so many messages and questions that they tell nothing apart."""


@dataclass(frozen=True, slots=True)
class KiwiTokenizer:
    """Kernel `Tokenizer` of the Korean in a text; everything else is passed over."""

    morphology: Morphology = field(default_factory=get_shared_morphology)

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the content morphemes in order."""
        return tuple(term for _, term in self.locate_terms(text))

    def locate_terms(self, text: str) -> list[tuple[int, str]]:
        """Return the content morphemes with the character each starts at."""
        found: list[tuple[int, str]] = []
        before: Morph | None = None
        for morph in self.morphology.analyze(text):
            term = _derive_term(morph, before)
            if term:
                found.append((morph.start, term))
            before = morph
        return found


def _derive_term(morph: Morph, before: Morph | None) -> str:
    """Return what the morpheme is found by; a counter keeps its number ("3월")."""
    if not has_hangul(morph.form) or morph.tag not in CONTENT:
        return ""
    if before is not None and before.tag == "SN" and morph.tag.startswith("NN"):
        return before.form.replace(",", "") + morph.form
    return "" if morph.form in STOPWORDS else morph.form


def has_hangul(text: str) -> bool:
    """Say whether the text holds a Korean syllable."""
    return any("가" <= letter <= "힣" for letter in text)
