-- Conversations over time: sessions that end by themselves, what they were about, and
-- the days and weeks they make.

ALTER TABLE sessions
    ADD COLUMN max_pairs integer CHECK (max_pairs > 0),
    ADD COLUMN continues uuid,
    ADD COLUMN continued_by uuid,
    ADD COLUMN ended_reason text,
    ADD COLUMN searching_count integer NOT NULL DEFAULT 0,
    ADD COLUMN extracting_count integer NOT NULL DEFAULT 0,
    ADD COLUMN summarized_count integer NOT NULL DEFAULT 0,
    ADD COLUMN summary_revision integer NOT NULL DEFAULT 0,
    ADD COLUMN unsummed_from integer NOT NULL DEFAULT 0,
    ADD COLUMN unsummed_until integer NOT NULL DEFAULT 0,
    ADD COLUMN remembered_count integer NOT NULL DEFAULT 0,
    ADD COLUMN episode_deleted boolean NOT NULL DEFAULT false,
    ADD COLUMN named uuid;

-- A pseudonym of the name by which the app knows a conversation with a persona.
CREATE INDEX sessions_by_name ON sessions (user_id, named) WHERE named IS NOT NULL;

-- What was forgotten is looked up by whatever rests on messages.
CREATE INDEX session_messages_forgotten
    ON session_messages (user_id, session_id) WHERE forgotten_at IS NOT NULL;

-- What comes due for a person, one row for each kind; nobody's content. Like the job
-- table it has no row security: the sweep looks for what is due across all people.
CREATE TABLE agenda (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    task text NOT NULL,
    due timestamptz NOT NULL,
    PRIMARY KEY (user_id, task)
);

CREATE INDEX agenda_by_due ON agenda (due);

-- The names by which an app knows its personas and devices are sealed; ids are pseudonyms.
CREATE TABLE personas (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    persona_id uuid NOT NULL,
    name bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, persona_id)
);

CREATE TABLE devices (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    device_id uuid NOT NULL,
    name bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, device_id)
);

-- A03. One for each day on which the person's conversations began.
CREATE TABLE short_term_summaries (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    summary_id uuid NOT NULL,
    device_id uuid,
    date_key date NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    summary_text bytea NOT NULL,
    details bytea NOT NULL,
    source_session_ids uuid[] NOT NULL,
    ground bytea NOT NULL,
    summarizer text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, summary_id),
    UNIQUE (user_id, date_key)
);

-- A04. `week_key` is the ISO week, such as 2026-W47.
CREATE TABLE mid_term_summaries (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    summary_id uuid NOT NULL,
    week_key text NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    summary_text bytea NOT NULL,
    details bytea NOT NULL,
    source_summary_ids uuid[] NOT NULL,
    ground bytea NOT NULL,
    summarizer text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, summary_id),
    UNIQUE (user_id, week_key)
);

-- E06.
CREATE TABLE episodes (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    episode_id uuid NOT NULL,
    persona_id uuid,
    session_id uuid,
    revision integer NOT NULL DEFAULT 1,
    summary bytea NOT NULL,
    topics bytea NOT NULL,
    tags bytea NOT NULL,
    emotion text NOT NULL CHECK (
        emotion IN ('joy', 'sadness', 'stress', 'calm', 'excitement')
    ),
    importance smallint NOT NULL CHECK (importance BETWEEN 1 AND 10),
    source_message_ids uuid[] NOT NULL,
    first_position integer,
    end_position integer,
    summarizer text NOT NULL,
    is_fallback boolean NOT NULL DEFAULT false,
    edited text[] NOT NULL DEFAULT '{}',
    said_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    archived_at timestamptz,
    archived_reason text CHECK (
        archived_reason IN ('user_request', 'plan_limit', 'same_topic')
    ),
    PRIMARY KEY (user_id, episode_id),
    FOREIGN KEY (user_id, persona_id) REFERENCES personas ON DELETE CASCADE
);

CREATE INDEX episodes_by_persona
    ON episodes (user_id, persona_id, importance DESC, created_at DESC);

CREATE INDEX episodes_by_session ON episodes (user_id, session_id);
