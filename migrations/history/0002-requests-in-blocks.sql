-- The log is written many requests at a time and read newest first, whole: a row of its own for each request and each
-- attempt cost more than all else the gateway does for a short answer. Now a row holds as many as were written
-- together, as a JSON list in the order of their end (core/store/stored-request.ts says of what).
CREATE TABLE request_blocks (
  seq     INTEGER PRIMARY KEY, -- number of its first request; they are counted on without a gap
  count   INTEGER NOT NULL,
  newest  INTEGER NOT NULL, -- the highest `at` in it
  entries TEXT NOT NULL
) STRICT;

INSERT INTO request_blocks
SELECT seq, 1, at, json_array(json_array(
  id, at, client_key, tool, endpoint, dialect, model, target, stream, outcome, status, code, message, first_byte_ms,
  total_ms, input_tokens, output_tokens,
  json((SELECT json_group_array(json_array(provider, model, connection_id, connection_name, outcome, status, reason, message,
     next, started_at, first_byte_ms, total_ms) ORDER BY idx)
   FROM attempts WHERE request_seq = seq))
))
FROM requests;

DROP TABLE attempts;
DROP TABLE requests;
