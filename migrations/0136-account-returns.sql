-- expand
-- Two operators hand an account back to a visitor who proved a phone or an address.
ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'planned-price', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite', 'give-again',
    'budget', 'promotion', 'milestones', 'gift-codes', 'account-return'));
