-- expand
-- Players in the order of their balances, for the operators' list. An index that names the balance of an account would make
-- every movement of a wallet write it (0028): a worker copies here what has changed.

CREATE TABLE listed_balance (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  balance bigint NOT NULL
);
CREATE INDEX listed_balance_order ON listed_balance (balance, user_id);
GRANT SELECT, INSERT, UPDATE ON listed_balance TO portal_app;
