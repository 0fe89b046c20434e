-- How far each reader has read a session, one row each; without one it has read
-- nothing. They stood in the session's row, where seven of them and whoever records
-- wrote each other's versions of it.
CREATE TABLE session_progress (
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    reader text NOT NULL CHECK (reader IN (
        'extraction', 'masking', 'search', 'summary', 'unsummarized_start',
        'unsummarized_end', 'episode'
    )),
    position integer NOT NULL,
    PRIMARY KEY (user_id, session_id, reader),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions ON DELETE CASCADE
);

-- An owner who is no superuser sees no rows of a table that forces row security.
ALTER TABLE sessions NO FORCE ROW LEVEL SECURITY;

INSERT INTO session_progress (user_id, session_id, reader, position)
SELECT user_id, session_id, mark.reader, mark.position
FROM sessions, LATERAL (VALUES
    ('extraction', extracted_count),
    ('masking', screened_count),
    ('search', searchable_count),
    ('summary', summarized_count),
    ('unsummarized_start', unsummed_from),
    ('unsummarized_end', unsummed_until),
    ('episode', remembered_count)
) AS mark (reader, position)
WHERE mark.position <> 0;

ALTER TABLE sessions FORCE ROW LEVEL SECURITY;

ALTER TABLE sessions
    DROP COLUMN extracted_count,
    DROP COLUMN screened_count,
    DROP COLUMN searchable_count,
    DROP COLUMN summarized_count,
    DROP COLUMN unsummed_from,
    DROP COLUMN unsummed_until,
    DROP COLUMN remembered_count;
