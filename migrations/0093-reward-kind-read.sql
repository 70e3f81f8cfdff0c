-- expand
-- What migration 0092 left unread: reading takes a while on a large table, and holds up no writer here.
ALTER TABLE delivery VALIDATE CONSTRAINT delivery_kind_check;
ALTER TABLE delivery VALIDATE CONSTRAINT delivery_amount_check;
