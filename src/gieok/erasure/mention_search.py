"""Finds what a person said of something they asked to forget, in any session."""

from collections.abc import (
    AsyncIterator,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID, uuid5

from gieok.erasure.continuations import is_about_topic, select_continuations
from gieok.kernel.language import Category, KnownMemory, Model, Role, Utterance
from gieok.kernel.offload import run_in_thread
from gieok.kernel.scope import Scope
from gieok.memories import Memory, PossibleMention
from gieok.memories.claims import ForgetWish
from gieok.memories.extraction import LONGEST_WISH, to_known
from gieok.memories.list_store import list_inactive
from gieok.memories.promote import MIN_STATED_CONFIDENCE
from gieok.memories.restatement import USER, is_repeating
from gieok.memories.wishes import WishContext, extract_wishes
from gieok.recall import Filters, Hit, HitKind, Recall
from gieok.sessions import Message
from gieok.sessions.message_store import (
    list_turn_before,
    list_user_messages_after,
    list_withheld_messages,
)
from gieok.settings.consent_rules import can_store_texts
from gieok.text.kiwi import get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.relatives import extract_relatives
from gieok.text.same_wording import is_negated, normalize_content
from gieok.text.sentences import split_sentences

MAX_HITS: Final = 40
"""Messages that are read for a wish; those that search finds nearest to it."""
MAX_TOLD: Final = 60
"""Sentences of summaries that are read for a wish, of the nearest summaries first."""
LONGEST_MESSAGE: Final = 1_000
"""Characters of a message that are read; the bundled rules read fewer."""
MIN_MEANT: Final = 0.11
"""Confidence that a wish means what was said in its own session.

Whoever says "forget what I said about it" means something just said, and whatever they
possibly mean of it they mean."""
MIN_MEANT_FIRST: Final = 0.045
"""The same of what it means most likely: who points back to something just said means
one thing at least."""
MIN_POSSIBLE: Final = 0.1
"""Confidence from which the person is asked whether a wish means what they said in
another session, where it means nothing else. Of 22 unread wishes that mean only
messages 6 are sure, and 9 more ask about a right one; of 35 that mean nothing 8 ask."""
MIN_POSSIBLE_BESIDE: Final = 0.2
"""The same where the wish means something else for sure; and only about what has a word
of the wish, or of what it means for sure."""
LONGEST_SHOWN: Final = 160
"""Characters of a message that stand in the question."""
LONGEST_REACH: Final = 8
"""Places in a session, replies among them, in which a message may be gone on with."""


class FoundMessages(NamedTuple):
    """What was said of a wish to forget."""

    meant: list[UUID]
    """The messages that it is about."""
    possible: list[PossibleMention]
    """What it may be about, the likeliest first."""


class ReadSession(NamedTuple):
    """What was said in a session, and how sure a wish means each message of it."""

    wish: str
    hits: Sequence[Hit]
    sure: Mapping[UUID, float]


@dataclass(frozen=True, slots=True)
class MentionSearch:
    """Searches everything said, and has a model tell what a wish means."""

    recall: Recall
    model: Model

    async def find_messages(
        self,
        scope: Scope,
        wish: ForgetWish,
        at: datetime,
        sessions: Collection[UUID] = (),
        message_id: UUID | None = None,
    ) -> FoundMessages:
        """Return the messages that a wish to forget is about, and may be about.

        `sessions` are those in which the person wished it, `message_id` is the message
        in which they did last.

        Messages that repeat what was erased for the wish are about it too. What was
        said after the time of the wish is not searched; what was said while memory was
        off is read as a whole, as no search finds it.

        Raises:
            ModelUnavailableError: the model or embedder does not answer.
        """
        said, erased = wish
        own_sessions = await self._read_sessions(scope, said, at, sessions)
        found = await self._find_pointed(scope, said, at, message_id)
        hits = await self._search_messages(scope, said, at)
        sure = await self._measure_meant(said, hits, at)
        others = [hit for hit in hits if hit.session_id not in sessions]
        elsewhere = _find_likeliest(sure, self._select_naming((said,), others))
        if own_sessions:
            elsewhere = max(elsewhere, await self._measure_gone(scope, said, at))
        found += self._select_meant_here(own_sessions, elsewhere)
        found += self._select_meant(hits, sure, sessions, elsewhere)
        for content in erased:
            found += await self._find_repeating(scope, content, at)
        async for withheld in self._read_withheld(scope, at):
            unread = await self._measure_meant(said, withheld, at)
            found += self._select_meant(withheld, unread, sessions, elsewhere)
            found += self._select_repeating(erased, withheld)
        meant = list(dict.fromkeys(found))
        if said in erased:
            return FoundMessages(meant, [])  # it was asked about, and is no wish
        own = {hit.id for hit in hits if _is_own_message(hit, said)}
        if is_about_topic(said):
            named = [each for each in meant if each not in own]
            meant += await self._find_continuing(scope, named, at)
        open_ = [hit for hit in others if hit.id not in meant]
        if not (erased or {*meant} - own):
            return FoundMessages(meant, self._list_possible(open_, sure, MIN_POSSIBLE))
        beside = self._select_naming((said, *erased), open_)
        return FoundMessages(
            meant, self._list_possible(beside, sure, MIN_POSSIBLE_BESIDE)
        )

    async def find_inactive(
        self, scope: Scope, wish: ForgetWish, at: datetime
    ) -> list[UUID]:
        """Return the memories out of use that a wish is about, said until its time.

        `wish` and `at` are as in `find_messages`. They say again what was erased for
        it; or, where it erased nothing, they are what it means.

        Raises:
            ModelUnavailableError: the model does not answer.
        """
        said, erased = wish
        key = await self.recall.vault.get_key(scope)
        async with self.recall.database.begin(scope) as tx:
            inactive = await list_inactive(tx, key, at)
        if not inactive:
            return []
        if erased:
            return await run_in_thread(lambda: self._list_restated(erased, inactive))
        asked = WishContext(to_known(inactive), at)
        return [
            UUID(finding.target)
            for finding in await extract_wishes(self.model, said, asked)
            if finding.target and finding.confidence >= MIN_STATED_CONFIDENCE
        ]

    def _list_restated(
        self, erased: Sequence[str], memories: Sequence[Memory]
    ) -> list[UUID]:
        """Return which memories say one of these again, and of nobody else."""
        return [
            memory.memory_id
            for memory in memories
            if any(self._is_restated(each, memory.content) for each in erased)
        ]

    def _is_restated(self, erased: str, content: str) -> bool:
        """Tell whether a memory says what an erased one said, of whom that said it."""
        split, morphology = self.recall.tokenizer.terms, get_shared_morphology()
        others = extract_relatives(content, morphology)
        return (
            is_negated(content) is is_negated(erased)
            and others <= extract_relatives(erased, morphology)
            and is_repeating(content, erased, split, morphology)
        )

    async def find_sessions(
        self, scope: Scope, wish: ForgetWish, at: datetime
    ) -> list[UUID]:
        """Return the sessions whose words are gone and whose summary a wish is about.

        `wish` and `at` are as in `find_messages`.

        Raises:
            ModelUnavailableError: the model or embedder does not answer.
        """
        said, erased = wish
        told, sure = await self._measure_summaries(scope, said, at)
        meant = [
            part for part in told if sure.get(part.id, 0.0) >= MIN_STATED_CONFIDENCE
        ]
        for content in erased:
            near = await self._search_summaries(scope, content, at)
            meant += self._list_repeating(content, near)
        found = (hit.session_id for hit in meant)
        return list(dict.fromkeys(each for each in found if each is not None))

    async def _measure_gone(self, scope: Scope, said: str, at: datetime) -> float:
        """Return how likely what has a word of a wish is meant of words that are gone.

        Of those a summary is left.
        """
        told, sure = await self._measure_summaries(scope, said, at)
        named = self._select_naming((said,), told)
        return max((sure.get(each.id, 0.0) for each in named), default=0.0)

    async def _measure_summaries(
        self, scope: Scope, said: str, at: datetime
    ) -> tuple[list[Hit], dict[UUID, float]]:
        """Return what summaries tell of words that are gone, and how sure it is meant.

        Sentence by sentence, the nearest summaries first.
        """
        hits = await self._search_summaries(scope, said, at)
        told = [part for hit in hits for part in _split_summary(hit)]
        return told, await self._measure_meant(said, told[:MAX_TOLD], at)

    async def _read_sessions(
        self, scope: Scope, said: str, at: datetime, sessions: Collection[UUID]
    ) -> list[ReadSession]:
        """Return the sessions of the wish where more was said, each read alone."""
        found: list[ReadSession] = []
        for session_id in sessions:
            hits = await self._search_messages(scope, said, at, session_id)
            if any(_is_beside_wish(hit, said) for hit in hits):
                sure = await self._measure_meant(said, hits, at)
                found.append(ReadSession(said, hits, sure))
        return found

    def _select_meant_here(
        self, sessions: Iterable[ReadSession], elsewhere: float
    ) -> list[UUID]:
        """Return what is meant of the sessions of a wish, replies among it.

        `elsewhere` is how likely it means something of another session.
        """
        least = _get_least_here(MIN_MEANT, elsewhere)
        least_first = _get_least_here(MIN_MEANT_FIRST, elsewhere)
        found: list[UUID] = []
        for wish, hits, sure in sessions:
            user = (hit for hit in hits if _is_beside_wish(hit, wish))
            first = max(user, key=lambda hit, sure=sure: sure.get(hit.id, 0.0))
            meant = [
                hit
                for hit in hits
                if sure.get(hit.id, 0.0) >= (least_first if hit is first else least)
            ]
            found += [hit.id for hit in (*meant, *self._find_echoes(hits, meant))]
        return found

    async def _find_pointed(
        self, scope: Scope, said: str, at: datetime, message_id: UUID | None
    ) -> list[UUID]:
        """Return the turn before a wish, where it means that: "scratch that"."""
        if message_id is None:
            return []
        key = await self.recall.vault.get_key(scope)
        async with self.recall.database.begin(scope) as tx:
            read = await list_turn_before(tx, key, message_id)
        turn = [_build_hit(each) for each in read if each.other_speaker is None]
        sure = await self._measure_meant(said, turn, at, turn)
        meant = [hit for hit in turn if sure.get(hit.id, 0.0) >= MIN_STATED_CONFIDENCE]
        return [hit.id for hit in (*meant, *self._find_echoes(turn, meant))]

    async def _find_continuing(
        self, scope: Scope, meant: Sequence[UUID], at: datetime
    ) -> list[UUID]:
        """Return what was said next of somebody these messages are about."""
        if not meant:
            return []
        key = await self.recall.vault.get_key(scope)
        async with self.recall.database.begin(scope) as tx:
            read = await list_user_messages_after(tx, key, meant, LONGEST_REACH)
        return select_continuations((m for m in read if m.spoken_at <= at), meant)

    def _select_meant(
        self,
        hits: Sequence[Hit],
        sure: Mapping[UUID, float],
        sessions: Collection[UUID],
        elsewhere: float,
    ) -> list[UUID]:
        """Return what is meant of what was said in any session."""
        here = _get_least_here(MIN_MEANT, elsewhere)
        chosen = [
            hit
            for hit in hits
            if sure.get(hit.id, 0.0)
            >= (here if hit.session_id in sessions else MIN_STATED_CONFIDENCE)
        ]
        return [hit.id for hit in (*chosen, *self._find_echoes(hits, chosen))]

    def _list_possible(
        self, hits: Sequence[Hit], sure: Mapping[UUID, float], least: float
    ) -> list[PossibleMention]:
        """Return what to ask about, the likeliest first.

        What repeats a message goes with it, and so do replies to them.
        """
        alike: dict[str, list[Hit]] = {}
        for hit in sorted(hits, key=lambda each: -sure.get(each.id, 0.0)):
            if hit.role is Role.USER and not hit.other_speaker:
                wording = normalize_content(hit.content) or hit.content
                alike.setdefault(wording, []).append(hit)
        return [
            PossibleMention(
                _clip_words(said[0].content),
                sure[said[0].id],
                tuple(each.id for each in (*said, *self._find_echoes(hits, said))),
            )
            for said in alike.values()
            if sure.get(said[0].id, 0.0) >= least
        ]

    async def _measure_meant(
        self,
        wish: str,
        hits: Sequence[Hit],
        at: datetime,
        before: Sequence[Hit] = (),
    ) -> dict[UUID, float]:
        """Return how sure the model is that the wish means each of these messages.

        It may point to what was said just `before` it.

        The wish's own message goes with it. Neither that nor the reply to it, which
        names the thing when it agrees to forget, is compared with what it means.
        """
        sure = {hit.id: 1.0 for hit in hits if _is_own_message(hit, wish)}
        known = tuple(
            KnownMemory(str(hit.id), hit.content[:LONGEST_MESSAGE], Category.CONTEXT)
            for hit in hits
            if hit.id not in sure and not _is_reply_at(hit, at)
        )
        if not known:
            return sure
        turn = [
            Utterance(place, hit.role or Role.USER, hit.content[:LONGEST_MESSAGE])
            for place, hit in enumerate(before)
        ]
        asked = WishContext(known, at)
        for finding in await extract_wishes(self.model, wish, asked, turn):
            if finding.target:
                each = UUID(finding.target)
                sure[each] = max(sure.get(each, 0.0), finding.confidence)
        return sure

    def _find_echoes(self, hits: Sequence[Hit], meant: Sequence[Hit]) -> Iterator[Hit]:
        """Yield the replies that repeat a word of the message they answer.

        "오, 민규 좋아하는구나" goes with the message that told of 민규.
        """
        placed = {(hit.session_id, hit.position): hit for hit in hits}
        split = self.recall.tokenizer.terms
        for hit in meant:
            if hit.role is not Role.USER or hit.position is None:
                continue
            reply = placed.get((hit.session_id, hit.position + 1))
            if reply is None or reply.role is not Role.ASSISTANT or reply in meant:
                continue
            if {*split(reply.content)} & {*split(hit.content)} - USER:
                yield reply

    async def _find_repeating(
        self, scope: Scope, content: str, at: datetime
    ) -> list[UUID]:
        return self._select_repeating(
            [content], await self._search_messages(scope, content, at)
        )

    def _select_repeating(
        self, erased: Iterable[str], hits: Sequence[Hit]
    ) -> list[UUID]:
        """Return what says one of these erased memories again."""
        return [hit.id for each in erased for hit in self._list_repeating(each, hits)]

    def _list_repeating(self, content: str, hits: Sequence[Hit]) -> list[Hit]:
        split, morphology = self.recall.tokenizer.terms, get_shared_morphology()
        return [
            hit for hit in hits if is_repeating(hit.content, content, split, morphology)
        ]

    def _select_naming(self, wished: Sequence[str], hits: Sequence[Hit]) -> list[Hit]:
        """Return what has a word of a wish, or of what was erased for it."""
        split = self.recall.tokenizer.terms
        words = {term for text in wished for term in split(text)} - USER
        return [
            hit
            for hit in hits
            if not words.isdisjoint(split(hit.content))
            or any(word in hit.content for word in words if has_hangul(word))
        ]

    async def _read_withheld(
        self, scope: Scope, at: datetime
    ) -> AsyncIterator[list[Hit]]:
        """Yield what was said until a time while memory was off, a portion each.

        Portions share a message: a reply stands with what it answers in one of them.
        """
        recall, last = self.recall, None
        key = await recall.vault.get_key(scope)
        while True:
            async with recall.database.begin(scope) as tx:
                settings = await recall.memories.settings.read_settings(tx)
                read = await list_withheld_messages(tx, key, last, MAX_HITS)
            if not read or read[-1] == last:
                return
            last = read[-1]
            yield [
                _build_hit(message)
                for message in read
                if message.spoken_at <= at
                and can_store_texts(settings, message.content)
            ]

    async def _search_summaries(
        self, scope: Scope, text: str, at: datetime
    ) -> list[Hit]:
        """Return what is told of sessions whose words are gone, nearest first."""
        filters = Filters(
            [HitKind.EPISODE, HitKind.SESSION_SUMMARY],
            until=at + timedelta(microseconds=1),
            any_persona=True,
            unless_kept=[HitKind.MESSAGE],
        )
        return list(
            await self.recall.search(scope, text, limit=MAX_HITS, filters=filters)
        )

    async def _search_messages(
        self, scope: Scope, text: str, at: datetime, session_id: UUID | None = None
    ) -> tuple[Hit, ...]:
        await self.recall.embedder.queries([text])  # without it, words alone decide
        until = at + timedelta(microseconds=1)
        filters = Filters([HitKind.MESSAGE], session_id=session_id, until=until)
        return await self.recall.search(scope, text, limit=MAX_HITS, filters=filters)


def merge_wishes(wishes: Sequence[ForgetWish]) -> list[ForgetWish]:
    """Return wishes to forget, each with what was erased for any of the same words.

    A message may ask in one clause for a memory, and in another for what was said.
    """
    erased: dict[str, dict[str, None]] = {}
    for wish in wishes:
        erased.setdefault(wish.text, {}).update(dict.fromkeys(wish.erased))
    return [ForgetWish(wish.text, tuple(erased[wish.text])) for wish in wishes]


def _is_own_message(hit: Hit, wish: str) -> bool:
    """Tell whether a message is the one in which somebody wished it.

    Of a message longer than a wish is, `wish` is a part.
    """
    if hit.role is not Role.USER:
        return False
    content, words = (" ".join(text.split()) for text in (hit.content, wish))
    return content == words or (len(content) > LONGEST_WISH and words in content)


def _is_beside_wish(hit: Hit, wish: str) -> bool:
    """Tell whether the user said something that is not the wish itself."""
    return hit.role is Role.USER and not _is_own_message(hit, wish)


def _split_summary(hit: Hit) -> Iterator[Hit]:
    """Yield the sentences of a summary, each as if it had been found by itself.

    A wish means one of them; of the whole a model is less sure.
    """
    for number, told in enumerate(split_sentences(hit.content)):
        yield replace(hit, id=uuid5(hit.id, str(number)), content=told)


def _is_reply_at(hit: Hit, at: datetime) -> bool:
    """Tell whether the assistant said something at a time, which answers that."""
    return hit.role is Role.ASSISTANT and hit.at >= at


def _clip_words(text: str) -> str:
    """Return the beginning of a message in one line, as a question shows it."""
    words = " ".join(text.split())
    if len(words) <= LONGEST_SHOWN:
        return words
    return words[:LONGEST_SHOWN].rsplit(" ", 1)[0] + " …"


def _find_likeliest(sure: Mapping[UUID, float], hits: Sequence[Hit]) -> float:
    """Return how likely a wish means the likeliest of what the user said of these."""
    user = (hit.id for hit in hits if hit.role is Role.USER)
    return max((sure.get(each, 0.0) for each in user), default=0.0)


def _get_least_here(least: float, elsewhere: float) -> float:
    """Return the confidence that is asked of what was said in the wish's own session.

    Of what was said elsewhere it may mean something, too: then that has to be less
    likely.
    """
    return least if elsewhere < MIN_POSSIBLE_BESIDE else max(least, elsewhere)


def _build_hit(message: Message) -> Hit:
    return Hit(
        HitKind.MESSAGE,
        message.message_id,
        message.content,
        score=0.0,
        at=message.spoken_at,
        session_id=message.session_id,
        position=message.position,
        role=message.role,
    )
