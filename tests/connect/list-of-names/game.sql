-- A game as an owner has it before the portal: the account lists the names of its characters, the bag is a text of the character.
CREATE TABLE player (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(20) NOT NULL UNIQUE,
  password VARCHAR(50) NOT NULL,
  luong INT NOT NULL DEFAULT 0,
  ninja VARCHAR(255) NOT NULL DEFAULT '[]',
  status TINYINT NOT NULL DEFAULT 1,
  ban TINYINT NOT NULL DEFAULT 0,
  vnd INT NOT NULL DEFAULT 0
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE ninja (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(20) NOT NULL UNIQUE,
  head INT NOT NULL DEFAULT 2,
  nclass INT NOT NULL DEFAULT 1,
  level INT NOT NULL DEFAULT 1,
  yen INT NOT NULL DEFAULT 0,
  bag TEXT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

INSERT INTO player (username, password, luong, ninja, status, ban, vnd) VALUES
  ('HoangTuan', 'mat-khau-cu', 1000, '["kiemgia"]', 1, 0, 20000),
  ('mailan', 'hoa mai 9', 50, '["langoc","nguyetnu"]', 1, 0, 1500),
  ('vanhung', '123456', 0, '["cungthu"]', 0, 0, 0),
  ('kegian', 'gian-lan', 99, '["hacsat"]', 1, 1, 0),
  ('thuha', 'x''y"z', 7, '["dieuthuyen"]', 1, 0, 0),
  ('bon1', 'bonbon', 3, '["tieubon"]', 1, 0, 0),
  ('hai', 'haihai', 3, '["tieuhai"]', 1, 0, 0);
INSERT INTO ninja (name, level, yen, nclass, bag) VALUES
  ('kiemgia', 92, 500, 1, 'sword:1'), ('langoc', 40, 10, 2, ''), ('nguyetnu', 12, 10, 3, ''), ('cungthu', 3, 0, 4, ''),
  ('hacsat', 99, 7, 5, ''), ('dieuthuyen', 55, 9, 1, ''), ('tieubon', 5, 1, 1, ''), ('tieuhai', 6, 1, 1, '');
