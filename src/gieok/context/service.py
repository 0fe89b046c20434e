"""Builds the blocks of memory that go into the next prompt."""

import asyncio
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from statistics import NormalDist
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.accounts import Accounts
from gieok.context.budget import estimate_tokens
from gieok.context.excerpts import (
    clip_hit,
    drop_stated,
    is_quotable,
    select_bearing,
)
from gieok.context.explanation import BlockOutcome, Explanation, Selection
from gieok.context.formatting import (
    format_episode_line,
    format_episodes,
    format_excerpt_line,
    format_excerpts,
    format_fact_line,
    format_facts,
    format_questions,
    format_summaries,
    format_summary_line,
    select_language,
)
from gieok.context.greeting import format_greeting
from gieok.context.model import EMPTY, Block, Excerpt, Line
from gieok.context.overview import is_overview, rank_by_worth
from gieok.context.prompt_share import limit_share
from gieok.database import Database, Transaction
from gieok.episodes import Episodes
from gieok.guard.fence import escape_line, fence_block, generate_token
from gieok.guard.judge import Guard, TrainedGuard, can_show
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Category, Tokenizer
from gieok.kernel.scope import Scope
from gieok.memories import ForgetQuestion, Memories, Trust
from gieok.memories.lapse import is_over, render_as_of
from gieok.memories.newest import select_newest
from gieok.memories.source_store import find_unquotable, list_outdated
from gieok.privacy import PersonKey
from gieok.recall import Filters, Hit, HitKind, Recall
from gieok.recall.service import MAX_HITS, FoundParts, SearchPart
from gieok.search.question import clip_question
from gieok.sessions.lifecycle import OPEN
from gieok.sessions.session_store import list_sessions

QUESTION_ENDS = 2_000
"""Characters read of either end of a question: it may be a document with a wish."""
MARK_CHARACTERS = 8
"""Characters of a memory's id shown on its line: the last ones, which are random."""
MAX_LINES = 10
"""D07's limit."""
MAX_EPISODES = 5
"""E08's limit."""
TOKEN_BUDGET = 800
MAX_EXCERPTS = 3
MESSAGES_AN_EXCERPT = 5
"""Messages looked through for one excerpt."""
MEMORIES_ONLY = Filters(kinds=[HitKind.MEMORY])
PINNED = Filters(kinds=[HitKind.MEMORY], only_pinned=True)
MANNERS = Filters(kinds=[HitKind.MEMORY], categories=[Category.FEEDBACK])
"""How the person wants to be answered."""
WORDS = Filters(kinds=[HitKind.MESSAGE, HitKind.EPISODE, HitKind.SESSION_SUMMARY])
"""What was said, or what is told of it where the words are gone."""
TOKENS_A_LINE = 40
"""What a line takes, about: a budget in tokens allows as many lines."""
TOKENS_A_SHORT_LINE = 25
"""What a line of few words takes: where all is asked for, the budget is to decide."""
MIN_RELEVANCE = 0.25
"""Standard deviations above the mean of what is known: of 150 next-day questions, 89 %
of the memories that answer one lie above it, and 37 % of the others."""
FEW = 3
"""Memories among which no mean says what bears on a question."""


Form = Callable[[Sequence[Line]], str]
"""Writes lines as their document wants them, under a heading."""


class _BlockForm(NamedTuple):
    """How a block is written."""

    language: str
    budget: int
    zone: ZoneInfo
    token: str
    """The delimiter of its fence."""
    is_overview: bool = False


class _BlockOptions(NamedTuple):
    """How large a block may be, and whether what it shows counts as used."""

    limit: int
    budget: int
    excerpts: int
    is_used: bool = True
    listener: UUID | None = None
    """The persona whose prompt it goes into, if any."""
    is_overview: bool = False
    """Whether all is asked for that is known of the person."""


class _FoundMemories(NamedTuple):
    """What was found of the memories that a block may show, each best first."""

    ranked: Sequence[Hit]
    pinned: Sequence[Hit] = ()
    manners: Sequence[Hit] = ()
    newer: Sequence[Hit] = ()
    """What says otherwise than any of it, and was not found by itself."""


