"""SQL of masking what was recorded already: one function, one statement."""

from uuid import UUID

from gieok.database import Transaction
from gieok.privacy import PersonKey
from gieok.sessions.message_store import CONTENT, Provenance, seal_content
from gieok.sessions.model import Message


async def rewrite_message(tx: Transaction, key: PersonKey, message: Message) -> None:
    """Put a message's words in the place of those that are kept of it."""
    at = Provenance(message.session_id, message.role, message.created_at)
    sealed = seal_content(key, message.message_id, message.content, at)
    tx.record_sealed_rows(CONTENT.table, {message.message_id: sealed})
    await tx.execute(
        """
        UPDATE session_messages SET content = %s
        WHERE user_id = %s AND message_id = %s
        """,
        [sealed, tx.scope.user_id, message.message_id],
    )


async def add_flags(tx: Transaction, message: Message, flags: str) -> UUID | None:
    """Count more in a message's pair, if it has one; return which that is."""
    row = await tx.fetch_one(
        """
        UPDATE conversation_pairs SET sensitive_flags = sensitive_flags || (
            SELECT jsonb_object_agg(
                kind, n::int + coalesce((sensitive_flags ->> kind)::int, 0)
            ) FROM jsonb_each_text(%(flags)s::jsonb) AS more (kind, n)
        )
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s
          AND %(message_id)s IN (user_message_id, assistant_message_id)
        RETURNING pair_id
        """,
        {
            "user_id": tx.scope.user_id,
            "session_id": message.session_id,
            "message_id": message.message_id,
            "flags": flags,
        },
    )
    return row[0] if row else None
