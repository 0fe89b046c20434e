-- The first schema. Every personal table's primary key starts with user_id, so that one
-- person's rows stay together, row security is one policy, and the schema distributes
-- by user_id unchanged (design.md §2, §8). One statement per execute; no functions.

CREATE TABLE users (
    user_id uuid PRIMARY KEY,
    plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'premium')),
    language text NOT NULL DEFAULT 'ko' CHECK (language IN ('ko', 'en')),
    time_zone text NOT NULL DEFAULT 'Asia/Seoul',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

-- One counter row per person numbers the change feed and chains the audit log: sequence
-- order is then commit order (design rule 6).
CREATE TABLE user_counters (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    head_seq bigint NOT NULL DEFAULT 0,
    audit_seq bigint NOT NULL DEFAULT 0,
    audit_hash bytea NOT NULL DEFAULT '\x00'
);

CREATE TABLE memory_updates (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    seq bigint NOT NULL,
    entity text NOT NULL,
    entity_id uuid NOT NULL,
    operation text NOT NULL CHECK (operation IN ('put', 'delete')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, seq)
);

-- A09 and D03. No content, and no foreign key: it outlives what it speaks of.
CREATE TABLE memory_audit_log (
    user_id uuid NOT NULL,
    seq bigint NOT NULL,
    audit_id uuid NOT NULL,
    event_type text NOT NULL CHECK (
        event_type IN ('create', 'update', 'delete', 'export', 'mask', 'access')
    ),
    target_table text NOT NULL,
    target_id uuid NOT NULL,
    actor text NOT NULL CHECK (actor IN ('device', 'cloud', 'user', 'admin')),
    reason text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (user_id, seq)
);

