import type { Purse } from '#tests/support/stand-in-collector.ts'
import {
  counted,
  heroOf,
  loginOf,
  luongOf,
  type Expected,
  type GameSchema,
  type Make,
} from './schema-tables.ts'

/** Templates with a name and a level, more of them than characters, as every such dump has. */
const TEMPLATES =
  `CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(100) NOT NULL, level INT NOT NULL, type TINYINT NOT NULL, gender
  TINYINT NOT NULL, yen INT NOT NULL, luong INT NOT NULL, description TEXT);
 CREATE TABLE mob (id INT PRIMARY KEY, name VARCHAR(100), level INT, hp INT, exp INT);
 CREATE TABLE clone_ninja (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50), head INT, nclass INT, level INT, yen INT, xu INT,
  ItemBag TEXT, info TEXT, skill TEXT)`.split(';')

async function templates({ run, rows }: Make): Promise<void> {
  await run(...TEMPLATES)
  await rows(
    'item',
    counted(1_500, (at) => [at, `Kiếm gỗ ${at}`, at % 100, at % 20, at % 2, at * 10, at, 'x']),
  )
  await rows(
    'mob',
    counted(300, (at) => [at, `Nhím ${at}`, at % 90, at * 10, at]),
  )
  await rows(
    'clone_ninja (name, head, nclass, level, yen, xu, ItemBag, info, skill)',
    counted(900, (at) => [`Phân thân ${at}`, 5, at % 6, at % 90, 5, 5, '[]', '[]', '[]']),
  )
}

const PLAYER = (
  collation: string,
  more = '',
) => `CREATE TABLE player (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username CHAR(15) ${collation} NOT NULL, password CHAR(30) ${collation} NOT NULL, luong INT NOT NULL DEFAULT 0, ninja TEXT NOT NULL,
  \`lock\` TINYINT NOT NULL DEFAULT 0${more})`
const NINJA = (
  name: string,
  charset = 'utf8',
) => `CREATE TABLE ${name} (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) NOT NULL,
  head INT NOT NULL DEFAULT -1, nclass TINYINT NOT NULL, level INT NOT NULL, exp BIGINT NOT NULL, yen INT NOT NULL, xu INT NOT NULL,
  ItemBag TEXT, info TEXT, skill TEXT) DEFAULT CHARSET ${charset}`
const NINJA_COLUMNS = '(name, head, nclass, level, exp, yen, xu, ItemBag, info, skill)'
const ninjaRow = (name: string, at: number) => [
  name,
  at % 11 === 0 ? -1 : 5,
  at % 6,
  at % 90,
  at * 1_000,
  at * 3,
  at,
  '[{"id":1}]',
  '[1,2]',
  '[]',
]

async function players({ rows, accounts }: Make, nameOf = heroOf, into = 'player'): Promise<void> {
  await rows(
    `${into} (username, password, luong, ninja)`,
    counted(accounts, (at) => [
      loginOf(at),
      `mk${at}`,
      luongOf(at),
      JSON.stringify(at % 7 === 3 ? [] : [nameOf(at)]),
    ]),
  )
}

const JSON_LIST: Expected = {
  preset: 'json-list',
  luong: 'account',
  accounts: {
    table: 'player',
    id: 'id',
    name: 'username',
    characters: 'ninja',
    luong: 'luong',
    banned: 'lock',
  },
  characters: {
    table: 'ninja',
    id: 'id',
    name: 'name',
    account: null,
    head: 'head',
    class: 'nclass',
    level: 'level',
    yen: 'yen',
  },
}
const JSON_LIST_PURSE: Purse = {
  luong: 'UPDATE player SET luong = luong + ? WHERE LOWER(username) = ? AND luong + ? <= ?',
  take: 'UPDATE player SET luong = luong - ? WHERE LOWER(username) = ? AND luong >= ?',
  yen: 'UPDATE ninja SET yen = yen + ? WHERE id = ?',
  key: 'account',
}

