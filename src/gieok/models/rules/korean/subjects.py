"""Says whom a Korean clause is about: the user, somebody named, or a thing.

Korean leaves the subject away, and it is then not always the user: in "태호 제대했어.
인사 왔어" it is Taeho twice. What nobody can tell is said to be unclear, not guessed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from typing import Final

from gieok.models.rules import lexicon as lx
from gieok.models.rules.korean.edits import USER
from gieok.models.rules.korean.endings import (
    Mood,
    Predicate,
    find_main_verb,
    get_verb,
)
from gieok.models.rules.korean.phrases import (
    ADDED,
    NounPhrase,
    find_last_clause,
    is_embedded,
    list_noun_phrases,
)
from gieok.models.rules.korean.vocabulary import KIN, OCCUPATIONS
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile
from gieok.text.time_expressions import is_time

_LISTS: Final = PatternFile("gieok.models.rules.korean", "subjects.toml")

ROLES: Final = _LISTS.get_words("roles")
OWNED: Final = _LISTS.get_words("owned")
_RAISED: Final = _LISTS.get_words("raised")
_RAISING: Final = _LISTS.get_words("raising")
_FELT: Final = _LISTS.get_words("felt")
_EXPERIENCED: Final = _LISTS.get_words("experienced")
TRANSITIVE: Final = _LISTS.get_words("transitive")
BEING: Final = _LISTS.get_words("being")
KEEPING: Final = _LISTS.get_words("keeping")
_IMPERSONAL: Final = _LISTS.get_words("impersonal")
CIRCUMSTANCES: Final = _LISTS.get_words("circumstances")
NAMED_THINGS: Final = _LISTS.get_words("named_things")
PERSONS_BEFORE: Final = _LISTS.get_words("persons_named_before")
THINGS_BEFORE: Final = _LISTS.get_words("things_named_before")

PERSONAL: Final = ("이름", "나이", "생일", "별명", "직업", "세례명", "태명")
"""What everybody has one of."""
HAVING: Final = ("있", "없", "생기", "많")
"""Verbs with whose subject the user is told to have it."""
ME: Final = ("나", "저", "내", "제", "우리", "저희")
_SEQUENCES: Final = PatternFile("gieok.models.rules.korean", "endings.toml").get_words(
    "same_subject"
)
_REASONS: Final = ("어서", "아서", "어", "아")
_OF_PERSONS: Final = _LISTS.get_words("of_persons")
_MEMBERS: Final = _LISTS.get_words("members")
PLACES: Final = _LISTS.get_words("places")
TO_PLACES: Final = ("에", "에서", "로", "으로")
_COUNTED: Final = ("MM", "NR", "SN")
_OF_THINGS: Final = tuple(sorted(_LISTS.get_words("of_things")))
_LONGER_THAN_NAMES: Final = 4  # syllables
_SHORTEST_DISTRICT: Final = 3
_SCHOOLS: Final = ("고", "중", "초")
_DISTRICTS: Final = ("동", "구", "읍", "역")
_LANGUAGES: Final = ("어", "말")
_VAGUE: Final = ("사람", "사람들", "다들", "누구", "아무")
_AS_NAMES: Final = ["JKS", "JX"]
"""How Kiwi reads "복실이는": 이 belongs to the name."""
_CALLED: Final = ["NNP", "XSN"]
"""How it reads "복실이 벌써 …"."""
_HONOURING: Final = ("드시", "계시", "주무시", "잡수시", "돌아가시")
_NOW: Final = ("이제", "인제", "아직", "원래")
_QUOTED: Final = ("다고", "라고", "자고", "냐고")
_ACTING: Final = _LISTS.get_words("acting")
_ANIMALS: Final = _LISTS.get_words("animals")
_TOLD_OF: Final = _LISTS.get_words("told_of_persons")
_ATTENDING: Final = _LISTS.get_words("attending")
_GROUPS: Final = _LISTS.get_words("groups")
_DECADES: Final = ("스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
"""How numbers begin that are mostly ages when nothing is counted."""
_KEEPERS: Final = ("집사", "견주")
"""Who has the animals that are named before."""
_PREGNANCY: Final = ("임신", "임산부")
FEELINGS: Final = _LISTS.get_words("feelings")


class Subject(Enum):
    """Whom or what a clause is about."""

    USER = auto()
    SOMEBODY = auto()
    SOMETHING = auto()
    UNCLEAR = auto()


@dataclass(frozen=True, slots=True)
class ClauseSubject:
    """Whom a clause is about, and the phrase that says so if one does."""

    kind: Subject
    phrase: NounPhrase | None = None
    name: str = ""
    """As it is said again in a later sentence."""
    is_bare: bool = False
    """Whether it stands without a particle, which is to be added."""
    companion: str = ""
    """The only other one that a sentence about the user names: "여자친구랑 …"."""
    is_asked: bool = False
    """Whether only the question before spoke of it."""
    is_asked_about: bool = False
    """Whether that asked what they do, or the like, so that the answer says it."""


def find_subject(
    morphemes: Sequence[Morph],
    said: Predicate,
    before: ClauseSubject | None,
    *,
    own: bool,
) -> ClauseSubject:
    """Return whom a clause is about.

    `own` says that the first person is its subject; `before` is whom what was said
    directly before is about.
    """
    phrases = [p for p in list_noun_phrases(morphemes) if p.after <= said.place + 1]
    if own or said.mood in (Mood.REQUESTS, Mood.WISHES):
        open_ = own and _is_after_one_had(morphemes, phrases, said)
        return ClauseSubject(Subject.UNCLEAR if open_ else Subject.USER)
    marked = _find_marked(morphemes, phrases, said)
    means = said.mood is Mood.INTENDS or said.supposes or said.stem == "싶"
    introduces = marked is None and _is_introduction(morphemes, said)
    if introduces or (means and not (marked and is_person(morphemes, marked))):
        return ClauseSubject(Subject.USER)
    if marked is not None:
        resolved = _resolve_marked(morphemes, marked, phrases, said)
        had = _is_had(morphemes, marked, phrases, said)
        another = _is_of_somebody(before) or _is_after_another(morphemes, phrases, said)
        open_ = resolved.kind is Subject.USER and not had and another
        return ClauseSubject(Subject.UNCLEAR) if open_ else resolved
    bare = _find_bare(morphemes, phrases, said)
    if bare is None and _is_transitive(morphemes, said):
        owned = [p for p in phrases if get_head(morphemes, p) in KIN]
        if len(owned) == 1 and not owned[0].particle:
            return ClauseSubject(Subject.USER, name=get_head(morphemes, owned[0]))
    if bare is not None:
        return _build_subject(morphemes, bare, Subject.SOMEBODY, is_bare=True)
    open_ = _is_after_another(morphemes, phrases, said)
    unclear = ClauseSubject(Subject.UNCLEAR)
    return unclear if open_ else _resolve_omitted(morphemes, said, before)


def _is_of_somebody(before: ClauseSubject | None) -> bool:
    """Tell whether what was said directly before is about somebody but the user."""
    return before is not None and (
        before.kind is Subject.SOMEBODY
        or (before.kind is Subject.USER and bool(before.name))
    )


def _is_introduction(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether somebody says how they are called: "쌤, 강도윤이라고 합니다"."""
    before = [m.form for m in morphemes[max(0, said.place - 2) : said.place]]
    named = any(m.tag == "NNP" for m in morphemes[: said.place])
    quoted = "".join(before).endswith(("라고", "이라고"))
    return said.stem == "하" and named and quoted and said.mood is Mood.STATES


