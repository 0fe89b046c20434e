-- Memories that were forgotten and for which no receipt is signed yet, written in the
-- transaction that erases them. Until now they were looked for in the audit log.
CREATE TABLE pending_receipts (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    memory_id uuid NOT NULL,
    erased_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, memory_id)
);

-- An owner who is no superuser sees no rows of a table that forces row security.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_audit_log NO FORCE ROW LEVEL SECURITY;
ALTER TABLE erasure_receipts NO FORCE ROW LEVEL SECURITY;

INSERT INTO pending_receipts (user_id, memory_id, erased_at)
SELECT line.user_id, line.target_id, min(line.created_at)
FROM memory_audit_log AS line JOIN users USING (user_id)
WHERE event_type = 'delete' AND target_table = 'user_memories'
  AND reason = 'user_request' AND seq > coalesce((
      SELECT max(audit_seq) FROM erasure_receipts AS signed
      WHERE signed.user_id = line.user_id AND signed.kind IN ('memory', 'person')
  ), 0)
GROUP BY line.user_id, line.target_id;

ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_audit_log FORCE ROW LEVEL SECURITY;
ALTER TABLE erasure_receipts FORCE ROW LEVEL SECURITY;
