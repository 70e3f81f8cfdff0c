import * as z from 'zod/mini'

const NAME_FAULT = 'the name of a table or column: 1 to 64 letters, digits, _, - and $'

/** The only way in which a name from the file gets into a statement. */
export const identifier = z.string().check(z.regex(/^[\p{L}\p{N}_$-]{1,64}$/u, NAME_FAULT))
/** Of a table or view, with its database before a dot where that is another one of the same server. */
const tableName = z
  .string()
  .check(
    z.regex(
      /^([\p{L}\p{N}_$-]{1,64}\.)?[\p{L}\p{N}_$-]{1,64}$/u,
      `${NAME_FAULT}; or database.table of the same server`,
    ),
  )
/** Null: the game has no such column. */
export const columnOrNone = z.nullable(identifier)

const path = z
  .string()
  .check(z.regex(/^\$(\.[A-Za-z0-9_]{1,64}|\[\d{1,4}\]){1,8}$/, 'a way into JSON, such as $.luong or $[0]'))
/** A column, or a value inside the JSON of one. */
const amountOrNone = z.nullable(
  z.union(
    [identifier, z.strictObject({ column: identifier, path })],
    'the name of a column, {"column", "path"} for a value inside JSON, or null',
  ),
)
/** From what value on each level is, beginning with level 1. */
const thresholds = z.array(z.int().check(z.gte(0))).check(
  z.minLength(1),
  z.maxLength(10_000),
  z.refine(
    (list) => list.every((value, at) => at === 0 || value > (list[at - 1] ?? 0)),
    'rising whole numbers, such as [0, 100, 500]',
  ),
)
const levelOrNone = z.nullable(
  z.union(
    [
      identifier,
      z.strictObject({ column: identifier, path: z.optional(path), thresholds: z.optional(thresholds) }),
    ],
    'the name of a column, {"column", "path", "thresholds": [0, 100, …]} with rising whole numbers, or null',
  ),
)

export const accountColumns = z.strictObject({
  table: tableName,
  id: identifier,
  name: identifier,
  /** Where the account's row lists the names of its characters as JSON. */
  characters: columnOrNone,
  luong: amountOrNone,
  banned: columnOrNone,
})
export const characterColumns = z.strictObject({
  table: tableName,
  id: identifier,
  name: identifier,
  /** Where a character's row has the id of its account. */
  account: columnOrNone,
  server: columnOrNone,
  head: columnOrNone,
  class: columnOrNone,
  level: levelOrNone,
  yen: amountOrNone,
  luong: amountOrNone,
})

/** A column, or a value inside the JSON of one. */
export type Amount = string | { column: string; path: string }
/** Or, of a level, what it follows from. */
export type Source = string | { column: string; path?: string | undefined; thresholds?: number[] | undefined }

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
