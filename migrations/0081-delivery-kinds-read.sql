-- expand
-- Beside those who write.
ALTER TABLE delivery VALIDATE CONSTRAINT delivery_kind_check;
ALTER TABLE delivery VALIDATE CONSTRAINT delivery_amount_check;
ALTER TABLE delivery VALIDATE CONSTRAINT delivery_replaces;
