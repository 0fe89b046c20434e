-- Keys of apps. They belong to the installation and to no person: no user_id, no row
-- security. A digest opens nothing; the key itself is told once and kept nowhere.
CREATE TABLE api_keys (
    key_id uuid PRIMARY KEY,
    name text NOT NULL,
    digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
    rights text[] NOT NULL CHECK (
        cardinality(rights) > 0
        AND rights <@ ARRAY['read', 'write', 'admin', 'act_as']
    ),
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz
);
