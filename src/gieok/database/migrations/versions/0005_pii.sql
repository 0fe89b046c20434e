-- Trust in what is remembered, and why a candidate waits for the person (design rule 7).

ALTER TABLE memory_candidates ADD COLUMN held_reason text;

ALTER TABLE user_memories ADD COLUMN trust text NOT NULL DEFAULT 'stated'
    CHECK (trust IN ('observed', 'stated', 'requested', 'confirmed'));

UPDATE user_memories SET trust = CASE
    WHEN extractor = 'remember' THEN 'requested'
    WHEN source_type = 'inferred' THEN 'observed'
    ELSE 'stated'
END;
