import * as z from 'zod/mini'

/** The only way in which a name from the file gets into a statement. */
export const identifier = z
  .string()
  .check(
    z.regex(/^[A-Za-z0-9_]{1,64}$/, 'the name of a table or column: 1 to 64 letters, digits and underscores'),
  )
/** Null: the game has no such column. */
export const columnOrNone = z.nullable(identifier)

export const accountColumns = z.strictObject({
  table: identifier,
  id: identifier,
  name: identifier,
  /** Where the account's row lists the names of its characters as JSON. */
  characters: columnOrNone,
  luong: columnOrNone,
  banned: columnOrNone,
})
export const characterColumns = z.strictObject({
  table: identifier,
  id: identifier,
  name: identifier,
  /** Where a character's row has the id of its account. */
  account: columnOrNone,
  server: columnOrNone,
  head: columnOrNone,
  class: columnOrNone,
  level: identifier,
  yen: identifier,
  luong: columnOrNone,
})

export type Tables = {
  accounts: z.output<typeof accountColumns>
  characters: z.output<typeof characterColumns>
  /** Whose the luong is. */
  luong: 'account' | 'character'
}

export type Preset = 'json-list' | 'by-key' | 'one-row'

const APPEARANCE = { head: 'head', class: 'class', level: 'level', yen: 'yen' }
const account = { table: 'users', id: 'id', name: 'username', characters: null, luong: null, banned: null }

/** The three shapes that such games have; the file overrides single names. */
export const PRESETS: Record<Preset, Tables> = {
  'json-list': {
    accounts: { ...account, table: 'player', characters: 'ninja', luong: 'luong' },
    characters: {
      table: 'ninja',
      id: 'id',
      name: 'name',
      account: null,
      server: null,
      ...APPEARANCE,
      luong: null,
    },
    luong: 'account',
  },
  'by-key': {
    accounts: account,
    characters: {
      table: 'characters',
      id: 'id',
      name: 'name',
      account: 'user_id',
      server: 'server_id',
      ...APPEARANCE,
      luong: 'luong',
    },
    luong: 'character',
  },
  'one-row': {
    accounts: account,
    characters: {
      table: 'users',
      id: 'id',
      name: 'character_name',
      account: 'id',
      server: null,
      ...APPEARANCE,
      luong: 'luong',
    },
    luong: 'character',
  },
}
