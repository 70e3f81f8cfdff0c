import { PRESETS, type Preset, type Tables } from '../presets.ts'
import { isNumberColumn, isTextColumn, type Column, type Schema, type Table } from '../schema.ts'

/** What such games call their columns, the likeliest first; compared in lower case and without underscores. */
const WORDS = {
  id: ['id', 'uid', 'userid', 'playerid', 'accountid'],
  account: ['username', 'user', 'account', 'taikhoan', 'login', 'loginname', 'name'],
  password: ['password', 'pass', 'passwd', 'matkhau', 'pwd', 'passwordhash'],
  list: ['ninja', 'ninjas', 'characters', 'chars', 'nhanvat', 'players', 'listchar'],
  character: ['charactername', 'charname', 'name', 'ten', 'tennhanvat', 'nick', 'nickname', 'ninjaname'],
  key: ['userid', 'accountid', 'playerid', 'uid', 'iduser', 'idaccount', 'idplayer', 'ownerid'],
  server: ['serverid', 'idserver', 'server', 'sv', 'svid'],
  head: ['head', 'headid', 'idhead', 'avatar', 'dau'],
  class: ['classid', 'nclass', 'class', 'clazz', 'idclass', 'phai'],
  level: ['level', 'lv', 'lever', 'capdo'],
  yen: ['yen', 'coinlock', 'xukhoa'],
  luong: ['luong', 'gold', 'gem', 'diamond'],
  banned: ['ban', 'banned', 'isban', 'isbanned', 'lock', 'loginlock'],
} as const

type Word = keyof typeof WORDS

const plain = (name: string) => name.toLowerCase().replaceAll('_', '')

/** The column of a table that is likely this. */
export function likely(
  table: Table,
  word: Word,
  fits: (column: Column) => boolean = () => true,
): string | null {
  const columns = [...table.columns.values()].filter(fits)
  for (const name of WORDS[word]) {
    const found = columns.find((column) => plain(column.name) === name)
    if (found !== undefined) return found.name
  }
  return null
}

export type Guess = Tables & { preset: Preset; password: string }

/** Where the lists of names may be: columns of text of this table, the likeliest first. */
export function listColumns(table: Table): string[] {
  // MySQL tells no length of a column of type JSON.
  const texts = [...table.columns.values()].filter(
    (column) => column.type === 'json' || (isTextColumn(column) && column.length >= 100),
  )
  const [named, others] = [texts.filter(isNamedSo), texts.filter((column) => !isNamedSo(column))]
  return [...named, ...others].map(({ name }) => name)
}

const isNamedSo = ({ name }: Column) => (WORDS.list as readonly string[]).includes(plain(name))

/** Tables that have a name and a password, the largest first. */
export function accountTables({ tables }: Schema): Table[] {
  return [...tables.values()]
    .filter(
      (table) =>
        !table.name.startsWith('portal_') &&
        likely(table, 'account', isTextColumn) !== null &&
        likely(table, 'password') !== null,
    )
    .sort((a, b) => b.rows - a.rows)
}

/** The shape of a table of accounts. `lists` are its columns that hold lists of names, as its rows show. */
export function guessFor(schema: Schema, accounts: Table, lists: readonly string[]): Guess | null {
  const id = likely(accounts, 'id')
  const name = likely(accounts, 'account', isTextColumn)
  const password = likely(accounts, 'password')
  if (id === null || name === null || password === null) return null
  const banned = likely(accounts, 'banned', (column) => isNumberColumn(column) || column.type === 'bit')
  const account = { table: accounts.name, id, name, characters: null, luong: null, banned }
  const others = [...schema.tables.values()]
    .filter((table) => table !== accounts && hasCharacters(table))
    .sort((a, b) => b.rows - a.rows)
  const [list] = lists
  const [named] = others
  if (list !== undefined && named !== undefined) {
    return complete('json-list', { ...account, characters: list }, named, { schema, key: null, password })
  }
  for (const table of others) {
    const key = likely(table, 'key')
    if (key !== null) return complete('by-key', account, table, { schema, key, password })
  }
  const hasOwn = hasCharacters(accounts) && likely(accounts, 'character', (column) => column.name !== name)
  return hasOwn ? complete('one-row', account, accounts, { schema, key: id, password }) : null
}

const hasCharacters = (table: Table) =>
  likely(table, 'character', isTextColumn) !== null && likely(table, 'level', isNumberColumn) !== null

function complete(
  preset: Preset,
  account: Tables['accounts'],
  table: Table,
  { schema, key, password }: { schema: Schema; key: string | null; password: string },
): Guess {
  const isOneRow = preset === 'one-row'
  const of = (word: Word) => likely(table, word, isNumberColumn)
  const own = of('luong')
  const accountTable = schema.tables.get(account.table.toLowerCase())
  const ofAccount =
    !isOneRow && accountTable !== undefined ? likely(accountTable, 'luong', isNumberColumn) : null
  const luong = ofAccount !== null && own === null ? 'account' : 'character'
  const usual = PRESETS[preset].characters
  return {
    preset,
    password,
    accounts: { ...account, luong: luong === 'account' ? ofAccount : null },
    characters: {
      table: table.name,
      id: isOneRow ? account.id : (likely(table, 'id') ?? usual.id),
      name:
        likely(table, 'character', (c) => isTextColumn(c) && !(isOneRow && c.name === account.name)) ??
        usual.name,
      account: key,
      server: preset === 'json-list' ? null : likely(table, 'server'),
      head: of('head'),
      class: of('class'),
      level: of('level') ?? usual.level,
      yen: of('yen') ?? usual.yen,
      luong: luong === 'character' ? (own ?? 'luong') : null,
    },
    luong,
  }
}
