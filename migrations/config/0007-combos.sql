-- Named lists of models with a strategy, which clients use like a model. What a step names (a model, a connection,
-- another combo) may be gone, so steps reference no table.
CREATE TABLE combos (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  strategy   TEXT NOT NULL,
  config     TEXT NOT NULL,    -- JSON object of what a person has set
  steps      TEXT NOT NULL,    -- JSON array
  position   INTEGER NOT NULL, -- place in lists; of equals the older comes first
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER           -- set: deleted, can be restored until the next start
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX combos_by_name ON combos (name) WHERE removed_at IS NULL;
