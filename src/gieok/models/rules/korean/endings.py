"""Finds the predicate with which a Korean clause ends, and what its ending does.

Kiwi tells the last ending and the stem before it; `endings.toml` says what each
ending does: asks, orders, reports, intends …
"""

from collections.abc import Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import Final, NamedTuple

from gieok.models.rules.korean.vocabulary import KIN
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.korean", "endings.toml")


class Mood(Enum):
    """What an ending does."""

    STATES = auto()
    ASKS = auto()
    REQUESTS = auto()
    WISHES = auto()
    REPORTS = auto()
    TOLD = auto()
    INTENDS = auto()
    RECALLS = auto()
    EXPECTS = auto()
    NOTES = auto()
    REASONS = auto()
    LEADS_ON = auto()


_ASKS: Final = _LISTS.get_words("asks")
_REQUESTS: Final = _LISTS.get_words("requests")
_OWN_DOINGS: Final = _LISTS.get_words("own_doings")
_REPORTS: Final = _LISTS.get_words("reports")
_TOLD: Final = _LISTS.get_words("told")
_INTENDS: Final = _LISTS.get_words("intends")
_RECALLS: Final = _LISTS.get_words("recalls")
_EXPECTS: Final = _LISTS.get_words("expects")
_NOMINAL: Final = _LISTS.get_words("nominal")
_STOPS: Final = _LISTS.get_words("stops")
_REASONS: Final = _LISTS.get_words("reasons")

ADJECTIVES: Final = ("VA", "XSA", "VCP", "VCN")
STEMS: Final = (*ADJECTIVES, "VV", "XSV", "VX")
DROPPING: Final = ("낫", "짓", "잇", "붓", "긋", "젓")
"""Stems that lose their last sound before a vowel; Kiwi's tags are cut short here."""
_PAST: Final = ("었", "았", "였")
_HONORIFIC: Final = ("시", "으시")
_POLITE: Final = ("세요", "으세요", "셔요")
_PLAIN: Final = ("어", "아", "여")
_SPOKEN: Final = ("어", "아", "여", "어요", "아요")
_CALLS: Final = ("야", "이야", "요")
GIVEN: Final = ("주", "달", "말")
_I: Final = ("나", "내", "저", "제")
_MUST: Final = ("어야", "아야")
_WISHING: Final = ("좋", "하", "싶")
_CARRIED: Final = ("가지", "갖")
_NOUNLIKE: Final = ("N", "XSN", "XR", "SN", "SL")
_RULES: Final = (
    (_ASKS, Mood.ASKS),
    (_INTENDS, Mood.INTENDS),
    (_RECALLS, Mood.RECALLS),
    (_EXPECTS, Mood.EXPECTS),
    (_NOMINAL, Mood.NOTES),
)


_OPEN_DIGITS: Final = "2459"


def has_final(noun: str) -> bool:
    """Tell whether a noun ends in a consonant; what is no syllable does.

    Digits do as they are read: 2 is 이, 3 is 삼.
    """
    last = noun[-1:]
    if last and last in _OPEN_DIGITS:
        return False
    return not "가" <= last <= "힣" or (ord(last) - ord("가")) % 28 > 0


def append_particle(noun: str, with_final: str, without: str) -> str:
    """Return a noun with the form of a particle that fits it."""
    return noun + (with_final if has_final(noun) else without)


class Predicate(NamedTuple):
    """The last predicate of a clause: its stem, and what its ending does."""

    place: int
    """Of the stem's morpheme."""
    start: int
    """Where in the text the stem begins, or a stem that is written out ends."""
    stem: str
    """Empty where the text before `start` has it already ("했", "하겠")."""
    tag: str
    mood: Mood
    form: str = ""
    """The last ending as Kiwi writes it; empty after a bare noun."""
    supposes: bool = False


def find_ending(morphemes: Sequence[Morph]) -> int | None:
    """Return the place of the ending that closes the clause, signs left out."""
    for place in range(len(morphemes) - 1, 0, -1):
        one = morphemes[place]
        if one.tag in ("EF", "EC", "ETN"):
            return place
        sign = one.tag[0] in "SW" and one.tag not in ("SL", "SN", "SH")
        if not (sign or (one.tag == "JX" and one.form in ("요", "만"))):
            return None
    return None


