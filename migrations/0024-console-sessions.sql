-- A session serves the player site or the operator console, never both.
ALTER TABLE sessions ADD kind text NOT NULL DEFAULT 'player' CHECK (kind IN ('player', 'console'));

-- A console session opens only with a second factor and a long password, so no session has to remember either.
ALTER TABLE sessions DROP COLUMN second_factor_at, DROP COLUMN is_password_long;
