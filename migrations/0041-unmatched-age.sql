-- How long the oldest money that nobody had decided about had waited, at most during the hour, in seconds. It is seen only
-- while the hour lasts: what waited then cannot be told later. Null: nobody looked.
ALTER TABLE statistics_hour ADD COLUMN unmatched_age_s bigint CHECK (unmatched_age_s >= 0);
