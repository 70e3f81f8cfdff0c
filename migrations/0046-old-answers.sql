-- expand
-- Stored answers are erased after a while, and with the person they name. The key stays, so that its operation is never done
-- a second time; in place of the answer stands {"erased": true}, which programs that do not know this column refuse too.
ALTER TABLE idempotency_key ADD COLUMN answer_erased boolean NOT NULL DEFAULT false;
