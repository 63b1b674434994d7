CREATE TABLE last_use (
  connection_id TEXT PRIMARY KEY,
  at            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
