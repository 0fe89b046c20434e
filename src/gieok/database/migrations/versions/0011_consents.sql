-- Where everybody's audit log stands may be read at once, to be sealed: ids, counts and
-- hashes.
CREATE POLICY sealing ON user_counters FOR SELECT
    USING (current_setting('app.sealing', true) = 'on');

CREATE POLICY sealing ON erasure_receipts FOR SELECT
    USING (current_setting('app.sealing', true) = 'on');
