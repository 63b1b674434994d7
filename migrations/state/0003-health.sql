-- One row a provider whose breaker has something to remember.
CREATE TABLE domain_circuit_breakers (
  name              TEXT PRIMARY KEY,
  state             TEXT NOT NULL,
  failure_count     INTEGER NOT NULL,
  last_failure_time INTEGER,
  options           TEXT NOT NULL -- JSON: failureThreshold, resetTimeout, halfOpenRequests, lastFailureKind, openCycleCount, kindFailureCounts
) STRICT, WITHOUT ROWID;

-- Connections that rest, or that will rest longer the next time.
CREATE TABLE cooldowns (
  connection_id   TEXT PRIMARY KEY,
  backoff_level   INTEGER NOT NULL,
  since           INTEGER,          -- null: it does not rest
  until           INTEGER,
  reason          TEXT,
  message         TEXT,
  last_error      TEXT,             -- at most 100 characters
  last_error_type TEXT,
  last_error_at   INTEGER,
  error_code      INTEGER           -- HTTP status
) STRICT, WITHOUT ROWID;

-- Connections that were refused with 401 and are tried again before they count as expired.
CREATE TABLE expired_retries (
  connection_id TEXT PRIMARY KEY,
  first_at      INTEGER NOT NULL,
  retries       INTEGER NOT NULL,   -- that have failed
  since         INTEGER NOT NULL,
  retry_at      INTEGER NOT NULL,
  why           TEXT NOT NULL,
  status        INTEGER
) STRICT, WITHOUT ROWID;
