-- expand
-- What players report about a transaction, an order or a delivery, and the messages of both sides. A claim about money that was
-- not credited keeps its own row; its case is the conversation about it.
CREATE TABLE help_case (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  about_kind text NOT NULL CHECK (about_kind IN ('transaction', 'order', 'delivery', 'claim')),
  about_id text NOT NULL CHECK (about_id ~ '^[0-9A-Za-z-]{1,40}$'),
  -- What the thing was called when it was reported.
  about_title text NOT NULL CHECK (length(about_title) BETWEEN 1 AND 200),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'closed')),
  assigned_to bigint REFERENCES users (id),
  messages smallint NOT NULL DEFAULT 0 CHECK (messages BETWEEN 0 AND 100),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_message_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  first_answered_at timestamptz,
  closed_at timestamptz,
  CONSTRAINT help_case_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CONSTRAINT help_case_answered CHECK (state <> 'answered' OR first_answered_at IS NOT NULL)
);
CREATE UNIQUE INDEX help_case_once ON help_case (user_id, about_kind, about_id) WHERE state <> 'closed';
CREATE INDEX help_case_user ON help_case (user_id, id);
CREATE INDEX help_case_waiting ON help_case (user_id) WHERE state = 'open';
CREATE INDEX help_case_about ON help_case (about_kind, about_id);
CREATE INDEX help_case_state ON help_case (state, id);
CREATE INDEX help_case_kind ON help_case (about_kind, id, state);
CREATE INDEX help_case_assigned ON help_case (assigned_to, id, state);
CREATE INDEX help_case_silent ON help_case (last_message_at) WHERE state = 'answered';
CREATE INDEX help_case_past ON help_case (closed_at) WHERE state = 'closed';
CREATE INDEX help_case_first_answers ON help_case (created_at, first_answered_at) WHERE first_answered_at IS NOT NULL;
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON help_case FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON help_case TO portal_app;
GRANT UPDATE (state, assigned_to, messages, last_message_at, first_answered_at, closed_at) ON help_case TO portal_app;

CREATE TABLE help_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  case_id bigint NOT NULL REFERENCES help_case (id),
  -- The player, or the operator who answered.
  author_id bigint NOT NULL REFERENCES users (id),
  is_staff boolean NOT NULL,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX help_message_case ON help_message (case_id, id);
GRANT SELECT, INSERT, DELETE ON help_message TO portal_app;

-- Re-encoded by the portal, as JPEG.
CREATE TABLE help_picture (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id bigint NOT NULL REFERENCES help_message (id),
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 8388608),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0)
);
CREATE INDEX help_picture_message ON help_picture (message_id, id);
GRANT SELECT, INSERT, DELETE ON help_picture TO portal_app;

-- What operators begin an answer with.
CREATE TABLE answer_template (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 3 AND 80),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX answer_template_title ON answer_template (lower(title));
GRANT SELECT, INSERT, DELETE ON answer_template TO portal_app;
GRANT UPDATE (title, text, updated_at) ON answer_template TO portal_app;

-- Players find the claims of the last half year among their cases, with what was answered.
INSERT INTO help_case (user_id, about_kind, about_id, about_title, state, messages, created_at, last_message_at,
                       first_answered_at, closed_at)
SELECT c.user_id, 'claim', c.id::text, 'Khoản chuyển ' || to_char(c.amount, 'FM999,999,999,999,999,999') || ' VND',
       CASE WHEN c.status = 'open' THEN 'open' ELSE 'closed' END, CASE WHEN c.status = 'open' THEN 1 ELSE 2 END,
       c.created_at, coalesce(c.answered_at, c.created_at), c.answered_at, c.answered_at
  FROM recharge_claim c JOIN users u ON u.id = c.user_id AND u.erased_at IS NULL
 WHERE c.status = 'open' OR c.answered_at > now() - interval '180 days';
INSERT INTO help_message (case_id, author_id, is_staff, text, created_at)
SELECT h.id, h.user_id, false, coalesce(n.note, h.about_title), h.created_at
  FROM help_case h LEFT JOIN recharge_claim_note n ON n.claim_id = h.about_id::bigint;
INSERT INTO help_message (case_id, author_id, is_staff, text, created_at)
SELECT h.id, c.answered_by, true, c.message, c.answered_at
  FROM help_case h JOIN recharge_claim c ON c.id = h.about_id::bigint WHERE c.status <> 'open';
