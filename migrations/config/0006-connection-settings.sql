-- A proxy of the connection's own. Its address may hold a user name and a password, so it is sealed whole.
ALTER TABLE connections ADD COLUMN proxy_vault TEXT; -- tag of the vault that sealed the address; NULL: no proxy of its own
ALTER TABLE connections ADD COLUMN proxy BLOB;
ALTER TABLE connections ADD COLUMN proxy_label TEXT; -- scheme://host:port, to be shown
-- Limits and switches of the connection's own; what is not set is absent.
ALTER TABLE connections ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'; -- JSON object
