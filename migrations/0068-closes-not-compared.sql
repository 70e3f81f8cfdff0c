-- expand
-- A day that nobody compared with the bank is not a day that agrees. `outcome` takes the place of `status`, which knows two
-- states; programs before this one go on reading and writing that, and a later contract migration removes it.
ALTER TABLE daily_close ADD outcome text GENERATED ALWAYS AS (
  CASE WHEN differences <> '{}' THEN 'red' WHEN bank_in_count IS NULL THEN 'not-compared' ELSE 'green' END) STORED;
CREATE INDEX daily_close_outcome ON daily_close (outcome, day DESC, id DESC) WHERE is_latest;

-- The first place at which the last check found the audit trail broken: the number of a row, of a fault `seal` that of a seal.
ALTER TABLE stored_check
  ADD first_fault text CHECK (first_fault IN ('link', 'hash', 'head', 'seal', 'personal')),
  ADD first_place bigint,
  ADD CONSTRAINT stored_check_first CHECK ((first_fault IS NULL) = (first_place IS NULL));
