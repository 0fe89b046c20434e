-- Whoever saved a conversation goes on in a new session (E01, E03).
ALTER TABLE sessions ADD COLUMN is_saved boolean NOT NULL DEFAULT false;

-- Why a job failed the last time: a kind of error, never content.
CREATE TABLE job_failures (
    job_id bigint PRIMARY KEY REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
    reason text NOT NULL,
    failed_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE, DELETE ON job_failures TO gieok_app;
