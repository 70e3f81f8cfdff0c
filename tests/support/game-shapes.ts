import { createConnection, raw, type Connection } from 'mysql2/promise'

export const SHAPES = ['json-list', 'by-key', 'one-row'] as const
export type ShapeName = (typeof SHAPES)[number]

/** Has the most luong below the cap, so that it stands in every ranking by luong. */
export const TEST_ACCOUNT = 'thunghiem'
/** Two accounts, `DoiTen` and `doiten`. */
export const DOUBLED = 'doiten'
export const FOUR_LETTERS = 'bonk'
export const TWENTY_LETTERS = 'haimuoikytuchodutena'
export const TOO_LONG = 'haimuoihaikytuchodutena'
/** Its list of characters, or its luong, is no such thing. */
export const BROKEN = 'hongdulieu'
export const CAP = 2_000_000_000

type Person = { name: string; luong: number | string; characters: Character[]; isBroken?: true }
type Character = { name: string; level: number; head: number; yen: number }

const AT_CAP = 20
const BATCH_ROWS = 5_000

/** The same people for the same number: every 5th has a second character, every 11th a head of -1, 20 are at the cap. */
function* people(count: number): Generator<Person> {
  const one = (name: string, luong: number | string, head = 5): Person => ({
    name,
    luong,
    characters: [{ name: `${name}kiem`.slice(0, 20), level: 60, head, yen: 1_000 }],
  })
  const test = one(TEST_ACCOUNT, 1_900_000_000, -1)
  yield { ...test, characters: [...test.characters, { name: 'thunghiemhai', level: 7, head: 11, yen: 5 }] }
  yield one('DoiTen', 500)
  yield { ...one(DOUBLED, 700), characters: [{ name: 'nguoidoiten', level: 9, head: 2, yen: 3 }] }
  yield one(FOUR_LETTERS, 1_000)
  yield one(TWENTY_LETTERS, 1_899_999_999)
  yield one(TOO_LONG, 1_899_999_998)
  yield { ...one(BROKEN, 10), isBroken: true }
  for (let at = 7; at < count; at++) {
    const name = `nguoi${at}`
    const luong = at < 7 + AT_CAP ? CAP : (at * 7_919) % 1_800_000_000
    const head = at % 11 === 0 ? -1 : (at % 28) + 1
    const first = { name: `c${at}`, level: (at * 31) % 100, head, yen: (at * 104_729) % 1_950_000_000 }
    const second = { name: `d${at}`, level: (at * 17) % 100, head: 2, yen: at }
    yield { name, luong, characters: at % 5 === 0 ? [first, second] : [first] }
  }
}

type Cell = string | number | null | ReturnType<typeof raw>

type Fill = {
  tables: string[]
  /** The rows of one person, by table. */
  rows(person: Person, id: number): { table: string; values: Cell[] }[]
}

/** What a character carries: of the size of a real one, and sent to the server once. */
const BAG = raw('@bag')
const bagOf = (bytes: number) => `[${'{"id":7,"sl":1},'.repeat(Math.ceil(bytes / 16))}{}]`

