-- One row a request, in the order of their end: the rowid is that order, and needs no index of its own.
CREATE TABLE requests (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL,
  at            INTEGER NOT NULL,
  client_key    TEXT NOT NULL,
  tool          TEXT NOT NULL,
  endpoint      TEXT NOT NULL,
  dialect       TEXT NOT NULL,
  model         TEXT NOT NULL,
  target        TEXT,
  stream        INTEGER NOT NULL,
  outcome       TEXT NOT NULL,
  status        INTEGER NOT NULL,
  code          TEXT,
  message       TEXT NOT NULL,
  first_byte_ms REAL,
  total_ms      REAL NOT NULL,
  input_tokens  INTEGER,
  output_tokens INTEGER
) STRICT;

-- Written and removed together with their request, by one module; a checked reference would cost more than the row.
CREATE TABLE attempts (
  request_seq     INTEGER NOT NULL,
  idx             INTEGER NOT NULL,
  provider        TEXT NOT NULL,
  model           TEXT NOT NULL,
  connection_id   TEXT NOT NULL,
  connection_name TEXT NOT NULL,
  outcome         TEXT NOT NULL,
  status          INTEGER,
  reason          TEXT,
  message         TEXT NOT NULL,
  next            TEXT NOT NULL,
  started_at      INTEGER NOT NULL,
  first_byte_ms   REAL,
  total_ms        REAL NOT NULL,
  PRIMARY KEY (request_seq, idx)
) STRICT, WITHOUT ROWID;

-- Kept on write, so that no view ever counts over the requests.
CREATE TABLE minutes (
  minute      INTEGER PRIMARY KEY, -- epoch minutes
  requests    INTEGER NOT NULL,
  failed      INTEGER NOT NULL,
  failed_over INTEGER NOT NULL
) STRICT;
