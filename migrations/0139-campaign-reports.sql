-- expand
-- What a campaign cost and brought, as it was counted last.
CREATE TABLE campaign_report (
  -- 'promotions', 'gift-codes', 'milestones', 'invitations' or 'tournaments'.
  kind text NOT NULL,
  -- The id of the campaign; of invitations the month of Vietnam, '2026-11'.
  campaign text NOT NULL,
  -- Everything until this moment is counted.
  counted_until timestamptz NOT NULL,
  -- When the campaign ran, as far as it is counted.
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- TCoin that players were given, that were taken back from them, and that are held for them.
  given bigint NOT NULL,
  taken_back bigint NOT NULL,
  held bigint NOT NULL,
  -- Goods that the game has taken in, and those on their way there, each kind once.
  goods jsonb NOT NULL,
  goods_waiting jsonb NOT NULL,
  -- Luong taken from characters of a tournament, and given back.
  fees bigint NOT NULL,
  fees_back bigint NOT NULL,
  -- VND of the recharges that the campaign brought, and of those what was reversed.
  brought bigint NOT NULL,
  brought_back bigint NOT NULL,
  -- VND that its players recharged while it ran, and in as long a time before; of all players as well. Without what was
  -- reversed. Null: the portal was not there for all of that time.
  recharged bigint NOT NULL,
  recharged_before bigint NOT NULL,
  all_recharged bigint NOT NULL,
  all_recharged_before bigint,
  players bigint NOT NULL,
  -- Of these: registered while it ran, recharged for the first time while it ran, had recharged before but not in the 30 days
  -- before it, recharged by it, recharged in as long a time before, recharged in the 30 days after it.
  new_players bigint NOT NULL,
  first_payers bigint NOT NULL,
  returned bigint NOT NULL,
  payers bigint NOT NULL,
  payers_before bigint NOT NULL,
  payers_after bigint NOT NULL,
  PRIMARY KEY (kind, campaign)
);

-- The same by days of Vietnam, of days on which something happened.
CREATE TABLE campaign_report_day (
  kind text NOT NULL,
  campaign text NOT NULL,
  day date NOT NULL,
  -- Who took part for the first time.
  players bigint NOT NULL,
  -- VND credited, without what was reversed since.
  brought bigint NOT NULL,
  -- TCoin given, without what was taken back on the day.
  given bigint NOT NULL,
  PRIMARY KEY (kind, campaign, day),
  FOREIGN KEY (kind, campaign) REFERENCES campaign_report (kind, campaign) ON DELETE CASCADE
);
GRANT SELECT, INSERT ON campaign_report, campaign_report_day TO portal_app;
GRANT UPDATE (counted_until, starts_at, ends_at, given, taken_back, held, goods, goods_waiting, fees, fees_back, brought, brought_back,
  recharged, recharged_before, all_recharged, all_recharged_before, players, new_players, first_payers, returned, payers,
  payers_before, payers_after) ON campaign_report TO portal_app;
GRANT DELETE ON campaign_report_day TO portal_app;
