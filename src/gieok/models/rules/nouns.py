"""The nouns of a text, in their own form."""

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.models.rules import lexicon as lx
from gieok.text.english import STOPWORDS
from gieok.text.kiwi import Morph
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_set

_WORD: Final = compile_lazily(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*")
_SHORTEST: Final = 3  # letters of an English topic
_BARE: Final = 0.3  # what a word counts that no article or preposition announces
BEFORE_NOUNS: Final = parse_word_set(
    "a an the my our his her their your this that these those of for in at on with "
    "about from by some any no new first last next"
)
_EMPTY_KO: Final = parse_word_set(
    "오늘 내일 어제 모레 지금 요즘 요새 아까 이번 저번 지난번 다음 처음 나중 이제 시간 "
    "때 날 일 것 거 말 얘기 이야기 생각 마음 기분 느낌 정도 사람 문제 이유 경우 진짜 "
    "정말 완전 조금 전부 하나 혼자 자기 우리 여기 거기 저기 그때 동안 이후 전 후 중 "
    "앞 뒤 안 밖 위 아래 옆 부탁 감사 질문 대답 답 설명 도움 확인 준비물 다행 최고 "
    "아침 점심 저녁 밤 새벽 주말 평일 매일 매주 올해 작년 내년 월요일 화요일 수요일 "
    "목요일 금요일 토요일 일요일 안녕 농담 기억 선생 선생님 쌤 덕분 모양 사실 보통"
)
_EMPTY_EN: Final = (
    STOPWORDS
    | lx.PASSING_EN
    | lx.FUTURE_EN
    | lx.TASTE_EN
    | lx.CHANGE_EN
    | lx.SAME_EN
    | lx.HABIT_EN
    | lx.HEARSAY_EN
    | lx.NEGATION_EN
    | lx.IMPERATIVE_EN
    | lx.AUXILIARY_EN
    | lx.ME_EN
    | parse_word_set(
        "yes yeah yep nah okay well hey hello thanks thank sorry lol haha really very "
        "much many lot lots bit little good bad great nice fine better best worse "
        "worst old big small long short thing things stuff way time times day days "
        "week weeks month months year years hour hours minute minutes morning "
        "afternoon evening one two three four five six seven eight nine ten half "
        "know think thought feel felt feeling get got getting make makes made "
        "making see seen saw come came take took taken want wanted need needs "
        "needed tell told saying let like even maybe probably about around "
        "something anything everything nothing someone anyone everyone people "
        "person today tonight actually basically literally honestly pretty kinda "
        "sure right wrong also though because since still yet already back next "
        "away gone keep kept put try tried trying work works working looks looked "
        "looking seems seemed sounds being having doing done idea kind sort part "
        "whole end rest side place guess hope wish ask asked answer question word "
        "words english korean reason bye please god gosh"
    )
)


def extract_nouns(text: str, morphemes: Sequence[Morph]) -> Iterator[tuple[str, float]]:
    """Yield the nouns of a text with the share of certainty that they are some."""
    yield from ((noun, 1.0) for noun in _extract_korean_nouns(morphemes))
    before = ""
    for number, match in enumerate(_WORD.finditer(text)):
        word = match[0].replace("’", "'")
        if _is_topic(word):
            named = word[0].isupper() and number > 0
            yield word, 1.0 if named or before in BEFORE_NOUNS else _BARE
        before = _select_announcer(before, word.lower())


def _select_announcer(before: str, word: str) -> str:
    """Return what announces the next word: "a" still does in "a big interview"."""
    describes = word in _EMPTY_EN and word not in STOPWORDS
    return before if describes and before in BEFORE_NOUNS else word


def _is_topic(word: str) -> bool:
    low = word.lower()
    return len(word) >= _SHORTEST and "'" not in word and low not in _EMPTY_EN


def _extract_korean_nouns(morphemes: Sequence[Morph]) -> Iterator[str]:
    """Yield the nouns; those written in one word are one.

    What makes an adjective ("중요한") is none.
    """
    noun, end = "", -1
    for morph in (*morphemes, Morph("", "", -1, 0)):
        if noun and morph.tag in _NOUN_TAGS and morph.start == end:
            noun, end = noun + morph.form, morph.end
            continue
        describes = morph.tag.startswith("XSA") and morph.start == end
        if len(noun) > 1 and noun not in _EMPTY_KO and not describes:
            yield noun
        noun = morph.form if morph.tag in _NOUN_TAGS[:2] else ""
        end = morph.end


_NOUN_TAGS: Final = ("NNG", "NNP", "XSN")
