-- expand
-- Players ask for help about their account, signing in, the game and tournaments too: a topic is no thing of theirs and has no id.
ALTER TABLE help_case DROP CONSTRAINT help_case_about_kind_check;
ALTER TABLE help_case ADD CONSTRAINT help_case_about_kind_check CHECK (about_kind IN
  ('transaction', 'order', 'delivery', 'claim', 'account', 'sign-in', 'game', 'tournament', 'other')) NOT VALID;
