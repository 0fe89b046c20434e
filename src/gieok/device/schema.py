"""The tables of a device's file. Bodies are sealed; ids, numbers and states are not."""

from typing import Final

VERSION: Final = 2
SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE conversation_pairs (
    seq INTEGER PRIMARY KEY,
    pair_id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    turn_index INTEGER NOT NULL,
    chain BLOB NOT NULL,
    state TEXT NOT NULL DEFAULT 'recorded',
    at_ms INTEGER NOT NULL,
    sent_ms INTEGER,
    body BLOB
) STRICT;
CREATE INDEX conversation_pairs_session ON conversation_pairs (session_id, turn_index);
CREATE TABLE conversation_sessions (
    session_id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    pair_count INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    continues TEXT
) STRICT;
CREATE TABLE active_workflow_cache (
    session_id TEXT PRIMARY KEY,
    body BLOB NOT NULL
) STRICT;
CREATE TABLE rejected_pairs (
    pair_id TEXT PRIMARY KEY,
    code TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE TABLE memory_items (
    entity TEXT NOT NULL,
    item_id TEXT NOT NULL,
    until_ms INTEGER,
    body BLOB NOT NULL,
    PRIMARY KEY (entity, item_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE staged_items (
    entity TEXT NOT NULL,
    item_id TEXT NOT NULL,
    until_ms INTEGER,
    body BLOB NOT NULL,
    PRIMARY KEY (entity, item_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sync_cursor (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    device_id TEXT NOT NULL,
    incarnation TEXT NOT NULL,
    epoch TEXT,
    last_pair_seq INTEGER NOT NULL,
    chain BLOB NOT NULL,
    newest_seq INTEGER NOT NULL,
    newest_chain BLOB NOT NULL,
    last_cloud_update_seq INTEGER NOT NULL,
    last_sync_ms INTEGER,
    sync_status TEXT NOT NULL,
    conflict_state TEXT,
    error TEXT,
    is_withheld INTEGER NOT NULL,
    clock_offset_ms INTEGER NOT NULL,
    swept_ms INTEGER NOT NULL,
    staged_epoch TEXT,
    staged_seq INTEGER,
    staged_page TEXT,
    staged_up INTEGER
) STRICT;
PRAGMA user_version = {VERSION};
COMMIT;
"""
MIGRATIONS: Final = (
    """
BEGIN IMMEDIATE;
ALTER TABLE sync_cursor RENAME COLUMN is_swept TO swept_ms;
UPDATE sync_cursor SET swept_ms = swept_ms * 9223372036854775807;
PRAGMA user_version = 2;
COMMIT;
""",
)
"""What makes a file of each version, from 1, one of the next.

Of what expired by a clock that is not known any more, a whole copy is taken.
"""
