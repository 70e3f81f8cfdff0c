import { LIST_SCHEMAS } from './list-schemas.ts'
import { counted, heroOf, loginOf, luongOf, uuidOf, type GameSchema } from './schema-tables.ts'

const OTHER_SCHEMAS: readonly GameSchema[] = [
  {
    name: 'accounts in another database, luong of the character, logs and administrators beside them',
    example: 'other-database.json',
    async fill(make) {
      await make.run(
        `CREATE TABLE {other}.users (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) NOT NULL UNIQUE, password VARCHAR(255) NOT NULL,
          is_active TINYINT DEFAULT 1, ban TINYINT DEFAULT 0)`,
        'CREATE TABLE admins (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50), password VARCHAR(255))',
        `CREATE TABLE nin_player (id INT AUTO_INCREMENT PRIMARY KEY, userId INT NOT NULL, idserver INT NOT NULL, name VARCHAR(50), head SMALLINT,
          class_id TINYINT, level INT, coin_bag BIGINT, coin_lock BIGINT, gold BIGINT, item_info TEXT)`,
        'CREATE TABLE nin_log (id INT AUTO_INCREMENT PRIMARY KEY, userId INT, name VARCHAR(50), level INT, gold BIGINT, coin_lock BIGINT, head INT, class_id INT, item_info TEXT)',
        'CREATE TABLE pet (id INT AUTO_INCREMENT PRIMARY KEY, player_id INT, name VARCHAR(50), level INT, head INT)',
      )
      await make.rows(
        '{other}.users (username, password)',
        counted(make.accounts, (at) => [loginOf(at), `mk${at}`]),
      )
      await make.rows(
        'admins (username, password)',
        counted(3, (at) => [`admin${at}`, 'x']),
      )
      await make.rows(
        'nin_player (userId, idserver, name, head, class_id, level, coin_bag, coin_lock, gold, item_info)',
        counted(make.accounts, (at) => [at + 1, 1, heroOf(at), 5, at % 6, at % 99, 5, at, luongOf(at), '[]']),
      )
      await make.rows(
        'nin_log (userId, name, level, gold, coin_lock, head, class_id, item_info)',
        counted(make.accounts * 3, (at) => [(at % 10) + 1, heroOf(at % 10), 1, 1, 1, 1, 1, 'x']),
      )
      await make.rows(
        'pet (player_id, name, level, head)',
        counted(make.accounts, (at) => [at + 1, `Sói ${at}`, at % 30, 3]),
      )
    },
    expected: {
      preset: 'by-key',
      luong: 'character',
      accounts: { table: '{other}.users', id: 'id', name: 'username', luong: null, banned: 'ban' },
      characters: {
        table: 'nin_player',
        id: 'id',
        name: 'name',
        account: 'userId',
        server: 'idserver',
        level: 'level',
        yen: 'coin_lock',
        luong: 'gold',
        class: 'class_id',
      },
    },
    purse: {
      luong: 'UPDATE nin_player SET gold = gold + ? WHERE id = ? AND gold + ? <= ?',
      take: 'UPDATE nin_player SET gold = gold - ? WHERE id = ? AND gold >= ?',
      yen: 'UPDATE nin_player SET coin_lock = coin_lock + ? WHERE id = ?',
      key: 'character_id',
    },
  },
  {
    name: 'power up to 10^11 instead of a level, luong in a JSON list of numbers, no yen',
    example: 'power.json',
    async fill(make) {
      await make.run(
        'CREATE TABLE account (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(20) NOT NULL, password VARCHAR(100) NOT NULL, ban SMALLINT DEFAULT 0, vnd INT DEFAULT 0)',
        `CREATE TABLE player (id INT AUTO_INCREMENT PRIMARY KEY, account_id INT, name VARCHAR(20), head INT, gender INT, power BIGINT, data_inventory TEXT,
          data_point TEXT, items_bag TEXT, clan_id INT)`,
        'CREATE TABLE item_template (id INT PRIMARY KEY, NAME VARCHAR(50), TYPE INT, gender INT, level INT, power_require BIGINT, gold INT, gem INT, head INT)',
        'CREATE TABLE clan (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50), level INT, power_point BIGINT, members TEXT)',
      )
      await make.rows(
        'account (username, password)',
        counted(make.accounts, (at) => [loginOf(at), `mk${at}`]),
      )
      await make.rows(
        'player (account_id, name, head, gender, power, data_inventory, data_point, items_bag, clan_id)',
        counted(make.accounts, (at) => [
          at + 1,
          heroOf(at),
          5,
          at % 3,
          at * 1_000_000_007,
          JSON.stringify([luongOf(at), at, 3]),
          `[1,2,${at}]`,
          '[]',
          at % 5,
        ]),
      )
      await make.rows(
        'item_template',
        counted(2_000, (at) => [at, `Đậu thần ${at}`, 1, 1, at % 10, 1, 1, 1, 1]),
      )
      await make.rows(
        'clan (name, level, power_point, members)',
        counted(50, (at) => [`bang${at}`, 3, 5, '[]']),
      )
    },
    expected: {
      preset: 'by-key',
      luong: 'character',
      accounts: { table: 'account', id: 'id', name: 'username' },
      characters: {
        table: 'player',
        account: 'account_id',
        name: 'name',
        level: null,
        yen: null,
        luong: { column: 'data_inventory', path: '$[0]' },
        head: 'head',
        class: 'gender',
      },
      says: ['player.power is experience or power, no level', 'which of them is luong cannot be known'],
    },
    purse: {
      luong: `UPDATE player SET data_inventory = JSON_SET(data_inventory, '$[0]', JSON_VALUE(data_inventory, '$[0]') + ?)
        WHERE id = ? AND JSON_VALUE(data_inventory, '$[0]') + ? <= ?`,
      take: `UPDATE player SET data_inventory = JSON_SET(data_inventory, '$[0]', JSON_VALUE(data_inventory, '$[0]') - ?)
        WHERE id = ? AND JSON_VALUE(data_inventory, '$[0]') >= ?`,
      yen: null,
      key: 'character_id',
    },
  },
  {
    name: 'a view of accounts of another database, keys of char(36), Vietnamese names',
    example: 'view.json',
    async fill(make) {
      await make.run(
        `CREATE TABLE {other}.thanh_vien (ma CHAR(36) NOT NULL PRIMARY KEY, ten_dang_nhap VARCHAR(30) NOT NULL, mat_khau VARCHAR(60) NOT NULL, bi_khoa TINYINT
          DEFAULT 0, luong BIGINT DEFAULT 0)`,
        'CREATE VIEW tai_khoan AS SELECT ma AS id, ten_dang_nhap, mat_khau, bi_khoa, luong FROM {other}.thanh_vien',
        `CREATE TABLE nhan_vat (id INT AUTO_INCREMENT PRIMARY KEY, id_tai_khoan CHAR(36) NOT NULL, ten VARCHAR(40), dau INT, mon_phai INT, cap_do INT, yen BIGINT,
          may_chu INT, hanh_trang TEXT)`,
        'CREATE TABLE vat_pham (id INT PRIMARY KEY, ten VARCHAR(40), cap_do INT, yen INT)',
      )
      await make.rows(
        '{other}.thanh_vien',
        counted(make.accounts, (at) => [uuidOf(at), loginOf(at), `mk${at}`, 0, luongOf(at)]),
      )
      await make.rows(
        'nhan_vat (id_tai_khoan, ten, dau, mon_phai, cap_do, yen, may_chu, hanh_trang)',
        counted(make.accounts, (at) => [uuidOf(at), heroOf(at), 3, at % 6, at % 99, at, 1, '[]']),
      )
      await make.rows(
        'vat_pham',
        counted(1_000, (at) => [at, `Áo ${at}`, at % 90, 1]),
      )
    },
    expected: {
      preset: 'by-key',
      luong: 'account',
      accounts: { table: 'tai_khoan', id: 'id', name: 'ten_dang_nhap', luong: 'luong', banned: 'bi_khoa' },
      characters: {
        table: 'nhan_vat',
        account: 'id_tai_khoan',
        name: 'ten',
        level: 'cap_do',
        yen: 'yen',
        server: 'may_chu',
        head: 'dau',
        class: 'mon_phai',
      },
      says: ['missing index: {other}.thanh_vien (ten_dang_nhap)'],
    },
    purse: {
      luong: 'UPDATE tai_khoan SET luong = luong + ? WHERE ten_dang_nhap = ? AND luong + ? <= ?',
      take: 'UPDATE tai_khoan SET luong = luong - ? WHERE ten_dang_nhap = ? AND luong >= ?',
      yen: 'UPDATE nhan_vat SET yen = yen + ? WHERE id = ?',
      key: 'account',
    },
  },
  {
    name: 'one row, with members of a forum beside it',
    example: 'one-row.json',
    async fill(make) {
      await make.run(
        `CREATE TABLE members (uid BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, account VARCHAR(32), password VARCHAR(64), luong INT DEFAULT 0, charname VARCHAR(32),
          head INT, classid INT, level INT, yen BIGINT, bag TEXT, kh TINYINT DEFAULT 0)`,
        'CREATE TABLE forum_users (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) UNIQUE, password VARCHAR(100), posts INT)',
        'CREATE TABLE forum_posts (id INT AUTO_INCREMENT PRIMARY KEY, user_id INT, name VARCHAR(100), level INT, body TEXT)',
      )
      await make.rows(
        'members (account, password, luong, charname, head, classid, level, yen, bag)',
        counted(make.accounts, (at) => [
          loginOf(at),
          'x',
          luongOf(at),
          heroOf(at),
          5,
          at % 6,
          at % 99,
          at,
          '[]',
        ]),
      )
      await make.rows(
        'forum_users (username, password, posts)',
        counted(make.accounts, (at) => [`dien${at}`, '$2y$10$x', at]),
      )
      await make.rows(
        'forum_posts (user_id, name, level, body)',
        counted(make.accounts * 2, (at) => [(at % make.accounts) + 1, `Bài ${at}`, 1, 'x']),
      )
    },
    expected: {
      preset: 'one-row',
      luong: 'character',
      accounts: { table: 'members', id: 'uid', name: 'account' },
      characters: { name: 'charname', level: 'level', yen: 'yen', luong: 'luong', class: 'classid' },
    },
    purse: {
      luong: 'UPDATE members SET luong = luong + ? WHERE uid = ? AND luong + ? <= ?',
      take: 'UPDATE members SET luong = luong - ? WHERE uid = ? AND luong >= ?',
      yen: 'UPDATE members SET yen = yen + ? WHERE uid = ?',
      key: 'character_id',
    },
  },
  {
    name: 'one row without a name of the character, with posts of the accounts beside it',
    async fill({ run, rows, accounts }) {
      await run(
        'CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(30), password VARCHAR(40), luong INT, yen INT, level INT, class INT, bag TEXT)',
        'CREATE TABLE posts (id INT AUTO_INCREMENT PRIMARY KEY, user_id INT, name VARCHAR(100), level INT, body TEXT)',
      )
      await rows(
        'users (username, password, luong, yen, level, class)',
        counted(accounts, (at) => [loginOf(at), 'x', luongOf(at), at, at % 90, at % 6]),
      )
      await rows(
        'posts (user_id, name, level, body)',
        counted(accounts, (at) => [at + 1, `Bài ${at}`, 1, 'x']),
      )
    },
    expected: {
      preset: 'one-row',
      luong: 'character',
      accounts: { table: 'users', id: 'id', name: 'username' },
      characters: { name: 'username', level: 'level', yen: 'yen', luong: 'luong', class: 'class' },
      says: ['no name of a character beside username', 'also possible: users with posts'],
    },
    purse: {
      luong: 'UPDATE users SET luong = luong + ? WHERE id = ? AND luong + ? <= ?',
      take: 'UPDATE users SET luong = luong - ? WHERE id = ? AND luong >= ?',
      yen: 'UPDATE users SET yen = yen + ? WHERE id = ?',
      key: 'character_id',
    },
  },
  {
    name: 'a key of another name, a log of sign-ins with passwords, accounts without a key in MyISAM',
    async fill({ run, rows, accounts }) {
      await run(
        'CREATE TABLE login_log (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(20), password VARCHAR(40), ip VARCHAR(20))',
        'CREATE TABLE acc (stt INT, username VARCHAR(20), password VARCHAR(40), luong INT) ENGINE = MyISAM',
        'CREATE TABLE charac (id INT AUTO_INCREMENT PRIMARY KEY, chu INT, ten VARCHAR(30), level INT, he INT, yen INT)',
      )
      await rows(
        'login_log (username, password, ip)',
        counted(accounts * 3, (at) => [loginOf(at % 9), 'x', '127.0.0.1']),
      )
      await rows(
        'acc',
        counted(accounts, (at) => [at + 1, loginOf(at), 'x', luongOf(at)]),
      )
      await rows(
        'charac (chu, ten, level, he, yen)',
        counted(accounts, (at) => [accounts - at, heroOf(accounts - at - 1), 5, 1, 2]),
      )
    },
    expected: {
      preset: 'by-key',
      luong: 'account',
      accounts: { table: 'acc', id: 'stt', name: 'username', luong: 'luong' },
      characters: {
        table: 'charac',
        id: 'id',
        name: 'ten',
        account: 'chu',
        level: 'level',
        class: 'he',
        yen: 'yen',
      },
      says: [
        'acc has no primary key and no unique column: stt is taken for the id',
        'charac.chu is taken for the account’s key by its values alone|by its values alone',
        'engine: acc is MyISAM',
      ],
    },
    purse: {
      luong: 'UPDATE acc SET luong = luong + ? WHERE username = ? AND luong + ? <= ?',
      take: 'UPDATE acc SET luong = luong - ? WHERE username = ? AND luong >= ?',
      yen: 'UPDATE charac SET yen = yen + ? WHERE id = ?',
      key: 'account',
    },
  },
  {
    name: 'luong and yen inside a JSON object, prefixes, the account’s name as key, another game in the same server',
    example: 'json-object.json',
    async fill(make) {
      await make.run(
        'CREATE TABLE tb_acc (acc_name VARCHAR(20) NOT NULL PRIMARY KEY, acc_pass VARCHAR(40) NOT NULL, acc_lock TINYINT DEFAULT 0)',
        'CREATE TABLE tb_hero (h_id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, h_account VARCHAR(20), h_name VARCHAR(30), h_lv INT, h_head INT, h_class INT, h_money JSON, h_items TEXT)',
        'CREATE TABLE {other}.account (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(20), password VARCHAR(40))',
        'CREATE TABLE {other}.player (id INT AUTO_INCREMENT PRIMARY KEY, account_id INT, name VARCHAR(20), level INT, head INT, gold INT, luong INT)',
      )
      await make.rows(
        'tb_acc (acc_name, acc_pass)',
        counted(make.accounts, (at) => [loginOf(at), 'x']),
      )
      await make.rows(
        'tb_hero (h_account, h_name, h_lv, h_head, h_class, h_money, h_items)',
        counted(make.accounts, (at) => [
          loginOf(at),
          heroOf(at),
          at % 99,
          3,
          at % 6,
          JSON.stringify({ yen: at, luong: luongOf(at), xu: 4 }),
          '[]',
        ]),
      )
      await make.rows(
        '{other}.account (username, password)',
        counted(make.accounts * 2, (at) => [`khac${at}`, 'x']),
      )
      await make.rows(
        '{other}.player (account_id, name, level, head, gold, luong)',
        counted(make.accounts * 2, (at) => [at + 1, `rong${at}`, 9, 3, 5, 7]),
      )
    },
    expected: {
      preset: 'by-key',
      luong: 'character',
      accounts: { table: 'tb_acc', id: 'acc_name', name: 'acc_name', banned: 'acc_lock' },
      characters: {
        table: 'tb_hero',
        id: 'h_id',
        name: 'h_name',
        account: 'h_account',
        level: 'h_lv',
        head: 'h_head',
        class: 'h_class',
        luong: { column: 'h_money', path: '$.luong' },
        yen: { column: 'h_money', path: '$.yen' },
      },
    },
    purse: {
      luong: `UPDATE tb_hero SET h_money = JSON_SET(h_money, '$.luong', JSON_VALUE(h_money, '$.luong') + ?)
        WHERE h_id = ? AND JSON_VALUE(h_money, '$.luong') + ? <= ?`,
      take: `UPDATE tb_hero SET h_money = JSON_SET(h_money, '$.luong', JSON_VALUE(h_money, '$.luong') - ?)
        WHERE h_id = ? AND JSON_VALUE(h_money, '$.luong') >= ?`,
      yen: `UPDATE tb_hero SET h_money = JSON_SET(h_money, '$.yen', JSON_VALUE(h_money, '$.yen') + ?) WHERE h_id = ?`,
      key: 'character_id',
    },
  },
  {
    name: 'empty tables by key, with a full forum and 40 tables of other things before them',
    example: 'by-key.json',
    async fill(make) {
      for (let at = 0; at < 40; at++)
        await make.run(
          `CREATE TABLE aa_template_${at} (id INT PRIMARY KEY, name VARCHAR(40), level INT, type INT)`,
        )
      await make.rows(
        'aa_template_1',
        counted(3_000, (at) => [at, `mẫu${at}`, at % 50, 1]),
      )
      await make.run(
        'CREATE TABLE forum_user (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) UNIQUE, password VARCHAR(100), posts INT)',
        'CREATE TABLE game_account (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(20) UNIQUE, password VARCHAR(100), luong INT DEFAULT 0, ban TINYINT DEFAULT 0)',
        'CREATE TABLE game_character (id INT AUTO_INCREMENT PRIMARY KEY, account_id INT NOT NULL, name VARCHAR(20), level INT, head INT, class_id INT, yen INT, bag TEXT)',
      )
      await make.rows(
        'forum_user (username, password, posts)',
        counted(make.accounts, (at) => [`dien${at}`, '$2y$10$x', at]),
      )
    },
    expected: {
      preset: 'by-key',
      luong: 'account',
      accounts: { table: 'game_account', id: 'id', name: 'username', luong: 'luong', banned: 'ban' },
      characters: { table: 'game_character', account: 'account_id', level: 'level', class: 'class_id' },
      says: ['game_account and game_character: no rows, so this is told by names alone'],
    },
    purse: null,
  },
]

/** As real games have them. */
export const SCHEMAS: readonly GameSchema[] = [...LIST_SCHEMAS, ...OTHER_SCHEMAS]