const FILLS: Record<ShapeName, Fill> = {
  'json-list': {
    tables: [
      `CREATE TABLE player (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, username VARCHAR(24) CHARACTER SET utf8
        COLLATE utf8_bin NOT NULL, password VARCHAR(64) NOT NULL, luong INT NOT NULL DEFAULT 0, ban TINYINT NOT NULL DEFAULT 0,
        ninja TEXT) ENGINE = InnoDB DEFAULT CHARACTER SET utf8`,
      `CREATE TABLE ninja (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL, head INT NOT NULL DEFAULT -1,
        nclass TINYINT NOT NULL, level INT NOT NULL, yen INT NOT NULL, xu INT NOT NULL DEFAULT 0, bag LONGTEXT)
        ENGINE = InnoDB DEFAULT CHARACTER SET utf8`,
    ],
    rows({ name, luong, characters, isBroken }, id) {
      const list = isBroken ? '["hongdulieu' : JSON.stringify(characters.map((character) => character.name))
      return [
        { table: 'player (id, username, password, luong, ninja)', values: [id, name, 'x', luong, list] },
        ...characters.map((character) => ({
          table: 'ninja (name, head, nclass, level, yen, bag)',
          values: [character.name, character.head, id % 7, character.level, character.yen, BAG],
        })),
      ]
    },
  },
  'by-key': {
    tables: [
      `CREATE TABLE users (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) NOT NULL COLLATE utf8mb4_bin,
        password VARCHAR(255) NOT NULL, is_active TINYINT NOT NULL DEFAULT 1) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`,
      `CREATE TABLE hero (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, userId INT NOT NULL, idserver INT NOT NULL,
        name VARCHAR(50) NOT NULL, head SMALLINT NOT NULL DEFAULT -1, class_id TINYINT, lv INT, coin_lock BIGINT,
        gold BIGINT, items TEXT) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`,
    ],
    rows({ name, luong, characters, isBroken }, id) {
      return [
        { table: 'users (id, username, password)', values: [id, name, 'x'] },
        ...characters.map((character, at) => ({
          table: 'hero (userId, idserver, name, head, class_id, lv, coin_lock, gold, items)',
          values: [
            id,
            // The test account plays on the first server only, others on both.
            id === 1 ? 1 : at + 1,
            character.name,
            character.head,
            id % 7,
            character.level,
            character.yen,
            isBroken ? '9007199254740993' : at === 0 ? luong : 3,
            BAG,
          ],
        })),
      ]
    },
  },
  'one-row': {
    tables: [
      `CREATE TABLE members (uid BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, account VARCHAR(32) NOT NULL,
        password VARCHAR(64) NOT NULL, luong DECIMAL(20,0) NOT NULL DEFAULT 0, charname VARCHAR(32), head INT, classid INT,
        level INT, yen BIGINT, bag TEXT) ENGINE = InnoDB DEFAULT CHARACTER SET latin1`,
    ],
    rows({ name, luong, characters, isBroken }, id) {
      const [character] = characters
      return [
        {
          table: 'members (uid, account, password, luong, charname, head, classid, level, yen, bag)',
          values: [
            id,
            name,
            'x',
            isBroken ? '99999999999999999999' : luong,
            character?.name ?? null,
            character?.head ?? null,
            id % 7,
            character?.level ?? null,
            character?.yen ?? null,
            BAG,
          ],
        },
      ]
    },
  },
}

export type FillOptions = { shape: ShapeName; accounts: number; bagBytes?: number }

/** Our own tables in one of the three shapes, without any index but the keys, and people in them. */
export async function fillGame(url: string, { shape, accounts, bagBytes = 64 }: FillOptions): Promise<void> {
  const { tables, rows } = FILLS[shape]
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' })
  try {
    await connection.query(
      `SET SESSION sql_mode = 'STRICT_ALL_TABLES', unique_checks = 0, foreign_key_checks = 0`,
    )
    await connection.query('SET @bag = ?', [bagOf(bagBytes)])
    for (const table of tables) await connection.query(table)
    await connection.query('START TRANSACTION')
    const waiting = new Map<string, Cell[][]>()
    let id = 0
    for (const person of people(accounts)) {
      for (const { table, values } of rows(person, ++id)) {
        const list = waiting.get(table) ?? []
        waiting.set(table, list)
        if (list.push(values) === BATCH_ROWS) await send(connection, table, waiting)
      }
    }
    for (const table of waiting.keys()) await send(connection, table, waiting)
    await connection.query('COMMIT')
  } finally {
    await connection.end()
  }
}

async function send(connection: Connection, table: string, waiting: Map<string, Cell[][]>): Promise<void> {
  const values = waiting.get(table) ?? []
  waiting.set(table, [])
  if (values.length > 0) await connection.query(`INSERT INTO ${table} VALUES ?`, [values])
}
