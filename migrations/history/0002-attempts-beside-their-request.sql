-- A request's attempts are only ever read with it, and a row of their own cost half of what writing the log costs:
-- now they stand in the request's row, as a JSON list of lists in the order of the old table's columns.
ALTER TABLE requests ADD COLUMN attempts TEXT NOT NULL DEFAULT '[]';

UPDATE requests SET attempts = (
  SELECT json_group_array(json_array(provider, model, connection_id, connection_name, outcome, status, reason, message,
    next, started_at, first_byte_ms, total_ms) ORDER BY idx)
  FROM attempts WHERE request_seq = seq
);

DROP TABLE attempts;
