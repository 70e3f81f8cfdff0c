-- A game as an owner has it before the portal: characters by the account's key, bags as rows, names that tell capitals apart.
CREATE TABLE game_account (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(24) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL UNIQUE,
  password VARCHAR(64) NOT NULL,
  luong INT NOT NULL DEFAULT 0,
  active TINYINT NOT NULL DEFAULT 0,
  ban TINYINT NOT NULL DEFAULT 0,
  vnd INT NOT NULL DEFAULT 0
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE game_character (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT NOT NULL,
  server_id INT NOT NULL DEFAULT 1,
  name VARCHAR(24) NOT NULL,
  head INT NOT NULL DEFAULT 2,
  class_id INT NOT NULL DEFAULT 1,
  level INT NOT NULL DEFAULT 1,
  yen INT NOT NULL DEFAULT 0
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE game_item (
  character_id INT NOT NULL,
  slot INT NOT NULL,
  code VARCHAR(20) NOT NULL,
  quantity INT NOT NULL,
  PRIMARY KEY (character_id, slot)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

INSERT INTO game_account (username, password, luong, active, ban, vnd) VALUES
  ('HoangTuan', 'mat-khau-cu', 1000, 1, 0, 20000),
  ('mailan', 'hoa mai 9', 50, 1, 0, 1500),
  ('vanhung', '123456', 0, 0, 0, 0),
  ('kegian', 'gian-lan', 99, 1, 1, 0),
  ('thuha', 'x''y"z', 7, 1, 0, 0),
  ('bon1', 'bonbon', 3, 1, 0, 0),
  ('hai', 'haihai', 3, 1, 0, 0);
INSERT INTO game_character (account_id, name, level, yen) VALUES
  (1, 'kiemgia', 92, 500), (2, 'langoc', 40, 10), (3, 'cungthu', 3, 0), (4, 'hacsat', 99, 7), (5, 'dieuthuyen', 55, 9),
  (6, 'tieubon', 5, 1);
INSERT INTO game_item VALUES (1, 0, 'sword', 1);
