-- Exports that wait to be fetched, in pieces. They are sealed with a key that stands in
-- the link alone: whoever has the database and all its keys cannot read them.
CREATE TABLE exports (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    export_id uuid NOT NULL,
    position integer NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, export_id, position)
);
