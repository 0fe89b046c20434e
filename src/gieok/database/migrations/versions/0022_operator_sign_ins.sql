-- Where operators are signed in on /console. They belong to the installation and to no
-- person: no user_id, no row security. A row without `opened_at` is a link that works
-- once. `key_id` is the key that signed in; none where the link was made on the machine.
CREATE TABLE operator_sign_ins (
    sign_in_id uuid PRIMARY KEY,
    digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
    key_id uuid REFERENCES api_keys,
    created_at timestamptz NOT NULL,
    opened_at timestamptz,
    expires_at timestamptz NOT NULL,
    CHECK (key_id IS NULL OR opened_at IS NOT NULL)
);
