CREATE TABLE settings (
  key        TEXT PRIMARY KEY,
  value      TEXT NOT NULL -- JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE providers (
  id              TEXT PRIMARY KEY,
  label           TEXT NOT NULL,
  class           TEXT NOT NULL,
  dialect         TEXT NOT NULL,
  base_url        TEXT NOT NULL,
  per_model_quota INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A connection may name a built-in provider, so `provider` references no table.
CREATE TABLE connections (
  id           TEXT PRIMARY KEY,
  provider     TEXT NOT NULL,
  name         TEXT NOT NULL,
  base_url     TEXT,
  secret_vault TEXT,          -- tag of the vault that sealed the key
  secret       BLOB,
  key_tail     TEXT,          -- the visible end of the key, at most four characters
  priority     INTEGER NOT NULL,
  enabled      INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  removed_at   INTEGER        -- set: deleted, can be restored until the next start
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX connections_by_name ON connections (provider, name) WHERE removed_at IS NULL;

CREATE TABLE client_keys (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL UNIQUE,
  hash         BLOB NOT NULL UNIQUE, -- SHA-256
  mask         TEXT NOT NULL,
  scopes       TEXT NOT NULL,        -- separated by spaces
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
