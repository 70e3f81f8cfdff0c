-- The game's own tables. luong belongs to the account, as in most such games. Players that a test adds have smaller ids than
-- new ones.
CREATE TABLE game_account (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(20) NOT NULL UNIQUE,
  -- As before the portal: in plain text.
  password VARCHAR(64) NOT NULL DEFAULT '',
  luong INT NOT NULL DEFAULT 0
) ENGINE = InnoDB AUTO_INCREMENT = 1000000;

CREATE TABLE game_character (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id INT NOT NULL UNIQUE,
  name VARCHAR(20) NOT NULL DEFAULT 'hero',
  head INT NOT NULL DEFAULT 2,
  class_id INT NOT NULL DEFAULT 1,
  level INT NOT NULL DEFAULT 1,
  yen INT NOT NULL DEFAULT 0,
  bag TEXT NOT NULL
) ENGINE = InnoDB AUTO_INCREMENT = 1000000;

-- What was really given. A purchase that is given twice has two rows.
CREATE TABLE game_journal (
  line BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  purchase CHAR(36) NOT NULL,
  character_id INT NOT NULL,
  luong BIGINT NOT NULL,
  yen BIGINT NOT NULL,
  items TEXT NOT NULL
) ENGINE = InnoDB;
