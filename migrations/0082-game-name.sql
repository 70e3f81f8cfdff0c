-- expand
-- What players read for the codes of the game. The owner changes them in the console; a code without a row is shown by
-- its kind and code.
CREATE TABLE game_name (
  kind text NOT NULL CHECK (kind IN ('class', 'head', 'item', 'board')),
  code text NOT NULL CHECK (length(code) BETWEEN 1 AND 64),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  -- Of a class, where there is little room; null: the name.
  short_name text CHECK (length(short_name) BETWEEN 1 AND 20),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, code),
  CONSTRAINT game_name_number CHECK (kind NOT IN ('class', 'head') OR code ~ '^(0|[1-9][0-9]{0,5})$'),
  CONSTRAINT game_name_short CHECK (short_name IS NULL OR kind = 'class')
);
GRANT SELECT, INSERT, DELETE ON game_name TO portal_app;
GRANT UPDATE (name, short_name, updated_at) ON game_name TO portal_app;

-- What was shown until now.
INSERT INTO game_name (kind, code, name, short_name) VALUES
  ('class', '0', 'Chưa vào trường', 'Chưa vào'),
  ('class', '1', 'Kiếm', NULL),
  ('class', '2', 'Phi tiêu', 'Tiêu'),
  ('class', '3', 'Kunai', NULL),
  ('class', '4', 'Cung', NULL),
  ('class', '5', 'Đao', NULL),
  ('class', '6', 'Lưỡi hái', 'Hái'),
  ('item', 'pet', 'thú cưng', NULL),
  ('item', 'companion', 'bạn đồng hành', NULL);
INSERT INTO game_name (kind, code, name)
SELECT DISTINCT ON (board) 'board', board, name FROM ranking_groups WHERE source = 'game' ORDER BY board, position, id;

-- Whether a ranking group is called what its board is, in place of its own name.
ALTER TABLE ranking_groups
  ADD COLUMN has_board_name boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT ranking_groups_board_name CHECK (NOT has_board_name OR source = 'game');
