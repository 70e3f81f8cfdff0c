-- expand
-- A digest that a clock which was ahead made of a day that is not over is removed, and made again when it is.
GRANT DELETE ON daily_digest TO portal_app;
