-- The profile card of a person (C01), sealed. It is computed from their memories and
-- good for one state of them: `version` is that of the change feed, and past
-- `expires_at` a memory in it has expired.
CREATE TABLE profile_documents (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    document bytea NOT NULL,
    version text NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz
);
