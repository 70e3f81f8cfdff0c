-- expand
-- What an operator gave to compare days of an account with where no provider lists it: a statement file of the bank, or the
-- figures of one day with a picture that shows them.
CREATE TABLE given_statement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_number text NOT NULL,
  given_by bigint NOT NULL REFERENCES users (id),
  given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Of a file. The file itself is not kept: it names payers.
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  -- Re-encoded by the portal, as JPEG: the document behind figures that were typed.
  picture bytea CHECK (length(picture) BETWEEN 1 AND 8388608),
  CONSTRAINT given_statement_is_proved CHECK (num_nonnulls(sha256, picture) = 1)
);
CREATE INDEX given_statement_giver ON given_statement (given_by, id);
GRANT SELECT, INSERT ON given_statement TO portal_app;

-- `provider` names a payment provider, or `file` or `hand` for what an operator gave.
ALTER TABLE bank_statement_day
  DROP CONSTRAINT bank_statement_day_provider,
  ADD COLUMN given_id bigint REFERENCES given_statement (id),
  -- The reference to providers of what is a provider's.
  ADD COLUMN list_provider text GENERATED ALWAYS AS (CASE WHEN given_id IS NULL THEN provider END) STORED,
  ADD CONSTRAINT bank_statement_day_provider FOREIGN KEY (list_provider) REFERENCES payment_provider (name),
  ADD CONSTRAINT bank_statement_day_given CHECK ((provider IN ('file', 'hand')) = (given_id IS NOT NULL));
CREATE INDEX bank_statement_day_given_by ON bank_statement_day (given_id) WHERE given_id IS NOT NULL;
GRANT UPDATE (given_id) ON bank_statement_day TO portal_app;

-- A day without a statement and without money has nothing that could be compared.
ALTER TABLE daily_close ADD COLUMN is_empty boolean GENERATED ALWAYS AS (
  bank_in_count IS NULL AND arrived_count = 0 AND left_vnd = 0 AND open_events = 0 AND differences = '{}') STORED;
CREATE INDEX daily_close_emptiness ON daily_close (outcome, is_empty, day DESC, id DESC) WHERE is_latest;