class _Composition(NamedTuple):
    """A block, and how what stands in it was chosen."""

    block: Block
    memories: Selection
    words: Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Blocks of memory for prompts."""

    database: Database
    accounts: Accounts
    memories: Memories
    recall: Recall
    past: Episodes
    token: Callable[[], str] = generate_token
    excerpts: int = MAX_EXCERPTS
    """How many of the person's own words a block quotes at most."""
    guard: Guard = field(default_factory=TrainedGuard)
    """Tells what could be taken for an instruction."""

    async def build(  # noqa: PLR0913 - most may be left out
        self,
        scope: Scope,
        question: str,
        *,
        language: str | None = None,
        token_budget: int | None = None,
        limit: int | None = None,
        excerpts: int | None = None,
        persona_id: UUID | None = None,
    ) -> Block:
        """Return what is known that bears on a question, as one fenced block (D08).

        What bears on it less than most of what is known stays out; how to answer is
        said in any case, after what is pinned, in up to a fifth of the lines. Where all
        that is known of the person is asked for ("what do you know about me?"), their
        memories come by confidence, use and freshness, as many as the budget takes. Of
        two memories that contradict each other the newer stands, where the older would.
        Memories with a faded confidence under 0.5 stay out too, what could be taken
        for an instruction unless the person reviewed it, and everything when the
        person switched memory off. One session and one day give at most half
        of the lines while others have something to say. What is shown counts as used
        (D09). What the person pinned stands first, whatever the question, in up to
        half of the lines. There are at most ten lines (D07) in 800 tokens; who gives a
        budget gets as many lines as it takes, except in D08's plain form.
        Then come, within the same budget, up to so many `excerpts`: the person's own
        words from conversations that are over, or what is told of those whose words
        are no longer kept; dated, where they bear on the question and no memory in the
        block says it already; 0 leaves D08's plain form. By default as many as the
        installation is configured for (GIEOK_EXCERPTS). `persona_id` says whose prompt
        it goes into: what was said to another persona is not quoted there (E20).
        Where the person's last wish to forget may mean several things, the block says
        what to ask them about, until they were asked (see `memories.questions`); D08's
        plain form never does. A memory that is asked about has no line beside.
        Of a question over 4,000 characters the first and the last 2,000 are read.
        `language` is "ko" or "en"; by default the person's, or English for a person of
        whose language nobody may have said anything, where all is in Latin script.

        Raises:
            InvalidInputError: an empty question, or a budget that is not positive.
        """
        options = self._build_options(question, token_budget, limit, excerpts)
        options = options._replace(listener=persona_id)
        return (await self._build_composition(scope, question, language, options)).block

    async def explain(
        self,
        scope: Scope,
        question: str,
        *,
        language: str | None = None,
        token_budget: int | None = None,
    ) -> Explanation:
        """Return the block that `build` returns, and what was considered for it.

        Of each thing found it tells of what signals its score is the sum and, where it
        is not in the block, why. Nothing counts as used by this.

        Raises:
            InvalidInputError: an empty question, or a budget that is not positive.
        """
        options = self._build_options(question, token_budget, None, None)
        options = options._replace(is_used=False)
        block, memories, words = await self._build_composition(
            scope, question, language, options
        )
        quoted = [
            each.message_id or each.episode_id or each.session_id
            for each in block.excerpts
        ]
        return Explanation(
            block,
            memories.list_considered([*_iterate_shown(block)]),
            words.list_considered(quoted),
        )

    def _build_options(
        self,
        question: str,
        token_budget: int | None,
        limit: int | None,
        excerpts: int | None,
    ) -> _BlockOptions:
        wanted = self.excerpts if excerpts is None else excerpts
        budget = TOKEN_BUDGET if token_budget is None else token_budget
        _require_positive(budget)
        asks_all = is_overview(question)
        if asks_all and wanted:
            lines = max(MAX_LINES, budget // TOKENS_A_SHORT_LINE)
        else:
            lines = _compute_limit(token_budget, wanted)
        lines = limit or min(MAX_HITS, lines)
        return _BlockOptions(lines, budget, wanted, is_overview=asks_all)

    async def _build_composition(
        self, scope: Scope, question: str, language: str | None, options: _BlockOptions
    ) -> _Composition:
        """Return a block, and how what stands in it was chosen."""
        question = clip_question(question, QUESTION_ENDS)
        found = await self._search(scope, question, options)
        ranked, pinned, manners, *said = found.parts
        if not found.language:
            return _Composition(EMPTY, Selection(), Selection())
        form = _BlockForm(
            found.language,
            options.budget,
            ZoneInfo(found.zone),
            self.token(),
            options.is_overview,
        )
        memories = await self._select_lines(
            _FoundMemories(ranked, pinned, manners, found.newer),
            options.limit,
            form.zone,
        )
        words = await self._select_words(question, said[0] if said else ())
        key = await self.memories.vault.get_reading_key(scope)
        hits, is_used = memories.left, options.is_used
        today = self.database.clock().astimezone(form.zone).date()
        lines = [_build_line(hit, form.zone, today) for hit in hits]
        async with self.database.begin(scope, durable=bool(hits) and is_used) as tx:
            quoted = await _select_excerpts(
                tx, key, self.recall.tokenizer, words.left, hits
            )
            words = words.append_step(BlockOutcome.REPEATED, quoted)
            words = words.append_step(BlockOutcome.CROWDED, quoted[: options.excerpts])
            questions = await self._read_questions(tx, key, options)
            texts = [each.content for each in (*hits, *words.left, *questions)]
            fitting = select_language(found.language, question, texts)
            form = form._replace(language=language or fitting)
            block = _build_block(lines, words.left, questions, form)
            if block.lines and is_used:
                relevance = {hit.id: _get_relevance(hit) for hit in hits}
                shown = [line.memory_id for line in block.lines]
                await self.memories.used(tx, {each: relevance[each] for each in shown})
        return _Composition(block, memories, words)

    async def _read_questions(
        self, tx: Transaction, key: PersonKey, options: _BlockOptions
    ) -> list[ForgetQuestion]:
        """Return what the person is to be asked about; nothing in D08's plain form."""
        if not options.excerpts:
            return []
        found = await self.memories.read_questions(tx, key)

        def is_safe(question: ForgetQuestion) -> bool:
            if question.memory_id is None:
                return is_quotable(question.content, self.guard)
            return not self.guard.is_instruction_capable(escape_line(question.content))

        def select() -> list[ForgetQuestion]:
            return [question for question in found if is_safe(question)]

        return await asyncio.to_thread(select) if found else []

    async def _search(
        self, scope: Scope, question: str, options: _BlockOptions
    ) -> FoundParts:
        """Return memories, what is pinned, manners, and words if they are wanted."""
        most = _compute_searched(options)
        parts = [
            SearchPart(most, MEMORIES_ONLY),
            SearchPart(most, PINNED),
            SearchPart(options.limit, MANNERS),
        ]
        if options.excerpts:
            most = min(MAX_HITS, MESSAGES_AN_EXCERPT * options.excerpts)
            words = replace(WORDS, listener=options.listener)
            parts.append(SearchPart(most, words))
        found = await self.recall.search_each(scope, question, parts, with_newer=True)
        if not options.is_overview:
            return found
        ranked, *others = found.parts
        return found._replace(parts=(tuple(rank_by_worth(ranked)), *others))

    async def _select_lines(
        self, found: _FoundMemories, limit: int, zone: ZoneInfo
    ) -> Selection:
        """Return the memories of a block: what is pinned, manners, then what bears."""
        every = [*found.pinned, *found.manners, *found.ranked, *found.newer]
        data = await asyncio.to_thread(
            lambda: _list_ids([hit for hit in every if _is_data(hit, self.guard)])
        )
        today = self.database.clock().astimezone(zone).date()
        lasting = [hit for hit in every if not _is_over(hit, zone, today)]
        pins, half = _list_ids(found.pinned), max(1, limit // 2)
        pinned = [hit for hit in found.pinned if hit.id in data]
        standing, crowded = pinned[:half], pinned[half:]
        most = min(max(1, limit // 5), limit - len(standing))
        standing += [hit for hit in found.manners if hit.id in data - pins][:most]
        first = _list_ids(standing)
        others = [hit for hit in found.ranked if hit.id not in first | pins]
        relevant = [hit for hit in others if _is_relevant(hit, len(found.ranked))]
        safe = [*standing, *(hit for hit in relevant if hit.id in data)]
        current = _select_newest(safe, [hit for hit in lasting if hit.id in data], pins)
        opening = [hit for hit in current if hit.id in first]
        chosen = limit_share(
            [hit for hit in current if hit.id not in first],
            limit - len(opening),
            lambda hit: _get_origins(hit, zone),
        )
        manners = [hit for hit in standing if hit.id not in pins]
        bearing = _list_with_newer([*found.pinned, *manners, *relevant], every, pins)
        selection = Selection([*found.pinned, *manners, *others, *found.newer])
        for outcome, left in (
            (BlockOutcome.IRRELEVANT, bearing),
            (BlockOutcome.INSTRUCTION, [hit for hit in bearing if hit.id in data]),
            (BlockOutcome.REPEATED, [*current, *crowded]),
            (BlockOutcome.CROWDED, [*opening, *chosen]),
        ):
            selection = selection.append_step(outcome, left)
        return selection

    async def _select_words(self, question: str, said: Sequence[Hit]) -> Selection:
        """Return what can stand in a prompt, cut to what bears on the question."""
        tokenizer, bearing = self.recall.tokenizer, select_bearing(said)

        def clip() -> list[Hit]:
            short = (
                replace(hit, content=clip_hit(hit, question, tokenizer))
                for hit in bearing
            )
            return [hit for hit in short if is_quotable(hit.content, self.guard)]

        quotable = await asyncio.to_thread(clip) if bearing else []
        selection = Selection(said).append_step(BlockOutcome.IRRELEVANT, bearing)
        return selection.append_step(BlockOutcome.INSTRUCTION, quotable)

    async def episodes(
        self,
        scope: Scope,
        persona_id: UUID | None,
        *,
        language: str | None = None,
        limit: int = MAX_EPISODES,
        token_budget: int = TOKEN_BUDGET,
        base: str = "",
    ) -> Block:
        """Return what was talked about with a persona, as one fenced block (E09).

        The conversations most worth knowing come first; when there are none, or memory
        is switched off, nothing comes. `base` is the prompt to put in front: with it,
        the block's text is never empty, but it counts only what memory adds.

        Raises:
            InvalidInputError: a limit outside 1 to 200, or a budget that is not
                positive.
        """
        _require_positive(token_budget)
        person = await self.accounts.get(scope)
        past = await self.past.load(scope, persona_id, limit)
        loaded = await asyncio.to_thread(
            lambda: [
                e
                for e in past
                if e.is_edited or not self.guard.is_suspicious(e.summary)
            ]
        )
        zone = ZoneInfo(person.time_zone)
        said = {
            e.episode_id: (e.summary, e.said_at.astimezone(zone).date()) for e in loaded
        }
        lines = [
            Line(format_episode_line(*said[e.episode_id]), e.episode_id, e.said_at)
            for e in loaded
        ]
        spoken = language or person.language
        block = self._trim_to_budget(
            lines,
            lambda shown: format_episodes(
                [said[line.memory_id] for line in shown], spoken
            ),
            spoken,
            token_budget,
        )
        text = "\n\n".join(part for part in (base, block.text) if part)
        return replace(block, text=text)

    async def greeting(
        self, scope: Scope, persona_id: UUID | None, *, language: str | None = None
    ) -> Line | None:
        """Return first words that take up the last conversation with a persona.

        None when there was none worth keeping, or memory is switched off. No model is
        asked; give the words to one as they are, or say them.
        """
        person = await self.accounts.get(scope)
        told = await self.past.load_latest(scope, persona_id, MAX_EPISODES)
        safe = await asyncio.to_thread(
            lambda: [
                e
                for e in told
                if e.topics and not self.guard.is_suspicious(e.topics[0])
            ]
        )
        last = max(safe, key=lambda e: e.said_at, default=None)
        if last is None:
            return None
        zone = ZoneInfo(person.time_zone)
        day = last.said_at.astimezone(zone).date()
        today = self.database.clock().astimezone(zone).date()
        words = format_greeting(
            escape_line(last.topics[0]),
            last.emotion,
            day,
            today,
            language or person.language,
        )
        return Line(words, last.episode_id, last.said_at)

    def _trim_to_budget(
        self, lines: Sequence[Line], form: Form, language: str, budget: int
    ) -> Block:
        """Return the block with as many of the first lines as the budget takes."""
        token = self.token()
        kept: list[Line] = []
        block = EMPTY
        for line in lines:
            text = fence_block(form([*kept, line]), token, language)
            tokens = estimate_tokens(text)
            if tokens > budget:
                continue
            kept.append(line)
            block = Block(text, tuple(kept), tokens)
        return block


def _compute_searched(options: _BlockOptions) -> int:
    """Return how many memories are looked at: all, where all is asked for."""
    if options.is_overview:
        return MAX_HITS
    return min(2 * options.limit, max(options.limit, MAX_HITS))


def _compute_limit(token_budget: int | None, excerpts: int) -> int:
    """Return how many lines a block holds at most."""
    if token_budget is None or not excerpts:
        return MAX_LINES
    return max(MAX_LINES, token_budget // TOKENS_A_LINE)


async def _select_excerpts(
    tx: Transaction,
    key: PersonKey,
    tokenizer: Tokenizer,
    said: Sequence[Hit],
    lines: Sequence[Hit],
) -> list[Hit]:
    """Return what may stand beside these lines: nothing they say, nothing outdated."""
    if not said:
        return []
    sessions = {hit.session_id for hit in said if hit.session_id is not None}
    found = await list_sessions(tx, list(sessions))
    talking = {each.session_id for each in found if each.status in OPEN}
    messages = [hit.id for hit in said if hit.kind is HitKind.MESSAGE]
    withheld = await find_unquotable(tx, key, messages, [hit.id for hit in lines])
    left = [
        hit for hit in said if hit.session_id not in talking and hit.id not in withheld
    ]
    summarized = {
        hit.session_id
        for hit in left
        if hit.session_id is not None and hit.kind is not HitKind.MESSAGE
    }
    if not summarized:
        return left
    outdated = await list_outdated(tx, key, list(summarized))
    shown = [line.content for line in lines]
    return await asyncio.to_thread(drop_stated, left, shown, outdated, tokenizer)


def _build_block(
    lines: Sequence[Line],
    said: Sequence[Hit],
    questions: Sequence[ForgetQuestion],
    form: _BlockForm,
) -> Block:
    """Return the first lines, questions, what was said, and further lines.

    As much of it, in this order, as the budget takes; where all is asked for that is
    known, further lines come before what was said. A question about a memory stands
    instead of its line.
    """
    block = _add_facts(EMPTY, lines[:MAX_LINES], form)
    for question in questions:
        others = [one for one in block.lines if one.memory_id != question.memory_id]
        asking = replace(
            block, lines=tuple(others), questions=(*block.questions, question)
        )
        block = _select_fitting(asking, block, form)
    asked = {question.memory_id for question in block.questions}
    more = [line for line in lines[MAX_LINES:] if line.memory_id not in asked]
    if form.is_overview:
        return _add_excerpts(_add_facts(block, more, form), said, form)
    return _add_facts(_add_excerpts(block, said, form), more, form)


def _iterate_shown(block: Block) -> Iterator[UUID | None]:
    """Yield the memories that a block tells or asks about."""
    for line in block.lines:
        yield line.memory_id
    for question in block.questions:
        yield question.memory_id


def _add_facts(block: Block, lines: Sequence[Line], form: _BlockForm) -> Block:
    """Return the block with as many of the lines as the budget takes."""
    for line in lines:
        larger = replace(block, lines=(*block.lines, line))
        block = _select_fitting(larger, block, form)
    return block


def _add_excerpts(block: Block, said: Sequence[Hit], form: _BlockForm) -> Block:
    """Return the block with as many of the words as the budget takes."""
    for hit in said:
        excerpt = _build_excerpt(hit, form.zone)
        larger = replace(block, excerpts=(*block.excerpts, excerpt))
        block = _select_fitting(larger, block, form)
    return block


def _select_fitting(larger: Block, block: Block, form: _BlockForm) -> Block:
    """Return the larger block, written, or the other if it does not fit."""
    quoted = [each.text for each in larger.excerpts if each.is_quoted]
    told = [each.text for each in larger.excerpts if not each.is_quoted]
    parts = (
        format_facts([line.text for line in larger.lines], form.language),
        format_questions([each.content for each in larger.questions], form.language),
        format_excerpts(quoted, form.language),
        format_summaries(told, form.language),
    )
    text = fence_block("\n\n".join(filter(None, parts)), form.token, form.language)
    tokens = estimate_tokens(text)
    return replace(larger, text=text, tokens=tokens) if tokens <= form.budget else block


def _require_positive(token_budget: int) -> None:
    if token_budget < 1:
        field = "token_budget"
        raise InvalidInputError(field, "it must be a positive number")


def _is_relevant(hit: Hit, found: int) -> bool:
    """Tell whether a memory has to do with the question, or is how to answer any."""
    standing = hit.category is Category.FEEDBACK
    if standing or found <= FEW or hit.relevance is None:
        return True
    return hit.relevance >= MIN_RELEVANCE


def _select_newest(
    hits: Sequence[Hit], among: Sequence[Hit], pins: Collection[UUID]
) -> list[Hit]:
    """Return what may stand in the place of each, the newest; what is pinned stays."""
    by_id = {hit.id: hit for hit in (*hits, *among)}
    able = _list_ids(among)
    newer = {
        hit.id: by
        for hit in by_id.values()
        if hit.id not in pins and (by := hit.contradicted_by) in able
    }
    return [by_id[each] for each in select_newest(newer, [hit.id for hit in hits])]


def _list_with_newer(
    hits: Sequence[Hit], among: Sequence[Hit], pins: Collection[UUID]
) -> list[Hit]:
    """Return these, and what says otherwise and is newer, whether or not it may stand.

    What is pinned gives its place to nothing.
    """
    by_id, listed = {hit.id: hit for hit in among}, {hit.id: hit for hit in hits}
    waiting = list(hits)
    for hit in waiting:  # grows
        by = hit.contradicted_by
        if hit.id in pins or by is None or by in listed or by not in by_id:
            continue
        listed[by] = by_id[by]
        waiting.append(by_id[by])
    return list(listed.values())


def _list_ids(hits: Sequence[Hit]) -> set[UUID]:
    return {hit.id for hit in hits}


def _get_relevance(hit: Hit) -> float | None:
    """Return how far a memory bears on the question, from 0 to 1.

    It is the share of a normal spread of memories that bear on it less.
    """
    return None if hit.relevance is None else NormalDist().cdf(hit.relevance)


def _is_data(hit: Hit, guard: Guard) -> bool:
    """Tell whether a memory only states something, or the person reviewed it."""
    reviewed = hit.trust is Trust.CONFIRMED
    return can_show(guard, hit.content, is_reviewed=reviewed, verdict=hit.is_directive)


def _is_over(hit: Hit, zone: ZoneInfo, today: date) -> bool:
    """Tell whether a memory was of a time that has passed."""
    said = (hit.reference_time or hit.at).astimezone(zone).date()
    return is_over(hit.content, said, today)


def _get_origins(hit: Hit, zone: ZoneInfo) -> tuple[Hashable, ...]:
    """Return which session and day a memory is from; none if it was not extracted."""
    if hit.session_id is None:
        return ()
    return (hit.session_id, hit.at.astimezone(zone).date())


def _build_line(hit: Hit, zone: ZoneInfo, today: date) -> Line:
    """Return a memory's line, as it is to be told today."""
    at = hit.reference_time or hit.at
    mark, said = hit.id.hex[-MARK_CHARACTERS:], at.astimezone(zone).date()
    told = render_as_of(hit.content, said, today)
    return Line(format_fact_line(told, said, mark), hit.id, at)


def _build_excerpt(hit: Hit, zone: ZoneInfo) -> Excerpt:
    day = hit.at.astimezone(zone).date()
    if hit.kind is HitKind.MESSAGE:
        text = format_excerpt_line(hit.content, day)
        return Excerpt(text, hit.id, hit.session_id, hit.at)
    episode = hit.id if hit.kind is HitKind.EPISODE else None
    text = format_summary_line(hit.content, day)
    return Excerpt(text, None, hit.session_id, hit.at, episode)
