-- How many messages of a session were looked at together: what only shows over several
-- of them, whoever recorded them, is masked before anything is made of them (A19).
ALTER TABLE sessions ADD COLUMN screened_count integer NOT NULL DEFAULT 0;
