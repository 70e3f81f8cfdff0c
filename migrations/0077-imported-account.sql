-- expand
-- Accounts that were taken over from the table of a game, and from where. The key is the game's own: a second import finds
-- by it what it already has.
CREATE TABLE imported_account (
  source text NOT NULL CHECK (length(source) BETWEEN 1 AND 64),
  game_key text NOT NULL CHECK (length(game_key) BETWEEN 1 AND 64),
  user_id bigint NOT NULL UNIQUE REFERENCES users (id),
  imported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (source, game_key)
);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON imported_account FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON imported_account TO portal_app;

-- What wallets held at the site before this one comes from an account of the house of its own. The conditions are wider than
-- before, so the rows need not be read while nobody may write; the next migration has them read.
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_check;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_kind_check CHECK (kind IN (
  'user_wallet', 'receivable', 'house_recharge', 'house_revenue', 'house_gift', 'delivery_hold', 'suspense', 'promotion',
  'adjustment', 'opening')) NOT VALID;
ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_kind_check CHECK (kind IN (
  'recharge', 'p2p', 'activation', 'exchange_hold', 'exchange_settle', 'exchange_refund', 'gift_hold', 'gift_settle',
  'gift_refund', 'adjustment', 'reversal', 'debt', 'debt_settle', 'opening')) NOT VALID;

INSERT INTO ledger_account (id, kind, may_overdraw, stripe)
  SELECT 9000000000000008 + 100 * stripe, 'opening', true, stripe FROM generate_series(0, 15) AS stripe;
