-- The vendors of payments are a table in place of lists in CHECKs: a new one is a folder in the program and no
-- migration. The owner of the database fills it from the program's registry at every start; the app's role reads it.
CREATE TABLE payment_provider (
  name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9-]{0,31}$')
);
INSERT INTO payment_provider (name) VALUES ('sepay'), ('casso'), ('payos'), ('momo');
GRANT SELECT ON payment_provider TO portal_app;

ALTER TABLE payment_checkout
  DROP CONSTRAINT payment_checkout_provider_check,
  ADD CONSTRAINT payment_checkout_provider FOREIGN KEY (provider) REFERENCES payment_provider (name);
ALTER TABLE provider_list
  DROP CONSTRAINT provider_list_provider_check,
  ADD CONSTRAINT provider_list_provider FOREIGN KEY (provider) REFERENCES payment_provider (name);
ALTER TABLE bank_statement_day
  DROP CONSTRAINT bank_statement_day_provider_check,
  ADD CONSTRAINT bank_statement_day_provider FOREIGN KEY (provider) REFERENCES payment_provider (name);
