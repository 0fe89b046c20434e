"""One table: what follows each event; a step that runs twice changes nothing."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from gieok.database import events
from gieok.facade import Gieok
from gieok.kernel.errors import (
    GieokError,
    ModelRefusedError,
    ModelUnavailableError,
    NotFoundError,
)
from gieok.kernel.scope import Scope
from gieok.summaries import FALLBACK

JobStep = Callable[[Gieok, Scope, UUID], Awaitable[object]]
"""Takes what the event is about: a session, or the person."""


async def index_messages(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Give every new message, summary and episode its terms and vector."""
    await gieok.recall.index(scope)


async def deactivate_surplus(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Take out of use what the person no longer allows."""
    await gieok.memories.deactivate_surplus(scope)


async def index_items(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Give every new item of the person's store its vector."""
    await gieok.items.index(scope)


async def expire_items(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Remove the items whose time to live is over."""
    await gieok.items.sweep(scope)


async def extract_memories(gieok: Gieok, scope: Scope, session_id: UUID) -> None:
    """Read what the session holds unread."""
    await gieok.memories.extract(scope, session_id)


async def extract_if_paused(gieok: Gieok, scope: Scope, session_id: UUID) -> None:
    """Read what is unread, unless the conversation is still going on."""
    if await gieok.sessions.claim_extraction_or_reschedule(scope, session_id):
        await gieok.memories.extract(scope, session_id)


async def extract_unread(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Read every session of the person that has come to rest.

    What a model refuses is passed over; where none answers, none is asked again.

    Raises:
        ModelUnavailableError: the model does not answer.
        GieokError: what else went wrong first.
    """
    failures: list[GieokError] = []
    for session_id in await gieok.sessions.unread(scope):
        try:
            await extract_if_paused(gieok, scope, session_id)
        except (NotFoundError, ModelRefusedError):
            continue
        except ModelUnavailableError:
            raise
        except GieokError as error:
            failures.append(error)
    if failures:
        raise failures[0]


async def save_episode(gieok: Gieok, scope: Scope, session_id: UUID) -> None:
    """Keep what the session was about as its episode."""
    await gieok.episodes.remember(scope, session_id)


async def replace_fallback_episode(
    gieok: Gieok, scope: Scope, session_id: UUID
) -> None:
    """Summarize a session of which a fallback is kept; fails without a model (E15).

    Raises:
        ModelUnavailableError: the model still does not answer.
    """
    kept = await gieok.episodes.remember(scope, session_id)
    found = kept and kept.episode
    if found and found.is_fallback and found.summarizer == FALLBACK:
        model = gieok.summaries.model.name
        reason = "it did not answer in time or in a usable form"
        raise ModelUnavailableError(model, reason)


async def replace_fallbacks(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Sum up the sessions of which a fallback is kept as their episode."""
    await gieok.episodes.replace_fallbacks(scope)


async def save_episode_if_long(gieok: Gieok, scope: Scope, session_id: UUID) -> None:
    """Keep what a session was about that goes on for long (E03)."""
    if await gieok.episodes.is_due(scope, session_id):
        await gieok.episodes.remember(scope, session_id)


async def update_late_summaries(gieok: Gieok, scope: Scope, session_id: UUID) -> None:
    """Bring summaries up to date that a late turn was added to."""
    await gieok.summaries.refresh_if_stale(scope, session_id)


async def update_summaries(gieok: Gieok, scope: Scope, about: UUID) -> None:
    """Bring up to date what rests on something that came, changed or went."""
    await gieok.summaries.refresh(scope, about)
    await gieok.episodes.refresh(scope)


async def expire_idle_sessions(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Expire the sessions that have rested long enough."""
    await gieok.sessions.expire_idle(scope)


async def summarize_periods(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Summarize the days and weeks that are over."""
    await gieok.summaries.close_due(scope)


async def expire_summaries(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Remove the summaries that are no longer kept."""
    await gieok.summaries.expire(scope)


async def schedule_retention(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Enter when the next thing of the person's is no longer kept."""
    await gieok.retention.schedule(scope)


async def trim_feed(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Remove changes that every device and process has heard of."""
    await gieok.sync.trim_feed(scope)


async def apply_retention(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Remove what is no longer kept."""
    await gieok.retention.expire(scope)


async def apply_defaults(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Let what is kept of the person already end as the defaults now say."""
    await gieok.maintenance.apply_defaults(scope)


async def apply_default_categories(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Let the person's devices hold what the default categories now allow."""
    await gieok.maintenance.apply_default_categories(scope)


async def erase_withdrawn(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Erase what was kept for purposes the person no longer agrees to."""
    await gieok.maintenance.erase_withdrawn(scope)


async def erase_forgotten_messages(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Erase what was said of what the person asked to forget."""
    await gieok.erasure.erase_forgotten(scope)


async def issue_receipts(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Sign receipts for memories that were forgotten."""
    await gieok.erasure.attest(scope)


async def rotate_key(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Begin to give a person a new key, of whom something was erased."""
    await gieok.erasure.renew_key(scope)


async def expire_exports(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Remove the exports that nobody may fetch any more."""
    await gieok.portability.expire(scope)


async def finish_erasure(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Go on erasing a person where a store outside did not answer."""
    await gieok.erasure.person(scope)


async def erase_anonymous(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Erase whoever talked in an anonymous session."""
    await gieok.erasure.person(scope)


ON: dict[type[events.Event], tuple[JobStep, ...]] = {
    events.TurnsRecorded: (index_messages, save_episode_if_long, update_late_summaries),
    events.VectorMissing: (index_messages, index_items),
    events.ConversationPaused: (extract_if_paused,),
    # Remembering never waits for a model that is away: it comes first (E15).
    events.SessionClosed: (
        save_episode,
        extract_memories,
        index_messages,
        schedule_retention,
        trim_feed,
    ),
    events.SummaryPending: (replace_fallback_episode, index_messages),
    events.SourcesChanged: (update_summaries, index_messages),
    events.ReadingFailed: (extract_unread, index_messages, index_items),
    events.SessionsMayBeIdle: (expire_idle_sessions,),
    events.PeriodEnded: (summarize_periods, replace_fallbacks, index_messages),
    events.SummariesExpired: (expire_summaries,),
    events.ItemsExpired: (expire_items,),
    events.RetentionEnded: (apply_retention, trim_feed),
    events.DefaultsChanged: (apply_defaults,),
    events.DefaultCategoriesChanged: (apply_default_categories,),
    events.ConsentWithdrawn: (erase_withdrawn,),
    events.ForgettingRequested: (erase_forgotten_messages,),
    events.MemoryLimitLowered: (deactivate_surplus,),
    events.MemoriesForgotten: (issue_receipts,),
    events.KeyOutdated: (rotate_key,),
    events.ExportsExpired: (expire_exports,),
    events.ErasurePending: (finish_erasure,),
    events.AnonymousEnded: (erase_anonymous,),
}

RETRY_EVENTS: dict[type[events.Event], type[events.AgendaEvent]] = {
    events.TurnsRecorded: events.ReadingFailed,
    events.VectorMissing: events.ReadingFailed,
    events.ConversationPaused: events.ReadingFailed,
    events.SessionClosed: events.ReadingFailed,
    events.SourcesChanged: events.ReadingFailed,
}
"""What comes due an hour after a job of these was given up; an agenda's own event does
by itself. Once it is done, the given up are tried again."""
