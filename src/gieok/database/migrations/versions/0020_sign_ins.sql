-- Who is signed in on the person's own pages. A row begins as a link that works once;
-- opening it gives the row another secret, and `opened_at`. Only digests are kept.
CREATE TABLE sign_ins (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    sign_in_id uuid NOT NULL,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    created_at timestamptz NOT NULL,
    opened_at timestamptz,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, sign_in_id)
);
