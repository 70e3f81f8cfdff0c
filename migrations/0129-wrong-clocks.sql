-- expand
-- A digest that a clock which was ahead made of a day that is not over is removed, and made again when it is.
GRANT DELETE ON daily_digest TO portal_app;
-- The version of an account's state is the clock's time, and one more than the last where that was ahead: the game takes no lower one.
CREATE SEQUENCE account_version;
GRANT USAGE, UPDATE ON SEQUENCE account_version TO portal_app;
