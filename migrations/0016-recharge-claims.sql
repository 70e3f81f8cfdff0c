-- "I sent money and it was not credited": what a player says, the picture they add, and what they were answered.

CREATE TABLE recharge_claim (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  -- VND, and when they were sent, as the player says.
  amount bigint NOT NULL CHECK (amount > 0),
  paid_at timestamptz NOT NULL,
  bank_reference text CHECK (length(bank_reference) BETWEEN 1 AND 64),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'settled', 'rejected')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  answered_at timestamptz,
  answered_by bigint REFERENCES users (id),
  -- What the player is told.
  message text CHECK (length(message) BETWEEN 1 AND 1000),
  -- The transfer it turned out to be. One transfer answers one claim.
  bank_transaction_id bigint UNIQUE REFERENCES bank_transaction (id),
  CONSTRAINT recharge_claim_answer CHECK (
    (status = 'open') = (answered_at IS NULL)
    AND (status = 'open') = (answered_by IS NULL)
    AND (status = 'open') = (message IS NULL)
    AND (bank_transaction_id IS NULL OR status = 'settled'))
);
CREATE INDEX recharge_claim_user ON recharge_claim (user_id, id DESC);
CREATE INDEX recharge_claim_status ON recharge_claim (status, id);
CREATE INDEX recharge_claim_open_user ON recharge_claim (user_id) WHERE status = 'open';
CREATE INDEX recharge_claim_open_amount ON recharge_claim (amount) WHERE status = 'open';

-- A player's own words and picture may name people, so they lie apart and can be erased.
CREATE TABLE recharge_claim_note (
  claim_id bigint PRIMARY KEY REFERENCES recharge_claim (id),
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 500)
);

-- Drawn anew from what was sent, never the bytes that arrived.
CREATE TABLE recharge_claim_picture (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  claim_id bigint NOT NULL UNIQUE REFERENCES recharge_claim (id),
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 8388608),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX recharge_claim_picture_created ON recharge_claim_picture (created_at);
-- A picture is compressed already; trying again costs time and gains nothing.
ALTER TABLE recharge_claim_picture ALTER COLUMN content SET STORAGE EXTERNAL;

-- Transfers a claim may be about: the same amount about that time, or the same reference.
CREATE INDEX bank_transaction_claim_amount ON bank_transaction (amount, (coalesce(booked_at, created_at)))
  WHERE direction = 'in';
CREATE INDEX bank_transaction_claim_reference ON bank_transaction (upper(bank_ref))
  WHERE direction = 'in' AND bank_ref IS NOT NULL;

GRANT SELECT, INSERT ON recharge_claim, recharge_claim_note, recharge_claim_picture TO portal_app;
GRANT UPDATE (status, answered_at, answered_by, message, bank_transaction_id) ON recharge_claim TO portal_app;
GRANT DELETE ON recharge_claim_note, recharge_claim_picture TO portal_app;
