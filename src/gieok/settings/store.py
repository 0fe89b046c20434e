"""SQL of the settings."""

from collections.abc import Collection
from dataclasses import replace

from gieok.database import Transaction
from gieok.kernel.language import Category
from gieok.settings.consent_store import OPTED, WITHHELD
from gieok.settings.model import CategoryUsage, Policy, Purpose, Settings, Usage


async def get_settings(tx: Transaction, defaults: Settings) -> Settings:
    """Return what the person chose or the defaults, and what they do not agree to."""
    row = await tx.fetch_one(
        f"""
        SELECT {WITHHELD},
               is_enabled, allowed_categories, auto_extraction, max_memories,
               retention_days, promotion_policy, words_days, chosen
        FROM (VALUES (true)) AS asked
        LEFT JOIN memory_settings ON user_id = %(user_id)s
        """,
        {"user_id": tx.scope.user_id, "opt_in": OPTED},
    )
    assert row is not None  # noqa: S101 - it asks for one
    withheld = tuple(Purpose(each) for each in row[0])
    if row[1] is None:
        return replace(defaults, withheld=withheld)
    enabled, categories, automatic, most, days, policy, words, chosen = row[1:]
    kept = {
        "is_enabled": enabled,
        "allowed_categories": tuple(Category(category) for category in categories),
        "auto_extraction": automatic,
        "max_memories": most,
        "retention_days": days,
        "promotion_policy": Policy(policy),
        "words_days": words,
    }
    own = {name: kept[name] for name in kept.keys() & {*chosen}}
    return replace(defaults, withheld=withheld, **own)


async def find_chosen_categories(tx: Transaction) -> list[str] | None:
    """Return the categories that the person chose, if they chose any."""
    row = await tx.fetch_one(
        """
        SELECT allowed_categories FROM memory_settings
        WHERE user_id = %s AND 'allowed_categories' = ANY(chosen)
        """,
        [tx.scope.user_id],
    )
    return None if row is None else row[0]


async def upsert_settings(
    tx: Transaction, settings: Settings, chosen: Collection[str]
) -> None:
    """Keep the person's settings, and that these of them were chosen, too."""
    await tx.execute(
        """
        INSERT INTO memory_settings (
            user_id, is_enabled, allowed_categories, auto_extraction, max_memories,
            retention_days, promotion_policy, words_days, chosen, created_at,
            updated_at
        ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (user_id) DO UPDATE SET
            is_enabled = excluded.is_enabled,
            allowed_categories = excluded.allowed_categories,
            auto_extraction = excluded.auto_extraction,
            max_memories = excluded.max_memories,
            retention_days = excluded.retention_days,
            promotion_policy = excluded.promotion_policy,
            words_days = excluded.words_days,
            chosen = ARRAY(
                SELECT unnest(memory_settings.chosen)
                UNION SELECT unnest(excluded.chosen) ORDER BY 1
            ),
            updated_at = excluded.updated_at
        """,
        [
            tx.scope.user_id,
            settings.is_enabled,
            [category.value for category in settings.allowed_categories],
            settings.auto_extraction,
            settings.max_memories,
            settings.retention_days,
            settings.promotion_policy.value,
            settings.words_days,
            sorted(chosen),
            tx.now,
            tx.now,
        ],
    )


async def compute_usage(tx: Transaction, most: int) -> Usage:
    """Return what is remembered of the person, in numbers."""
    rows = await tx.fetch_all(
        """
        SELECT category, count(*) FILTER (WHERE is_active),
               count(*) FILTER (WHERE NOT is_active),
               count(*) FILTER (WHERE is_active AND usage_count = 0),
               coalesce(sum(usage_count) FILTER (WHERE is_active), 0)::bigint,
               max(last_used_at)
        FROM user_memories WHERE user_id = %s GROUP BY category ORDER BY category
        """,
        [tx.scope.user_id],
    )
    waiting = await tx.fetch_one(
        """
        SELECT count(*) FROM memory_candidates
        WHERE user_id = %s AND status = 'pending'
        """,
        [tx.scope.user_id],
    )
    return Usage(
        active=sum(row[1] for row in rows),
        inactive=sum(row[2] for row in rows),
        unused=sum(row[3] for row in rows),
        waiting=waiting[0] if waiting else 0,
        uses=sum(row[4] for row in rows),
        last_used_at=max((row[5] for row in rows if row[5]), default=None),
        most=most,
        categories={
            Category(row[0]): CategoryUsage(row[1], row[4]) for row in rows if row[1]
        },
    )