def find_predicate(
    text: str, morphemes: Sequence[Morph], *, ordered: bool = False
) -> Predicate | None:
    """Return the predicate with which a clause ends; nothing if it ends in none.

    `ordered` says that an ending which can both state and order ("짧게 답해") orders.
    """
    ending = find_ending(morphemes)
    if ending is None:
        return _find_noun(text, morphemes)
    ending = _skip_contraction(morphemes, ending)
    place = _find_stem(morphemes, ending)
    stem = morphemes[place]
    if stem.tag == "VCP":
        return _find_copula(text, morphemes, place, ending)
    wished = _find_wished(morphemes, place)
    if wished is not None:
        one = morphemes[wished]
        return Predicate(wished, one.start, one.form, one.tag, Mood.WISHES, "면")
    if stem.tag not in STEMS and not stem.form.endswith(_MUST):
        return None
    before = morphemes[place - 1].form if place else ""
    mood = _classify(morphemes[ending], stem, before)
    if morphemes[ending].form in ("니", "니까") and _is_going_on(morphemes, ending - 1):
        mood = Mood.STATES
    over = ending - place > 1 and morphemes[place + 1].form in _PAST
    form = morphemes[ending].form
    orders = ordered and not over and stem.tag in ("VV", "XSV") and form in _PLAIN
    asked = form in _SPOKEN and _is_request(morphemes, place)
    if mood is Mood.STATES and (orders or asked):
        mood = Mood.REQUESTS
    if form in _POLITE and mood is Mood.REQUESTS and _has_person(morphemes[:place]):
        honoured = stem.form + ("으시" if has_final(stem.form) else "시")
        return Predicate(place, stem.start, honoured, stem.tag, Mood.STATES, form)
    return _build_predicate(morphemes, place, ending, mood)


def _find_stem(morphemes: Sequence[Morph], ending: int) -> int:
    """Return the place of the stem before an ending; "해 가지고" is 하."""
    place = ending - 1
    while place > 0 and morphemes[place].tag == "EP":
        place -= 1
    carried = morphemes[place].form in _CARRIED and morphemes[place].tag == "VX"
    return max(0, place - 2) if carried or _is_going_on(morphemes, place) else place


