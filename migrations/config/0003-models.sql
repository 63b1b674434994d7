-- What the user says of models: added by hand, values edited, hidden from lists. NULL: not said.
-- A model may be of a built-in provider, so `provider` references no table.
CREATE TABLE models (
  provider          TEXT NOT NULL,
  model             TEXT NOT NULL,    -- as the provider calls it
  added             INTEGER NOT NULL, -- 1: not in the provider's list, added by hand
  hidden            INTEGER NOT NULL,
  label             TEXT,
  context_window    INTEGER,          -- tokens
  max_output        INTEGER,
  input_price       REAL,             -- US dollars for a million tokens
  output_price      REAL,
  cache_read_price  REAL,
  cache_write_price REAL,
  tools             INTEGER,
  images            INTEGER,
  reasoning         INTEGER,
  changed_at        INTEGER NOT NULL,
  PRIMARY KEY (provider, model)
) STRICT, WITHOUT ROWID;

-- The user's own names for models. `*` and `?` make a pattern that maps a family of names.
CREATE TABLE model_aliases (
  id            TEXT PRIMARY KEY,
  pattern       TEXT NOT NULL,
  client_key_id TEXT REFERENCES client_keys (id) ON DELETE CASCADE, -- NULL: for all keys
  target        TEXT NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX model_aliases_by_pattern ON model_aliases (pattern, ifnull(client_key_id, ''));
