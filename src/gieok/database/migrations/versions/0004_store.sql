-- What agents keep of a person: items of a key-value store, and the states of LangGraph
-- threads.

-- Namespace, key and value are sealed. `item_id`, `namespace_id` and `prefix_ids` are
-- keyed digests of names, so that equal names of one person meet and nobody reads them.
CREATE TABLE store_items (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    item_id uuid NOT NULL,
    namespace_id uuid NOT NULL,
    prefix_ids uuid[] NOT NULL,
    seq bigint NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    position bigint NOT NULL,
    name bytea NOT NULL,
    content bytea NOT NULL,
    searchable boolean NOT NULL,
    search bytea,
    embedder text,
    ttl_minutes double precision CHECK (ttl_minutes > 0),
    expires_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, item_id)
);

CREATE INDEX store_items_by_seq ON store_items (user_id, seq);

CREATE INDEX store_items_by_namespace ON store_items (user_id, namespace_id);

CREATE INDEX store_items_by_update
    ON store_items (user_id, updated_at DESC, position DESC);

CREATE INDEX store_items_by_expiry ON store_items (user_id, expires_at)
    WHERE expires_at IS NOT NULL;

CREATE INDEX store_items_without_vector ON store_items (user_id)
    WHERE searchable AND embedder IS NULL;

-- B01. The tables of langgraph-checkpoint-postgres as its `setup()` leaves them (a test
-- compares), each with the person it belongs to: the library names its columns, so the
-- default fills this one from the transaction's person. The keys are the library's,
-- because its statements name them in ON CONFLICT.
CREATE TABLE checkpoint_migrations (
    v integer PRIMARY KEY
);

INSERT INTO checkpoint_migrations (v) SELECT generate_series(0, 9);

CREATE TABLE checkpoints (
    thread_id text NOT NULL,
    checkpoint_ns text NOT NULL DEFAULT '',
    checkpoint_id text NOT NULL,
    parent_checkpoint_id text,
    type text,
    checkpoint jsonb NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    user_id uuid NOT NULL DEFAULT nullif(current_setting('app.user_id', true), '')::uuid
        REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);

CREATE TABLE checkpoint_blobs (
    thread_id text NOT NULL,
    checkpoint_ns text NOT NULL DEFAULT '',
    channel text NOT NULL,
    version text NOT NULL,
    type text NOT NULL,
    blob bytea,
    user_id uuid NOT NULL DEFAULT nullif(current_setting('app.user_id', true), '')::uuid
        REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
);

CREATE TABLE checkpoint_writes (
    thread_id text NOT NULL,
    checkpoint_ns text NOT NULL DEFAULT '',
    checkpoint_id text NOT NULL,
    task_id text NOT NULL,
    idx integer NOT NULL,
    channel text NOT NULL,
    type text,
    blob bytea NOT NULL,
    task_path text NOT NULL DEFAULT '',
    user_id uuid NOT NULL DEFAULT nullif(current_setting('app.user_id', true), '')::uuid
        REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);

CREATE INDEX checkpoints_thread_id_idx ON checkpoints (thread_id);

CREATE INDEX checkpoint_blobs_thread_id_idx ON checkpoint_blobs (thread_id);

CREATE INDEX checkpoint_writes_thread_id_idx ON checkpoint_writes (thread_id);

CREATE INDEX checkpoints_by_person ON checkpoints (user_id);

CREATE INDEX checkpoint_blobs_by_person ON checkpoint_blobs (user_id);

CREATE INDEX checkpoint_writes_by_person ON checkpoint_writes (user_id);
