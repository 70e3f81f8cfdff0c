-- expand
-- Players ask for help about their account, signing in, the game and tournaments too: a topic is no thing of theirs and has no id.
ALTER TABLE help_case DROP CONSTRAINT help_case_about_kind_check;
ALTER TABLE help_case ADD CONSTRAINT help_case_about_kind_check CHECK (about_kind IN
  ('transaction', 'order', 'delivery', 'claim', 'account', 'sign-in', 'game', 'tournament', 'other')) NOT VALID;
-- Visitors ask too, once they have proved a phone or an address: their case is nobody's, and what they write has no author.
ALTER TABLE help_case ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE help_message ALTER COLUMN author_id DROP NOT NULL;
CREATE TABLE help_visitor (
  case_id bigint PRIMARY KEY REFERENCES help_case (id),
  channel text NOT NULL,
  -- As it was proved: a canonical phone, or an address in small letters.
  contact text NOT NULL,
  CONSTRAINT help_visitor_contact CHECK (channel IN ('phone', 'email') AND length(contact) BETWEEN 5 AND 254)
);
CREATE INDEX help_visitor_by_contact ON help_visitor (contact, case_id);
GRANT SELECT, INSERT, DELETE ON help_visitor TO portal_app;
