-- The models a provider listed at one of its addresses, and when. May be lost: it is fetched again.
CREATE TABLE listed_models (
  provider   TEXT NOT NULL,
  address    TEXT NOT NULL,    -- origin and path it was fetched from, never a key
  fetched_at INTEGER NOT NULL,
  models     TEXT NOT NULL,    -- JSON
  PRIMARY KEY (provider, address)
) STRICT, WITHOUT ROWID;