CREATE TABLE memory_settings (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    is_enabled boolean NOT NULL,
    allowed_categories text[] NOT NULL,
    auto_extraction boolean NOT NULL,
    max_memories integer NOT NULL CHECK (max_memories BETWEEN 1 AND 10000),
    retention_days integer CHECK (retention_days BETWEEN 1 AND 36500),
    promotion_policy text NOT NULL CHECK (promotion_policy IN ('stated', 'strict')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

-- One table carries the columns of A02, B02 and E01.
CREATE TABLE sessions (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    session_id uuid NOT NULL,
    device_id uuid,
    persona_id uuid,
    status text NOT NULL CHECK (
        status IN ('created', 'active', 'paused', 'completed', 'failed', 'expired')
    ),
    current_layer text CHECK (
        current_layer IN ('cognitive', 'planning', 'execution', 'response')
    ),
    language text NOT NULL DEFAULT 'ko',
    config bytea,
    session_summary bytea,
    last_route text,
    active_workflow_id text,
    message_count integer NOT NULL DEFAULT 0,
    pair_count integer NOT NULL DEFAULT 0,
    extracted_count integer NOT NULL DEFAULT 0,
    searchable_count integer NOT NULL DEFAULT 0,
    total_turns integer NOT NULL DEFAULT 0,
    total_tokens bigint NOT NULL DEFAULT 0,
    total_cost numeric(10, 4) NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz,
    completed_at timestamptz,
    PRIMARY KEY (user_id, session_id)
);

CREATE INDEX sessions_by_status ON sessions (user_id, status, created_at DESC);

CREATE INDEX sessions_by_expiry ON sessions (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE session_messages (
    user_id uuid NOT NULL,
    message_id uuid NOT NULL,
    session_id uuid NOT NULL,
    position integer NOT NULL,
    role text NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    content bytea NOT NULL,
    layer text,
    metadata bytea,
    created_at timestamptz NOT NULL,
    forgotten_at timestamptz,
    PRIMARY KEY (user_id, message_id),
    UNIQUE (user_id, session_id, position),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions ON DELETE CASCADE
);

-- A01: the pair names its two messages, which hold the text.
CREATE TABLE conversation_pairs (
    user_id uuid NOT NULL,
    pair_id uuid NOT NULL,
    session_id uuid NOT NULL,
    device_id uuid,
    turn_index integer NOT NULL,
    user_message_id uuid NOT NULL,
    assistant_message_id uuid NOT NULL,
    route_family text,
    planner_summary bytea,
    sensitive_flags jsonb NOT NULL DEFAULT '{}',
    retention_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, pair_id),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions ON DELETE CASCADE
);

CREATE INDEX conversation_pairs_by_session ON conversation_pairs (user_id, session_id);

-- A05. Nothing reads a candidate as if it were confirmed (A07).
CREATE TABLE memory_candidates (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    candidate_id uuid NOT NULL,
    category text NOT NULL,
    claim bytea NOT NULL,
    claim_digest bytea NOT NULL,
    embedding bytea,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    basis text NOT NULL CHECK (basis IN ('requested', 'stated', 'observed')),
    operation text NOT NULL CHECK (
        operation IN ('add', 'update', 'delete', 'reinforce')
    ),
    target_id uuid,
    session_ids uuid[] NOT NULL,
    message_ids uuid[] NOT NULL,
    extractor text NOT NULL,
    status text NOT NULL CHECK (
        status IN ('pending', 'confirmed', 'rejected', 'expired')
    ),
    memory_id uuid,
    created_at timestamptz NOT NULL,
    reviewed_at timestamptz,
    PRIMARY KEY (user_id, candidate_id)
);

CREATE INDEX memory_candidates_by_status
    ON memory_candidates (user_id, status, created_at DESC);

-- A06 and D01 are the same row: a confirmed fact.
CREATE TABLE user_memories (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    memory_id uuid NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    content bytea NOT NULL,
    content_digest bytea NOT NULL,
    content_embedding bytea,
    embedder text,
    embedding_dimension integer,
    category text NOT NULL,
    subcategory bytea,
    value bytea,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    relevance_score double precision NOT NULL DEFAULT 0,
    source_type text NOT NULL CHECK (source_type IN ('explicit', 'inferred', 'system')),
    source_session_id uuid,
    source_message_ids uuid[] NOT NULL,
    source_message_preview bytea,
    source_candidate_ids uuid[] NOT NULL,
    extractor text NOT NULL,
    usage_count integer NOT NULL DEFAULT 0,
    last_used_at timestamptz,
    last_confirmed_at timestamptz NOT NULL,
    expires_at timestamptz,
    delete_policy text NOT NULL DEFAULT 'user_delete' CHECK (
        delete_policy IN ('user_delete', 'retention_expire', 'manual_review')
    ),
    superseded_by uuid,
    inactive_reason text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    PRIMARY KEY (user_id, memory_id)
);

-- D02: the same active content exists once per person. The digest is keyed per person.
CREATE UNIQUE INDEX user_memories_unique_content
    ON user_memories (user_id, content_digest) WHERE is_active;

-- D03's old and new content: sealed, and erased with the memory, unlike the audit log.
CREATE TABLE memory_history (
    user_id uuid NOT NULL,
    history_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    action text NOT NULL CHECK (action IN (
        'created', 'updated', 'merged', 'deactivated', 'reactivated', 'expired'
    )),
    old_content bytea,
    new_content bytea,
    old_confidence double precision,
    new_confidence double precision,
    session_id uuid,
    trigger text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, history_id),
    FOREIGN KEY (user_id, memory_id) REFERENCES user_memories ON DELETE CASCADE
);

CREATE INDEX memory_history_by_memory
    ON memory_history (user_id, memory_id, created_at DESC);

-- What recall searches: one sealed row per message, holding terms and vector.
CREATE TABLE recall_items (
    user_id uuid NOT NULL,
    item_id uuid NOT NULL,
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    embedder text,
    item bytea NOT NULL,
    PRIMARY KEY (user_id, item_id),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions ON DELETE CASCADE,
    FOREIGN KEY (user_id, item_id) REFERENCES session_messages ON DELETE CASCADE
);

CREATE INDEX recall_items_by_seq ON recall_items (user_id, seq);

CREATE INDEX recall_items_without_vector ON recall_items (user_id) WHERE embedder IS NULL;

-- What the whole installation agreed on, such as the embedder its vectors come from.
CREATE TABLE installation (
    name text PRIMARY KEY,
    value text NOT NULL
);
