-- expand
-- What a player agreed to, in which version, when and where; and what they withdrew. Rows are added and stay as they are.
CREATE TABLE consent (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  subject text NOT NULL CHECK (subject IN ('terms', 'privacy', 'pixel')),
  version integer NOT NULL CHECK (version > 0),
  is_given boolean NOT NULL CHECK (is_given OR subject = 'pixel'),
  source text NOT NULL CHECK (source IN ('registration', 'notice', 'consents-page', 'pixel-question')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- A text that was agreed to is a version that was published; the pixel's question is none of them.
  text_kind text GENERATED ALWAYS AS (CASE WHEN subject = 'pixel' THEN NULL ELSE subject END) STORED,
  FOREIGN KEY (text_kind, version) REFERENCES legal_text (kind, version)
);
CREATE INDEX consent_of_user ON consent (user_id, subject, id);
GRANT SELECT, INSERT ON consent TO portal_app;
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON consent FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