def get_head(morphemes: Sequence[Morph], phrase: NounPhrase) -> str:
    """Return the noun that a phrase is about; "님" and "들" belong to it."""
    head = morphemes[phrase.last]
    if head.tag == "XSN" and phrase.last > phrase.first:
        before = morphemes[phrase.last - 1]
        joined = before.form + head.form
        return joined if joined in KIN | ROLES | OWNED else before.form
    return head.form


def is_person(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a phrase names a person or an animal."""
    head = get_head(morphemes, phrase)
    forms = [m.form for m in morphemes[phrase.first : phrase.last + 1]]
    if head in KIN | ROLES or head in lx.ACQUAINTANCES_KO or head in OCCUPATIONS:
        return True
    if forms[-1] in ("씨", "님", "군", "양") and len(forms) > 1:
        return True
    if [m.tag for m in morphemes[phrase.last + 1 : phrase.after]][:2] == _AS_NAMES:
        return True
    counted = morphemes[phrase.last].tag == "NNB" and head in ("명", "분")
    return (
        counted
        or head in (*PERSONS_BEFORE, USER)
        or morphemes[phrase.last].tag == "NNP"
        or _has_called_name(morphemes, phrase)
    )


def _find_marked(
    morphemes: Sequence[Morph], phrases: Sequence[NounPhrase], said: Predicate
) -> NounPhrase | None:
    """Return the phrase that is marked as the subject of the last clause."""
    start, joint = find_last_clause(morphemes, said.place)
    own = [p for p in phrases if _can_be_subject(morphemes, p)]
    here = [p for p in own if p.first >= start]
    if here:
        persons = [p for p in here if is_person(morphemes, p)]
        return (persons or here)[0]
    earlier = [p for p in own if p.first < start]
    topics = [p for p in earlier if p.is_topic]
    if topics:
        return topics[0]
    person = bool(earlier) and is_person(morphemes, earlier[0])
    acts = person and joint in _REASONS and morphemes[max(0, start - 2)].tag == "VV"
    told = said.mood in (Mood.REPORTS, Mood.TOLD)
    agent = (
        bool(earlier)
        and earlier[0].is_subject
        and any(p.tag == "JKO" and earlier[0].first < p.first < start for p in phrases)
    )
    may = morphemes[said.place - 1].form == "도" and said.stem == "모르"
    goes_on = (
        acts or told or agent or may or joint in _SEQUENCES or is_honouring(morphemes)
    )
    return earlier[0] if earlier and goes_on else None


def _is_after_another(
    morphemes: Sequence[Morph], phrases: Sequence[NounPhrase], said: Predicate
) -> bool:
    """Tell whether somebody is told of and it is not said of whom the next is.

    "남편이 승진해서 이제 센터장이에요": he is, but after "동생이 결혼해서" the user may
    be the one who lives alone, and after "여친이 디자이너인데" she who works late.
    """
    start = _find_last_beginning(morphemes, said)
    others = [p for p in phrases if p.first < start and _is_other(morphemes, p)]
    if not others or get_verb(morphemes, said) in FEELINGS:
        return False
    had = _is_had_before(morphemes, others[-1], start)
    told = is_of_persons(morphemes, said) and _has_person(morphemes[:start])
    return not had or said.tag == "VCP" or told


def find_introduced(morphemes: Sequence[Morph]) -> str:
    """Return whom words end in that the user has: "딸 하나 있는데"; nobody if none."""
    spoken = [m for m in morphemes if m.form != "요" and m.tag[0] != "S"]
    if not "".join(m.form for m in spoken[-3:]).endswith(("있는데", "있고")):
        return ""
    people = [m.form for m in spoken if m.form in KIN and m.form not in _ANIMALS]
    return people[-1] if people else ""


def is_of_persons(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether a predicate may go on about somebody whom the user has.

    In "딸이 하나 있는데 시애틀에 살아요" she does; in "딸이 있는데 걱정이 많아요" it is
    the user.
    """
    return said.tag == "VCP" or get_verb(morphemes, said) in _TOLD_OF


def _has_person(morphemes: Sequence[Morph]) -> bool:
    """Tell whether words name a relative or a partner, and no pet."""
    return any(m.form in KIN and m.form not in _ANIMALS for m in morphemes)


def _find_last_beginning(morphemes: Sequence[Morph], said: Predicate) -> int:
    """Return where the last clause begins, also behind "있는데" as Kiwi may read it."""
    start, _ = find_last_clause(morphemes, said.place)
    for place in range(2, said.place):
        after_verb = morphemes[place - 1].tag == "ETM"
        if after_verb and morphemes[place].form == "데":
            start = max(start, place + 1)
    return start


def _is_other(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a phrase is somebody else as a subject: "오빠가", "오빠 다시 …"."""
    if phrase.is_subject:
        return is_person(morphemes, phrase)
    verb = next(
        (m for m in morphemes[phrase.after :] if m.tag[:2] in ("VV", "VA")), None
    )
    opens = all(m.form in ME for m in morphemes[: phrase.first])
    taken = verb is not None and verb.form in TRANSITIVE
    nouns = {m.form for m in morphemes[phrase.first : phrase.last + 1]}
    person = get_head(morphemes, phrase) in KIN | ROLES or bool(nouns & KIN)
    return opens and not phrase.particle and not taken and person


def _is_had_before(morphemes: Sequence[Morph], phrase: NounPhrase, start: int) -> bool:
    """Tell whether a clause before the last one says that the user has somebody."""
    between = morphemes[phrase.after : start]
    place = next((n for n, m in enumerate(between) if m.tag in ("VV", "VA")), None)
    if place is None or any(m.tag == "JKS" for m in between[:place]):
        return False
    return between[place].form in HAVING


def _is_after_one_had(
    morphemes: Sequence[Morph], phrases: Sequence[NounPhrase], said: Predicate
) -> bool:
    """Tell whether a noun may be told of whom the user has: "저 형 있는데 고2예요"."""
    start = _find_last_beginning(morphemes, said)
    earlier = (p for p in phrases if p.last < start)
    kin = [p for p in earlier if get_head(morphemes, p) in KIN | ROLES]
    own = any(m.tag == "NP" and m.form in ME for m in morphemes[start:])
    told = said.tag == "VCP" or _has_person(morphemes[:start])
    last = bool(kin) and told and is_of_persons(morphemes, said) and not own
    return last and _is_had_before(morphemes, kin[-1], start)


def _can_be_subject(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a phrase is marked so that it can be the subject."""
    head = get_head(morphemes, phrase)
    circumstance = head in CIRCUMSTANCES and not phrase.is_subject
    added = phrase.tag == "JX" and phrase.particle in ADDED and head not in PLACES
    marked = phrase.is_subject or phrase.is_topic or added
    following = morphemes[phrase.after : phrase.after + 1]
    if phrase.particle in ("이서", "서") or (following and following[0].tag == "VCN"):
        return False
    elder = head in KIN and is_honouring(morphemes)
    embedded = not elder and is_embedded(morphemes, phrase)
    return (
        marked
        and not circumstance
        and not phrase.marked_place
        and head not in ME
        and not (phrase.is_subject and embedded)
    )


def is_honouring(morphemes: Sequence[Morph]) -> bool:
    """Tell whether a predicate speaks of somebody with respect."""
    return any(
        (m.tag == "EP" and m.form in ("시", "으시"))
        or (m.tag in ("VV", "VX") and m.form in _HONOURING)
        for m in morphemes
    )


def _is_transitive(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether the last predicate wants an object."""
    verb = get_verb(morphemes, said)
    place = find_main_verb(morphemes, said)
    return verb in TRANSITIVE or morphemes[place].form in TRANSITIVE - {"하"}


def _resolve_marked(
    morphemes: Sequence[Morph],
    marked: NounPhrase,
    phrases: Sequence[NounPhrase],
    said: Predicate,
) -> ClauseSubject:
    """Return whom a clause with a marked phrase is about."""
    person = is_person(morphemes, marked)
    if _is_had(morphemes, marked, phrases, said):
        name = get_head(morphemes, marked) if person else ""
        return ClauseSubject(Subject.USER, name=name)
    if _is_own_group(morphemes, marked) and not said.supposes:
        return _build_subject(morphemes, marked, Subject.SOMETHING)
    if _is_done_to(morphemes, marked, phrases, said):
        return ClauseSubject(Subject.USER)
    feels = get_verb(morphemes, said) in FEELINGS and marked.is_subject
    if person and not feels:
        return _build_subject(morphemes, marked, Subject.SOMEBODY)
    return _resolve_thing(morphemes, marked, phrases, said)


def _is_located(marked: NounPhrase, phrases: Sequence[NounPhrase]) -> bool:
    """Tell whether it is said where the marked phrase is."""
    return any(p.particle == "에" and p.first > marked.last for p in phrases)


def _has_object_after(marked: NounPhrase, phrases: Sequence[NounPhrase]) -> bool:
    """Tell whether an object stands behind the marked phrase."""
    return any(p.tag == "JKO" and p.first > marked.last for p in phrases)


def _is_quoted(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether it is what somebody says or is told."""
    quoted = said.place > 0 and morphemes[said.place - 1].form.endswith(_QUOTED)
    return quoted or said.mood in (Mood.REPORTS, Mood.TOLD)


def _is_had(
    morphemes: Sequence[Morph],
    marked: NounPhrase,
    phrases: Sequence[NounPhrase],
    said: Predicate,
) -> bool:
    """Tell whether the marked phrase is what the user has ("딸이 있어요")."""
    person = is_person(morphemes, marked)
    exists = get_verb(morphemes, said) in HAVING
    too = marked.particle == "도" and person
    owner = person and any(p.is_subject and p.first > marked.last for p in phrases)
    had = exists and said.tag != "VCP" and (marked.is_subject or too)
    return had and not (owner or _is_located(marked, phrases))


def _is_done_to(
    morphemes: Sequence[Morph],
    marked: NounPhrase,
    phrases: Sequence[NounPhrase],
    said: Predicate,
) -> bool:
    """Tell whether a topic is no subject but an object or a place ("굴은 못 먹어")."""
    known = _has_object_after(marked, phrases) or _is_quoted(morphemes, said)
    wants = not known and _is_transitive(morphemes, said)
    if marked.tag == "JX" and wants and _can_be_object(morphemes, marked, phrases):
        return True
    thing = marked.is_topic and not is_person(morphemes, marked)
    return thing and _is_acting(morphemes, said)


def _resolve_thing(
    morphemes: Sequence[Morph],
    marked: NounPhrase,
    phrases: Sequence[NounPhrase],
    said: Predicate,
) -> ClauseSubject:
    """Return whom a clause about a thing is about: it, or the user who has it."""
    verb, head = get_verb(morphemes, said), get_head(morphemes, marked)
    located = _is_located(marked, phrases)
    felt = not located and (marked.is_subject or verb in _EXPERIENCED)
    owned = head in OWNED and marked.is_topic
    known = verb in _EXPERIENCED or head in _FELT
    if not owned and felt and known and said.tag != "VCP":
        others = [p for p in phrases if p is not marked and is_person(morphemes, p)]
        if head in _FELT or not others:
            return ClauseSubject(Subject.USER)
    acts = _has_object_after(marked, phrases) and not _is_quoted(morphemes, said)
    if marked.is_topic and acts and _is_transitive(morphemes, said):
        return ClauseSubject(Subject.USER)
    return _build_subject(morphemes, marked, Subject.SOMETHING)


def _is_acting(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether the last predicate is of what only people and animals do."""
    if said.tag != "VCP" or not said.place:
        return get_verb(morphemes, said) in _ACTING
    named = morphemes[said.place - 1]
    return named.form in _ACTING and named.tag != "NNB"  # "다섯 살이다"


def _is_own_group(morphemes: Sequence[Morph], marked: NounPhrase) -> bool:
    """Tell whether a phrase is a group of which the user is one ("우리 팀은")."""
    first = marked.first
    own = [m.form for m in morphemes[max(0, first - 1) : first + 1]]
    ours = not {"우리", "저희"}.isdisjoint(own)
    return marked.is_topic and ours and get_head(morphemes, marked) in _GROUPS


def _can_be_object(
    morphemes: Sequence[Morph], marked: NounPhrase, phrases: Sequence[NounPhrase]
) -> bool:
    """Tell whether a topic is what somebody does something to ("굴은 못 먹어")."""
    head = get_head(morphemes, marked)
    if not is_person(morphemes, marked) or marked.particle in ADDED:
        return head != USER
    alone = all(p is marked or p.tag == "JKB" for p in phrases)
    short = len(head) < _LONGER_THAN_NAMES and not head.endswith(_OF_THINGS)
    named = morphemes[marked.last].tag != "NNP" or short
    known = named or head in (*(KIN | ROLES), USER)
    return alone and not known


def _build_subject(
    morphemes: Sequence[Morph],
    phrase: NounPhrase,
    kind: Subject,
    *,
    is_bare: bool = False,
) -> ClauseSubject:
    """Return a subject with the name under which it goes on."""
    forms = [m.form for m in morphemes[phrase.first : phrase.last + 1]]
    name = "".join(forms[-2:]) if morphemes[phrase.last].tag == "XSN" else forms[-1]
    return ClauseSubject(kind, phrase, name, is_bare)


def _find_bare(
    morphemes: Sequence[Morph], phrases: Sequence[NounPhrase], said: Predicate
) -> NounPhrase | None:
    """Return a person named without a particle as the subject ("태호 제대했어")."""
    start, joint = find_last_clause(morphemes, said.place)
    if joint in _SEQUENCES or is_honouring(morphemes):
        start = 0
    placed = _find_placed(morphemes, phrases, said)
    if placed is not None and placed.first >= start:
        return placed
    here = [p for p in phrases if p.first >= start and p.tag not in ("JKB", "JKG")]
    for phrase in here:
        quoted = [m.tag for m in morphemes[phrase.after : phrase.after + 1]]
        if phrase.tag == "JKO" or (quoted and quoted[0].startswith("SS")):
            return None
        head = get_head(morphemes, phrase)
        person = morphemes[phrase.first].form in KIN | ROLES
        if phrase.particle or (head in CIRCUMSTANCES and not person):
            continue
        return _resolve_bare(morphemes, phrase, here, said)
    return None


def _find_placed(
    morphemes: Sequence[Morph], phrases: Sequence[NounPhrase], said: Predicate
) -> NounPhrase | None:
    """Return a relative before a named place, or a time: "남편 삼성에 다녀"."""
    phrase = next((p for p in phrases if p.tag != "JKG"), None)
    if phrase is None or phrase.particle not in TO_PLACES:
        return None
    inside = range(phrase.first + 1, phrase.last + 1)
    named = next((n for n in inside if _is_name_or_time(morphemes, n)), None)
    person = [m.form for m in morphemes[phrase.first : named] if m.form not in ME]
    if named is None or "".join(person) not in KIN or _is_transitive(morphemes, said):
        return None
    return phrase._replace(last=named - 1, after=named, particle="", tag="")


def _is_name_or_time(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a word of its own is a name, or says when."""
    one, before = morphemes[place], morphemes[place - 1]
    timed = one.form in CIRCUMSTANCES or is_time_at(morphemes, place)
    return one.start > before.end and (timed or one.tag == "NNP")


def is_time_at(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a word says when: 다음주, which is two nouns."""
    one, *after = morphemes[place : place + 2]
    joined = [m.form for m in after if m.start == one.end and m.tag[0] == "N"]
    return is_time("".join([one.form, *joined]))


def _resolve_bare(
    morphemes: Sequence[Morph],
    phrase: NounPhrase,
    here: Sequence[NounPhrase],
    said: Predicate,
) -> NounPhrase | None:
    """Return the person that a phrase without a particle begins with, if any."""
    short = _split_person(morphemes, phrase)
    if short is None or _is_keeper(morphemes, said):
        return None
    whole = short.last == phrase.last
    if said.tag == "VCP" and (whole or phrase.last < said.place - 1):
        known = get_head(morphemes, short) in KIN | ROLES
        following = morphemes[phrase.after : phrase.after + 1]
        owned = bool(following) and following[0].form in ME
        called = phrase.last < said.place - 1 and _has_called_name(morphemes, phrase)
        told = not whole or is_age(morphemes, said)
        return short if owned or called or (known and told) else None
    others = [p for p in here if p is not phrase and not p.particle]
    alone = whole and all(morphemes[p.last].tag == "NNB" for p in others)
    verb = get_verb(morphemes, said)
    if verb in _RAISING and get_head(morphemes, short) in _RAISED:
        return None
    if verb in ("있", "없") or (whole and _is_object_of_next(morphemes, phrase)):
        return None
    if alone and (_is_transitive(morphemes, said) or verb in _EXPERIENCED):
        return None
    return None if _is_attended(morphemes, short, others, said) else short


def _is_keeper(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether it is said whose animals somebody has: "코숏 두 마리 집사예요"."""
    return said.tag == "VCP" and morphemes[said.place - 1].form in _KEEPERS


def _is_attended(
    morphemes: Sequence[Morph],
    phrase: NounPhrase,
    others: Sequence[NounPhrase],
    said: Predicate,
) -> bool:
    """Tell whether a name alone is that of a firm or a place: "여의도 근무해"."""
    attending = get_verb(morphemes, said) in _ATTENDING
    verb = find_main_verb(morphemes, said)
    alone = all(p.last == verb - 1 for p in others)
    return attending and alone and not _is_known_person(morphemes, phrase)


def _is_known_person(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether somebody is surely meant, and no firm of the same name."""
    known = get_head(morphemes, phrase) in KIN | ROLES
    return known or _has_called_name(morphemes, phrase)


def _has_called_name(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a phrase ends in a name as friends call it: "민준이" of 민준."""
    ends = morphemes[max(phrase.first, phrase.last - 1) : phrase.last + 1]
    return [m.tag for m in ends] == _CALLED and ends[-1].form == "이"


def _is_object_of_next(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether the verb behind a person wants an object ("어머니 모시고")."""
    following = next((m for m in morphemes[phrase.after :] if m.tag != "MAG"), None)
    return following is not None and following.form in TRANSITIVE


def _is_place(noun: str) -> bool:
    """Tell whether a name is that of a place: listed, or ends as districts do."""
    long = len(noun) >= _SHORTEST_DISTRICT and noun not in KIN | ROLES
    return noun in PLACES or (long and noun.endswith(_DISTRICTS))


def _split_person(morphemes: Sequence[Morph], phrase: NounPhrase) -> NounPhrase | None:
    """Return the person at the beginning of some nouns ("태호 제대", "엄마 병원")."""
    for last in range(phrase.first, phrase.last + 1):
        one = morphemes[last]
        if one.tag == "NNP" and _is_place(one.form):
            return None
        head = get_head(morphemes, phrase._replace(last=last))
        named = one.tag == "NNP" and last == phrase.first
        named = named and not one.form.endswith(_LANGUAGES)
        known = head in KIN | ROLES or named
        if not known or one.form in _OF_PERSONS:
            continue
        after = morphemes[last + 1] if last < phrase.last else None
        if after is not None and after.form in KIN and after.start > one.end:
            continue
        own = head in KIN | ROLES
        if named and not own and _is_membership(morphemes[last + 1 :]):
            return None
        return _truncate_phrase(
            morphemes, phrase, _extend_title(morphemes, phrase, last)
        )
    return None


def _is_membership(after: Sequence[Morph]) -> bool:
    """Tell whether somebody is one of whatever was named: "기아 팬이에요"."""
    member, being = [m.form for m in after[:1]], [m.form for m in after[1:2]]
    return any(form in _MEMBERS for form in member) and being in (["이"], ["되"])


def _truncate_phrase(
    morphemes: Sequence[Morph], phrase: NounPhrase, last: int
) -> NounPhrase | None:
    """Return a phrase up to a person, unless what follows is of that person."""
    if last + 1 == len(morphemes) or (last == phrase.last and phrase.particle):
        return phrase
    following = morphemes[last + 1]
    joined = following.start == morphemes[last].end
    if (joined and following.tag[0] != "S") or following.form in _OF_PERSONS:
        return None
    if last == phrase.last:
        return phrase
    return phrase._replace(last=last, after=last + 1)


def _extend_title(morphemes: Sequence[Morph], phrase: NounPhrase, last: int) -> int:
    """Return the place of what belongs to a name: "씨", "님", "들"."""
    while last < phrase.last and morphemes[last + 1].form in _TITLES:
        last += 1
    return last


_TITLES: Final = ("씨", "님", "들", "군", "양", "네", "이")


def _resolve_omitted(
    morphemes: Sequence[Morph], said: Predicate, before: ClauseSubject | None
) -> ClauseSubject:
    """Return whom a clause is about that names no subject."""
    others = said.mood in (Mood.REPORTS, Mood.TOLD) or is_honouring(morphemes)
    if before is not None and before.name in _VAGUE:
        before = None
    somebody = before is not None and before.kind is Subject.SOMEBODY
    if before is not None and before.kind is Subject.USER and before.name:
        before = ClauseSubject(Subject.SOMEBODY, name=before.name)
    if others:
        known = before is not None and (
            before.kind is Subject.SOMEBODY
            or (before.kind is Subject.USER and before.is_asked)
        )
        return before if before and known else ClauseSubject(Subject.UNCLEAR)
    if said.tag == "VCP" and not _is_self_description(morphemes, said):
        return _resolve_noun(morphemes, said, before)
    must = any(m.tag == "EC" and m.form in ("어야", "아야") for m in morphemes)
    feels = must or get_verb(morphemes, said) in FEELINGS or said.supposes
    if before and somebody and not (feels or before.is_asked):
        return before
    return ClauseSubject(Subject.USER)


def _resolve_noun(
    morphemes: Sequence[Morph], said: Predicate, before: ClauseSubject | None
) -> ClauseSubject:
    """Return what a noun is said of that stands without a subject ("흰색이야")."""
    dated = bool(morphemes) and morphemes[0].form in CIRCUMSTANCES
    if dated or any(m.form in _IMPERSONAL for m in morphemes[: said.place + 1][-2:]):
        return ClauseSubject(Subject.SOMETHING)
    newly = any(m.form in _NOW and m.tag[0] in "MN" for m in morphemes)
    if before is None or before.kind not in (Subject.SOMEBODY, Subject.SOMETHING):
        return ClauseSubject(Subject.USER if newly else Subject.UNCLEAR)
    vague = not before.name or before.name in _FELT | CIRCUMSTANCES
    return ClauseSubject(Subject.UNCLEAR) if vague else before


def is_age(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether a predicate is a number that is mostly an age: "일흔여덟이다"."""
    place = said.place - 1
    if said.tag != "VCP" or place < 0 or morphemes[place].tag != "NR":
        return False
    while place and morphemes[place - 1].tag == "NR":
        place -= 1
    return morphemes[place].form.startswith(_DECADES)


def is_school_year(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether a predicate is somebody's year at school: "고2이다"."""
    before = [(m.form, m.tag) for m in morphemes[max(0, said.place - 2) : said.place]]
    return len(before) > 1 and before[1][1] == "SN" and before[0][0] in _SCHOOLS


def is_expecting(morphemes: Sequence[Morph]) -> bool:
    """Tell whether somebody is said to be so many weeks pregnant: "임신 14주"."""
    return any(
        one.form in _PREGNANCY and two.tag in ("SN", "NR", "MM", "NNB")
        for one, two in pairwise(morphemes)
    )


def _is_self_description(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether the noun of a predicate says what a person is."""
    nouns = [
        m for m in morphemes[: said.place + 1] if m.tag.startswith(("N", "X", "SL"))
    ]
    if is_age(morphemes, said) or is_school_year(morphemes, said):
        return True
    if is_expecting(morphemes):
        return True
    if not nouns:
        return False
    forms = {nouns[-1].form, "".join(m.form for m in nouns[-2:])}
    return not forms.isdisjoint(BEING | OCCUPATIONS)
