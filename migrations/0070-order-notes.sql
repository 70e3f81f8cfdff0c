-- expand
-- What operators note about a recharge order; only operators read it, and it goes with the erased player. The order's player
-- stands in the row, so that export and erasure find it by index.
CREATE TABLE order_note (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES payment_order (id),
  user_id bigint NOT NULL REFERENCES users (id),
  author_id bigint NOT NULL REFERENCES users (id),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 1000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX order_note_order ON order_note (order_id, id);
CREATE INDEX order_note_user ON order_note (user_id, id);
GRANT SELECT, INSERT, DELETE ON order_note TO portal_app;
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON order_note FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
