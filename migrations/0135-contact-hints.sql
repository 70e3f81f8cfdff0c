-- expand
-- Phones and addresses that came over from a game. Nobody has proved them, so they open nothing and nothing is sent to them: they
-- fill in the forms in which the player proves one, and go with the first proof.
CREATE TABLE contact_hint (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  -- Canonical, as in user_contacts; but several accounts of a game may have the same.
  phone text,
  email text,
  CONSTRAINT contact_hint_given CHECK (coalesce(phone, email) IS NOT NULL AND phone ~ '^84[35789][0-9]{8}$'
    AND length(email) BETWEEN 3 AND 254)
);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON contact_hint FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON contact_hint TO portal_app;
