-- OAuth logins of connections. Tokens and the client's secret are sealed together; the rest is needed without them.
CREATE TABLE oauth_logins (
  connection_id TEXT PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
  version       TEXT NOT NULL,    -- another one with every change of the login
  secret_vault  TEXT NOT NULL,    -- tag of the vault that sealed the secrets
  secret        BLOB NOT NULL,    -- JSON: access token, refresh token, client secret
  authorize_url TEXT,
  device_url    TEXT,
  token_url     TEXT NOT NULL,
  client_id     TEXT NOT NULL,
  client_auth   TEXT NOT NULL,    -- body or header
  token_type    TEXT NOT NULL,
  scopes        TEXT NOT NULL,    -- separated by spaces
  issued_at     INTEGER NOT NULL,
  expires_at    INTEGER,          -- null: not said
  refreshed_at  INTEGER,          -- null: never exchanged by the gateway
  sign_in_again TEXT,             -- why a person must sign in again; null: not needed
  claimed_by    TEXT,             -- the process that exchanges the refresh token now
  claimed_until INTEGER
) STRICT, WITHOUT ROWID;
