"""What a language model found, as far as the rules can follow it.

A model may invent, take what somebody else said for the user's, or small talk for a
wish to forget. So what it found is read beside the talk as what the rules find is: a
wish to forget has to be one, what is new has to be worth it in any words, and whatever
says the contrary of its clause, or speaks of the user where that speaks of somebody
else, waits as a candidate. What is in no language that the rules read is not judged.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gieok.kernel.language import (
    Basis,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.grounding import has_shared_words
from gieok.models.rules.assessment import FORGET
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.changes.related_findings import UNSURE
from gieok.models.rules.flags import ABOUT_OTHERS, REQUESTS
from gieok.models.rules.lexicon import (
    ACQUAINTANCES_EN,
    ACQUAINTANCES_KO,
    KIN_EN,
    KIN_KO,
    NEGATION_EN,
    OTHERS_EN,
    OTHERS_KO,
)
from gieok.models.rules.linear import Numbers
from gieok.models.rules.memory_check import render_memory_check
from gieok.models.rules.message_context import find_message_context
from gieok.models.rules.plain_statements import is_remember_request
from gieok.models.rules.wishes.certainty import LIKELY_WISH, MAX_ASKED, POSSIBLY_MEANT
from gieok.text.english import STOPWORDS, stem_word
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

MIN_WORTH: Final = -2.0
"""Log-odds under which nothing of what was said is worth remembering."""
MIN_MEANT: Final = 0.02
"""How likely a wish means an item, that a language model says it means, to be asked
about: less than where nobody says so."""
MIN_ABOUT: Final = 0.15
"""How likely at least something is about the item that it would take out of use."""
ALIKE: Final = 0.5
"""Share of the words of a memory from which a clause says the same, or the contrary."""
_ASKING: Final = ("standing", "remember", "taste", "forget")
_CONTENT_TAGS: Final = ("NN", "NR", "VV", "VA", "XR", "SL", "SN")
_PREDICATES: Final = ("VV", "VA", "XR")
_DENYING: Final = frozenset({"안", "못"})
_DENIED: Final = frozenset({"않", "못하", "말", "아니하"})
_REACH: Final = 3
"""Words within which something is denied: "don't really drink"."""
_WORD: Final = compile_lazily(r"[A-Za-z]+")
_JAMO: Final = compile_lazily(r"[ㄱ-ㅣ]")
_LATIN: Final = compile_lazily(r"[A-Za-zÀ-ɏḀ-ỿ]")
_PIECE: Final = compile_lazily(r"[a-zà-ɏ]{4,}|[^\W\d_a-z]{2}")
"""A word of four letters, or two letters of a script without spaces."""
_ENGLISH: Final = _LISTS.get_words("verification.english")
_OTHER_LATIN: Final = _LISTS.get_words("verification.other_latin")
_ENGLISH_WORD: Final = compile_lazily(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_USER: Final = compile_lazily(r"\buser\b|사용자", re.IGNORECASE)
_OF_USER: Final = compile_lazily(
    r"\s*(?:(?:the )?user\b(?!['’]s)|사용자(?:[는가]|의 (?:이름|별명|성함)))",
    re.IGNORECASE,
)
_SENTENCE_END: Final = compile_lazily(r"[.!?…]\s*$|(?:[요다죠]|니다)\s*$")
_SELF: Final = compile_lazily(
    r"\b(?:I|i|me|myself|we)\b|(?:^|\s)(?:저|나|난|전|내가|제가|우린|저희)(?:[는도를]|\b)"
)
"""Who speaks of themselves, not only of what is theirs."""


@dataclass(frozen=True, slots=True)
class ReadTalk:
    """A talk as the rules read it."""

    messages: Sequence[Utterance]
    candidates: Sequence[ClauseCandidate]
    intents: Numbers
    """Probability of each intent, a row for each clause."""
    wishes: Mapping[int, Numbers]
    """By the clause of a wish to forget: how likely it means each known item."""
    known: Sequence[KnownMemory]
    """The items that the clauses are compared with."""
    about: Numbers
    """How likely each clause is about each known item, if it is about one."""
    morphology: Morphology = field(repr=False)

    def can_follow(self, finding: Finding) -> bool:
        """Tell whether any message that a finding rests on is in a language read."""
        said = (m.content for m in self.messages if m.index in finding.evidence)
        return any(map(is_in_read_language, said))

    def is_named(self, finding: Finding) -> bool:
        """Tell whether the messages hold something of the item that it is about."""
        said = "\n".join(
            m.content for m in self.messages if m.index in finding.evidence
        )
        place = self.find_place(finding)
        if place is None:
            return finding.target is None
        pieces = _PIECE.findall(self.known[place].content.casefold())
        return any(piece in said.casefold() for piece in pieces)

    def find_place(self, finding: Finding) -> int | None:
        """Return the place of the known item that a finding is about, if any."""
        places = (n for n, each in enumerate(self.known) if each.id == finding.target)
        return next(places, None)

    def list_clauses(self, finding: Finding) -> list[int]:
        """Return the clauses of the messages that a finding rests on."""
        return [
            number
            for number, candidate in enumerate(self.candidates)
            if candidate.turn.index in finding.evidence
        ]


def render_checks(finding: Finding, messages: Sequence[Utterance]) -> tuple[str, ...]:
    """Return what the encoder reads of a finding, for each message that it rests on.

    Nothing of what tells nothing new, and of messages in other languages.
    """
    if finding.operation is FindingOperation.DELETE:
        return ()
    spoken = {each.index for each in messages if each.role is Role.USER}
    contexts = [
        find_message_context(messages, index)
        for index in finding.evidence
        if index in spoken
    ]
    return tuple(
        render_memory_check(finding.content, context)
        for context in contexts
        if is_in_read_language(context.message.content)
    )


def is_in_read_language(text: str) -> bool:
    """Tell whether a text is in a language that the rules read, or in none.

    What has no letters ("👍"), and a few Latin words of no known language, count.
    """
    if has_hangul(text) or _JAMO.search(text):
        return True
    letters = [letter for letter in text if letter.isalpha()]
    latin = [letter for letter in letters if _LATIN.match(letter)]
    if len(latin) < len(letters) / 2:
        return False
    words = {word.lower() for word in _ENGLISH_WORD.findall(text)}
    english, other = len(words & _ENGLISH), len(words & _OTHER_LATIN)
    return other <= english and (english > 0 or all(map(str.isascii, latin)))


def verify_findings(
    findings: Iterable[Finding], worth: Sequence[float | None], talk: ReadTalk
) -> tuple[Finding, ...]:
    """Return the findings that the rules can follow, and with less confidence others.

    `worth` has the log-odds that what each rests on is worth remembering, or None.
    """
    wishes: list[tuple[float, Finding]] = []
    others: list[Finding] = []
    for finding, odds in zip(findings, worth, strict=True):
        deletes = finding.operation is FindingOperation.DELETE
        is_wish = deletes and finding.basis is Basis.REQUESTED
        if is_wish:
            wishes += _verify_wish(finding, talk)
        elif not talk.can_follow(finding):
            others.append(finding)
        elif deletes and not _is_about_target(finding, talk):
            continue
        elif odds is None or odds >= MIN_WORTH or _is_about_known(finding, talk):
            others.append(_verify_statement(finding, talk))
    return (*_limit_questions(wishes), *others)


def _verify_wish(finding: Finding, talk: ReadTalk) -> Iterator[tuple[float, Finding]]:
    """Yield a wish to forget with how likely it means its item, if it may be one."""
    if not talk.can_follow(finding):
        is_named = talk.is_named(finding)
        yield float(is_named), finding if is_named else _limit_confidence(finding)
        return
    clauses = talk.list_clauses(finding)
    chance = max((float(talk.intents[n, FORGET]) for n in clauses), default=0.0)
    if chance < LIKELY_WISH:
        return
    place = talk.find_place(finding)
    if place is None:
        yield 1.0, finding
        return
    meant = [float(talk.wishes[n][place]) for n in clauses if n in talk.wishes]
    likely = max(meant, default=0.0)
    if likely >= POSSIBLY_MEANT:
        yield likely, finding
    elif likely >= MIN_MEANT:
        yield likely, _limit_confidence(finding)


def _limit_questions(wishes: Iterable[tuple[float, Finding]]) -> Iterator[Finding]:
    """Yield wishes; of those that have to be asked about, the likeliest."""
    asked = 0
    for _, finding in sorted(wishes, key=lambda each: -each[0]):
        asked += finding.confidence <= UNSURE
        if finding.confidence > UNSURE or asked <= MAX_ASKED:
            yield finding


def _verify_statement(finding: Finding, talk: ReadTalk) -> Finding:
    """Return what was stated, with less confidence if its clause says otherwise."""
    clauses = [talk.candidates[n] for n in talk.list_clauses(finding)]
    if finding.basis is Basis.REQUESTED and not any(map(is_remember_request, clauses)):
        finding = replace(finding, basis=Basis.STATED)
    updates = finding.operation is FindingOperation.UPDATE
    if updates and not _is_about_target(finding, talk):
        finding = replace(finding, operation=FindingOperation.ADD, target=None)
    if finding.operation is FindingOperation.DELETE or not clauses:
        return finding
    memory = collect_candidates(
        (Utterance(0, Role.USER, finding.content),), talk.morphology
    )
    is_doubtful = (
        is_contrary(memory, clauses)
        or _is_of_somebody_else(memory, clauses)
        or _is_beside_statements(finding, clauses)
        or _is_unasked_order(memory, clauses)
        or _has_invented_people(memory, talk)
    )
    return _limit_confidence(finding) if is_doubtful else finding


def _is_about_target(finding: Finding, talk: ReadTalk) -> bool:
    """Tell whether what was said is about what it would take out of use."""
    place, clauses = talk.find_place(finding), talk.list_clauses(finding)
    if place is None or not clauses:
        return True
    return any(talk.about[n, place] >= MIN_ABOUT for n in clauses)


def _is_about_known(finding: Finding, talk: ReadTalk) -> bool:
    """Tell whether it is about something known: no matter what it is worth alone."""
    has_target = talk.find_place(finding) is not None
    return has_target and _is_about_target(finding, talk)


def _limit_confidence(finding: Finding) -> Finding:
    return replace(finding, confidence=min(finding.confidence, UNSURE))


def is_contrary(
    memory: Sequence[ClauseCandidate], clauses: Sequence[ClauseCandidate]
) -> bool:
    """Tell whether a memory affirms what the clause nearest to it denies."""
    return any(
        _list_predicates(part, negated=False) & _list_predicates(near, negated=True)
        for part in memory
        for near in _find_alike(part, clauses)
    )


def _list_predicates(candidate: ClauseCandidate, *, negated: bool) -> frozenset[str]:
    """Return the stems that a clause denies, or those that it does not."""
    words = [word.lower() for word in _ENGLISH_WORD.findall(candidate.clause.text)]
    english = {
        stem_word(word)
        for place, word in enumerate(words)
        if word not in STOPWORDS
        and negated
        == any(each in NEGATION_EN for each in words[max(0, place - _REACH) : place])
    }
    forms = [morpheme.form for morpheme in candidate.clause.morphemes]
    korean = {
        one.form
        for place, one in enumerate(candidate.clause.morphemes)
        if one.tag.startswith(_PREDICATES) and negated == _is_denied(forms, place)
    }
    return frozenset(english | korean)


def _is_denied(forms: Sequence[str], place: int) -> bool:
    """Tell whether a Korean predicate is denied: "안 마셔요", "마시지 않아요"."""
    after = forms[place + 1 : place + 1 + _REACH]
    ahead = forms[place - 1] if place else ""
    return ahead in _DENYING or (after[:1] == ["지"] and not _DENIED.isdisjoint(after))


def _is_of_somebody_else(
    memory: Sequence[ClauseCandidate], clauses: Sequence[ClauseCandidate]
) -> bool:
    """Tell whether a memory says of the user alone what was said of somebody else."""
    if not memory or not _OF_USER.match(memory[0].turn.text):
        return False
    if any(part.has_flag(*ABOUT_OTHERS) for part in memory):
        return False
    return any(
        _is_about_others(near, clauses)
        for part in memory
        for near in _find_alike(part, clauses)
    )


def _is_about_others(
    clause: ClauseCandidate, clauses: Sequence[ClauseCandidate]
) -> bool:
    """Tell whether a clause, or one of its sentence before it, is about somebody else.

    "제 친구 민지는 당뇨가 있고 대전에 살아요" names its subject once.
    """
    for each in reversed(clauses[: clauses.index(clause) + 1]):
        if each is not clause and (
            each.turn is not clause.turn or _SENTENCE_END.search(each.clause.text)
        ):
            return False
        if _SELF.search(each.clause.text):
            return False
        if each.has_flag(*ABOUT_OTHERS):
            return True
    return False


def _is_beside_statements(finding: Finding, clauses: Sequence[ClauseCandidate]) -> bool:
    """Tell whether it rests on what is quoted, played, made up or practised."""
    stated = [
        f"{each.topic} {each.clause.text}"
        for each in clauses
        if not (
            each.turn.frame.roleplay
            or each.turn.frame.fiction
            or each.turn.frame.drill
            or each.turn.frame.pasted
        )
    ]
    asked = {each.turn.asked for each in clauses}
    return not has_shared_words(finding.content, "\n".join((*stated, *asked)))


def _is_unasked_order(
    memory: Sequence[ClauseCandidate], clauses: Sequence[ClauseCandidate]
) -> bool:
    """Tell whether a memory is an order, and nothing that was said orders or asks."""
    ordered = any(part.has_flag(*REQUESTS, "standing", "habit") for part in memory)
    if not ordered or _USER.search(memory[0].turn.text):
        return False
    return not any(each.has_flag(*REQUESTS, *_ASKING) for each in clauses)


def _has_invented_people(memory: Sequence[ClauseCandidate], talk: ReadTalk) -> bool:
    """Tell whether a memory is about a relative, and nobody spoke of anyone."""
    if not any(part.flags["kin"] for part in memory):
        return False
    told = (*talk.messages, *talk.known)
    said = " ".join(each.content for each in told).lower()
    named = any(word in said for word in KIN_KO | OTHERS_KO | ACQUAINTANCES_KO)
    words = _WORD.findall(said)
    return not named and (KIN_EN | OTHERS_EN | ACQUAINTANCES_EN).isdisjoint(words)


def _find_alike(
    part: ClauseCandidate, clauses: Sequence[ClauseCandidate]
) -> list[ClauseCandidate]:
    """Return the clause that says most of a part of a memory, if it says enough."""
    words = _collect_words(part)
    if not words:
        return []
    shares = [len(words & _collect_words(each)) / len(words) for each in clauses]
    best = max(shares)
    near = [each for each, share in zip(clauses, shares, strict=True) if share == best]
    return near if best >= ALIKE and len(near) == 1 else []


def _collect_words(candidate: ClauseCandidate) -> frozenset[str]:
    """Return the stems of what a clause names and says."""
    english = {
        stem_word(word.lower())
        for word in _WORD.findall(candidate.clause.text)
        if word.lower() not in STOPWORDS and word.lower() != "user"
    }
    korean = {
        morpheme.form
        for morpheme in candidate.clause.morphemes
        if morpheme.tag.startswith(_CONTENT_TAGS) and morpheme.form != "사용자"
    }
    return frozenset(english | korean)
