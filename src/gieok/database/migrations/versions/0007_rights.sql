-- What people agree to, and the proof of what was erased.

-- `incarnation` counts how often the person was erased before; `withheld` holds the
-- purposes to which the person does not agree, as the newest of their consents say.
ALTER TABLE users
    ADD COLUMN incarnation integer NOT NULL DEFAULT 0,
    ADD COLUMN withheld text[] NOT NULL DEFAULT '{}';

-- D14. Append-only: the newest version for a purpose is what counts.
CREATE TABLE consents (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    purpose text NOT NULL CHECK (
        purpose IN ('storage', 'profile', 'sensitive', 'sync')
    ),
    version integer NOT NULL,
    granted boolean NOT NULL,
    notice text,
    actor text NOT NULL CHECK (actor IN ('device', 'cloud', 'user', 'admin')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, purpose, version)
);

-- A15, E19. Signed, without content. Like the audit log it outlives the person: no
-- foreign key. The last three columns say where the person's numbering stood, so that
-- it goes on from there if the person comes back.
CREATE TABLE erasure_receipts (
    user_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('person', 'device', 'memory')),
    about uuid NOT NULL,
    number integer NOT NULL,
    requested_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    backups_until timestamptz NOT NULL,
    parts jsonb NOT NULL,
    counts jsonb NOT NULL,
    signature bytea NOT NULL,
    head_seq bigint NOT NULL,
    audit_seq bigint NOT NULL,
    audit_hash bytea NOT NULL,
    PRIMARY KEY (user_id, receipt_id)
);

CREATE UNIQUE INDEX erasure_receipts_of_person
    ON erasure_receipts (user_id, number) WHERE kind = 'person';
