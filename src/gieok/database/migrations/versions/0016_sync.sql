-- A08. One row for each installation of a device: `incarnation` is made by the device
-- when it starts empty, so that a clone or a restored phone is another row and never
-- the same numbers twice. `chain` is sealed: it is a digest of what was said. No
-- foreign key to devices: the row outlives an erased device, to tell it so.
CREATE TABLE memory_sync_cursors (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    cursor_id uuid NOT NULL,
    device_id uuid NOT NULL,
    incarnation uuid NOT NULL,
    last_pair_seq bigint NOT NULL DEFAULT 0 CHECK (last_pair_seq >= 0),
    chain bytea NOT NULL,
    last_cloud_update_seq bigint NOT NULL DEFAULT 0 CHECK (last_cloud_update_seq >= 0),
    epoch text,
    last_sync_at timestamptz NOT NULL,
    sync_status text NOT NULL CHECK (
        sync_status IN ('ok', 'pending', 'conflict', 'error')
    ),
    conflict_state jsonb,
    PRIMARY KEY (user_id, cursor_id),
    UNIQUE (user_id, device_id, incarnation)
);

-- What was erased or expired is looked for whenever a device sends something.
CREATE INDEX memory_updates_deleted ON memory_updates (user_id, entity_id)
    WHERE operation = 'delete';
