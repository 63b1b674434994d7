-- What ends only by new credentials, a reset or a person's successful test. Practice connections have no row of their
-- own, so `connection_id` references no table.
CREATE TABLE terminal_states (
  connection_id TEXT PRIMARY KEY,
  state         TEXT NOT NULL, -- banned, expired, credits_exhausted
  since         INTEGER NOT NULL,
  why           TEXT NOT NULL,
  status        INTEGER
) STRICT, WITHOUT ROWID;