def _is_going_on(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether it is "… 하다 보니", which says what goes on."""
    before = morphemes[place - 1].form if place > 1 else ""
    return morphemes[place].form == "보" and before in ("다", "다가")


def _find_wished(morphemes: Sequence[Morph], place: int) -> int | None:
    """Return the place of what is wished for: "했으면 좋겠다", "갔으면 해요"."""
    stem, before = morphemes[place], morphemes[place - 1] if place else None
    if before is None or before.form not in ("으면", "면") or stem.form not in _WISHING:
        return None
    hopes = any(m.form == "겠" for m in morphemes[place + 1 :])
    last = place - 2
    past = last > 0 and morphemes[last].tag == "EP"
    while last > 0 and morphemes[last].tag == "EP":
        last -= 1
    known = morphemes[last].tag in (*STEMS,) and morphemes[last].tag != "VCP"
    return last if known and (hopes or past) else None


def _build_predicate(
    morphemes: Sequence[Morph], place: int, ending: int, mood: Mood
) -> Predicate:
    """Return the predicate of a stem with what stands between it and its ending."""
    stem, form = morphemes[place], morphemes[ending].form
    infixes = [m for m in morphemes[place + 1 : ending] if m.tag == "EP"]
    last = infixes[-1] if infixes else None
    if last is None or (last.form in _HONORIFIC and mood is Mood.REQUESTS):
        return Predicate(place, stem.start, stem.form, stem.tag, mood, form)
    if last.form in _HONORIFIC:
        return Predicate(place, last.start, last.form, stem.tag, mood, form)
    start = morphemes[ending].start
    return Predicate(place, start, "", stem.tag, mood, form, last.form == "겠")


def _is_request(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether what ends as a statement asks the listener: "줘", "그렇게 해"."""
    stem = morphemes[place]
    before = morphemes[place - 1] if place else None
    given = stem.form in GIVEN and stem.tag in ("VX", "VV")
    just = any(m.form == "그냥" for m in morphemes[:place])
    how = before.form if before is not None else ""
    set_so = stem.form == "하" and (
        (stem.tag == "VV" and how in ("로", "으로")) or (just and how == "라고")
    )
    start = max(
        (n + 1 for n in range(place - 1) if morphemes[n].tag == "EC"), default=0
    )
    somebody = _has_person(morphemes[start:place])
    over = place + 1 < len(morphemes) and morphemes[place + 1].tag == "EP"
    stops = any(
        m.form == "말" and m.tag == "VX" for m in morphemes[: place + 1]
    ) and stem.tag in ("VV", "VX", "XSV")
    so = set_so and not _has_own_doing(morphemes[start:place])
    told = somebody or (given and _is_own_giving(morphemes[start:place], stem))
    return (stops or ((given or so) and not told)) and not over


def _is_own_giving(morphemes: Sequence[Morph], stem: Morph) -> bool:
    """Tell whether it is the user who gives: "내가 줘", "고양이한테 밥을 줘".

    "나는 반말로 해 줘" and "내가 좋아하는 노래 틀어 줘" only open with the user, and
    "엄마한테 전화해 줘" asks.
    """
    led = max((n for n, m in enumerate(morphemes) if m.tag == "ETM"), default=-1)
    pairs = [*pairwise(morphemes[led + 1 :])]
    does = any(one.form in _I and two.tag == "JKS" for one, two in pairs)
    opens = any(one.form in ("나", "저") and two.tag == "JX" for one, two in pairs)
    to = [
        one.form
        for one, two in pairs
        if two.tag == "JKB" and two.form in ("한테", "에게", "께")
    ]
    to_others = bool(to) and not {"나", "저", "내", "제", "우리", "저희"}.intersection(
        to
    )
    return does or (to_others and (opens or stem.tag == "VV"))


def _has_own_doing(morphemes: Sequence[Morph]) -> bool:
    """Tell whether it is of what people do themselves ("출근은 전철로 해")."""
    return any(
        one.form in _OWN_DOINGS and two.tag == "JX" for one, two in pairwise(morphemes)
    )


def _has_person(morphemes: Sequence[Morph]) -> bool:
    """Tell whether somebody who is not the listener is marked as the subject."""
    return any(
        two.form in ("이", "가", "께서", "은", "는")
        and two.tag in ("JKS", "JX")
        and (one.form in KIN or one.tag in ("NNP", "XSN"))
        for one, two in pairwise(morphemes)
    )


def _skip_contraction(morphemes: Sequence[Morph], ending: int) -> int:
    """Return the place of the reporting ending: "간대" stands for "간다고 해"."""
    if ending < 3:  # noqa: PLR2004  (a stem, the report and 하)
        return ending
    said, verb = morphemes[ending - 2 : ending]
    short = verb.form == "하" and (verb.length == 0 or verb.start < said.end)
    return ending - 2 if short and said.form in _REPORTS | _TOLD else ending


def _classify(ending: Morph, stem: Morph, before: str = "") -> Mood:
    """Return what an ending does after a stem."""
    form, named = ending.form, stem.tag in ("VCP", "VCN")
    deed = stem.tag in ("VV", "VX", "XSV")
    stated = ending.tag == "EF" or form in _STOPS
    found = next((mood for forms, mood in _RULES if form in forms), None)
    cases = (
        (form == "고" and stem.form == "말" and before != "지", Mood.LEADS_ON),
        (form in ("고", "기") and stem.form == "말", Mood.REQUESTS),
        (form in _TOLD and deed, Mood.TOLD),
        (form in _REPORTS, Mood.REPORTS),
        (form in _REQUESTS and stem.tag not in ADJECTIVES, Mood.REQUESTS),
        (found is not None, found),
        (form in _REASONS and (ending.tag == "EC" or named), Mood.REASONS),
        (stated, Mood.STATES),
    )
    return next((mood for holds, mood in cases if holds and mood), Mood.LEADS_ON)


def _find_copula(
    text: str, morphemes: Sequence[Morph], place: int, ending: int
) -> Predicate | None:
    """Return the predicate of "… 간호사예요", "… 고3인데", "갈 거야"."""
    mood = _classify(morphemes[ending], morphemes[place])
    copula, noun = morphemes[place], morphemes[place - 1] if place else None
    form = morphemes[ending].form
    if noun is None or noun.tag[0] not in "NXSJVM":
        return None
    infixed = any(m.form in _PAST for m in morphemes[place + 1 : ending])
    if infixed:
        start = morphemes[ending].start
        return Predicate(place, start, "", "VCP", mood, form)
    start, written = copula.start, ""
    if noun.form in ("거", "것") or noun.end > copula.start:
        start = noun.start
        spaced = text[start - 1 : start].isspace()
        thing = "것" if spaced else " 것"
        written = thing if noun.form in ("거", "것") else noun.form
    return Predicate(place, start, written + "이", "VCP", mood, form)


def _find_noun(text: str, morphemes: Sequence[Morph]) -> Predicate | None:
    """Return a bare noun at the end as a predicate ("고양이 세 마리", "할 거야")."""
    own = [m for m in morphemes if m.tag not in ("SF", "SP", "SE", "SO", "SW")]
    if own and own[-1].tag == "JKS" and own[-1].form == "이" and _has_topic(own):
        place = morphemes.index(own[-1])
        return Predicate(place - 1, own[-1].start, "이이", "VCP", Mood.STATES)
    if len(own) > 1 and own[-1].tag == "JX" and own[-1].form in _CALLS:
        own.pop()
    if not own or not own[-1].tag.startswith(_NOUNLIKE):
        return None
    last = own[-1]
    place = morphemes.index(last)
    if last.form in ("거", "것"):
        spaced = text[last.start - 1 : last.start].isspace()
        stem = "것이" if spaced else " 것이"
        return Predicate(place, last.start, stem, "VCP", Mood.STATES)
    if last.form == "듯":
        return Predicate(place, last.start, "듯하", "XSA", Mood.STATES)
    return _find_background(morphemes, place) or Predicate(
        place, last.end, "이", "VCP", Mood.STATES
    )


def _has_topic(morphemes: Sequence[Morph]) -> bool:
    """Tell whether something is told of ("이름은 팥이")."""
    return any(m.tag == "JX" and m.form in ("은", "는", "ᆫ") for m in morphemes[:-2])


def _find_background(morphemes: Sequence[Morph], place: int) -> Predicate | None:
    """Return the predicate of "… 있는데", which Kiwi also reads as a noun 데."""
    if morphemes[place].form != "데" or place < 2:  # noqa: PLR2004
        return None
    stem, ending = morphemes[place - 2 : place]
    if ending.tag != "ETM" or stem.tag not in STEMS or stem.tag == "VCP":
        return None
    return Predicate(place - 2, stem.start, stem.form, stem.tag, Mood.STATES, "는데")


def _is_auxiliary(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a verb only helps another, as in "써야 돼"."""
    one, before = morphemes[place], morphemes[place - 1]
    if one.tag == "VX":
        return True
    agreed = before.form == "로" and morphemes[place - 2].tag == "ETN"
    return one.form in ("되", "하") and (agreed or before.form.endswith(_MUST))


def find_main_verb(morphemes: Sequence[Morph], said: Predicate) -> int:
    """Return the place of the main verb, its auxiliaries passed over."""
    place = said.place
    while place > 1 and _is_auxiliary(morphemes, place):
        if morphemes[place - 1].tag not in ("EC", "JKB"):
            break
        place -= 2 if morphemes[place - 1].tag == "EC" else 3
        while place > 0 and morphemes[place].tag == "EP":
            place -= 1
    return place


def get_verb(morphemes: Sequence[Morph], said: Predicate) -> str:
    """Return the main predicate of the last clause, "일" and "하" as one word."""
    place = find_main_verb(morphemes, said)
    one = morphemes[place]
    if one.tag in ("XSV", "XSA") and place:
        return morphemes[place - 1].form + one.form
    return one.form