/** Accounts that list the names of their characters. */
export const LIST_SCHEMAS: readonly GameSchema[] = [
  {
    name: 'a list of names, binary collation, templates, clones and a copy beside it',
    example: 'list-of-names.json',
    async fill(make) {
      await templates(make)
      await make.run(PLAYER('CHARACTER SET utf8 COLLATE utf8_bin'), NINJA('ninja'), NINJA('ninja_bak'))
      await players(make)
      const rows = () => counted(make.accounts, (at) => ninjaRow(heroOf(at), at))
      await make.rows(`ninja ${NINJA_COLUMNS}`, rows())
      await make.rows(`ninja_bak ${NINJA_COLUMNS}`, rows())
    },
    expected: { ...JSON_LIST, says: ['column too small: player.username takes 15 characters'] },
    purse: JSON_LIST_PURSE,
  },
  {
    name: 'a list of names, accent-blind collation, users of a web page beside it, a log larger than all',
    async fill(make) {
      await templates(make)
      await make.run(
        PLAYER('CHARACTER SET utf8 COLLATE utf8_general_ci', ', status TINYINT NOT NULL DEFAULT 1'),
        NINJA('ninja'),
        'CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) UNIQUE, password VARCHAR(100), email VARCHAR(100), level INT, luong INT)',
        'CREATE TABLE log_ninja (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60), level INT, head INT, yen INT, luong INT, player_id INT, info TEXT)',
      )
      await players(make)
      await make.rows('player (username, password, luong, ninja)', [
        ['tuấnanh', 'x', 1, '[]'],
        ['tuananh', 'x', 1, '[]'],
        ['admin1', 'x', 1, '[]'],
        ['admin1', 'x', 1, '[]'],
      ])
      await make.rows(
        `ninja ${NINJA_COLUMNS}`,
        counted(make.accounts, (at) => ninjaRow(heroOf(at), at)),
      )
      await make.rows(
        'users (username, password, email, level, luong)',
        counted(make.accounts * 2, (at) => [`web${at}`, '$2y$10$x', 'a@b.vn', 1, 0]),
      )
      await make.rows(
        'log_ninja (name, level, head, yen, luong, player_id, info)',
        counted(make.accounts * 3, (at) => [heroOf(at % 9), 1, 1, 1, 1, (at % 9) + 1, 'x']),
      )
    },
    expected: {
      ...JSON_LIST,
      says: [
        'different ones, though the collation utf8mb3_general_ci takes them for the same|different ones, though the collation utf8_general_ci takes them for the same',
        'identical names that several accounts have',
        'names with admin in them',
      ],
    },
    purse: JSON_LIST_PURSE,
  },
  {
    name: 'an empty list of names beside full templates',
    async fill(make) {
      await templates(make)
      await make.run(PLAYER('CHARACTER SET utf8 COLLATE utf8_bin'), NINJA('ninja'))
    },
    expected: { ...JSON_LIST, says: ['player and ninja: no rows, so this is told by names alone'] },
    purse: null,
  },
  {
    name: 'latin1 columns with bytes of UTF-8, a list of names',
    async fill(make) {
      const bytes = (text: string) => Buffer.from(text)
      await templates(make)
      await make.run(
        `CREATE TABLE player (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(20), password VARCHAR(30), luong INT DEFAULT 0, ninja TEXT, \`lock\` INT DEFAULT 0)
          DEFAULT CHARSET latin1`,
        NINJA('ninja', 'latin1'),
      )
      const named = (at: number) => `Kiếm Ổi ${at}`
      await make.rows(
        'player (username, password, luong, ninja)',
        counted(make.accounts, (at) => [loginOf(at), 'x', luongOf(at), bytes(JSON.stringify([named(at)]))]),
      )
      await make.rows(
        `ninja ${NINJA_COLUMNS}`,
        counted(make.accounts, (at) => [bytes(named(at)), ...ninjaRow('', at).slice(1)]),
      )
    },
    expected: {
      ...JSON_LIST,
      says: ['letters: ninja.name (latin1) holds UTF-8', 'letters: player.ninja (latin1) holds UTF-8'],
    },
    purse: JSON_LIST_PURSE,
  },
]
