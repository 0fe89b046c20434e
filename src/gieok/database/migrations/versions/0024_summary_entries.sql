-- What recall searches of summaries and episodes, beside `recall_items`, which holds messages.
-- A row goes with what it is about: the generated columns tie it to one row of a table.
CREATE TABLE summary_entries (
    user_id uuid NOT NULL,
    item_id uuid NOT NULL,
    kind text NOT NULL CHECK (
        kind IN ('session_summary', 'day_summary', 'week_summary', 'episode')
    ),
    revision integer NOT NULL,
    embedder text,
    item bytea NOT NULL,
    session_id uuid GENERATED ALWAYS AS
        (CASE kind WHEN 'session_summary' THEN item_id END) STORED,
    day_id uuid GENERATED ALWAYS AS (CASE kind WHEN 'day_summary' THEN item_id END) STORED,
    week_id uuid GENERATED ALWAYS AS
        (CASE kind WHEN 'week_summary' THEN item_id END) STORED,
    episode_id uuid GENERATED ALWAYS AS (CASE kind WHEN 'episode' THEN item_id END) STORED,
    PRIMARY KEY (user_id, item_id),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions ON DELETE CASCADE,
    FOREIGN KEY (user_id, day_id) REFERENCES short_term_summaries ON DELETE CASCADE,
    FOREIGN KEY (user_id, week_id) REFERENCES mid_term_summaries ON DELETE CASCADE,
    FOREIGN KEY (user_id, episode_id) REFERENCES episodes ON DELETE CASCADE
);
