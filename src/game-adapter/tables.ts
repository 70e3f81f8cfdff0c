import { quoted } from './database.ts'
import type { Source, Tables } from './presets.ts'
import { findTable, type Schema, type Table } from './schema.ts'
import { columnOf, isInJson } from './sources.ts'

const OPTIONS = 'ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'

/** The adapter's and the collector's own tables, by name. Text of 64 characters fits into every index of MySQL 5.6. */
export const PORTAL_TABLES: Record<string, string> = {
  portal_delivery: `CREATE TABLE portal_delivery (
  id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  status ENUM('applied', 'refused', 'cancelled') NOT NULL,
  body_hash BINARY(32) NULL,
  server_id VARCHAR(64) NULL,
  account VARCHAR(64) NULL,
  character_id VARCHAR(64) NULL,
  character_name VARCHAR(64) NULL,
  goods TEXT NULL,
  reason VARCHAR(100) NULL,
  waiting ENUM('offline', 'bag-full', 'over-limit', 'unknown-item') NULL,
  created_at DATETIME(3) NOT NULL,
  collected_at DATETIME(3) NULL,
  KEY portal_waiting (status, collected_at, created_at),
  KEY portal_character (character_id, status, collected_at)
) ${OPTIONS}`,
  portal_charge: `CREATE TABLE portal_charge (
  id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  status ENUM('asked', 'applied', 'refused', 'refunded') NOT NULL,
  body_hash BINARY(32) NULL,
  server_id VARCHAR(64) NULL,
  account VARCHAR(64) NULL,
  character_id VARCHAR(64) NULL,
  character_name VARCHAR(64) NULL,
  luong BIGINT NULL,
  reason VARCHAR(100) NULL,
  created_at DATETIME(3) NOT NULL,
  taken_at DATETIME(3) NULL,
  KEY portal_asked (character_id, status, created_at)
) ${OPTIONS}`,
  portal_account: `CREATE TABLE portal_account (
  account VARCHAR(64) NOT NULL PRIMARY KEY,
  activated TINYINT(1) NOT NULL,
  banned_until DATETIME(3) NULL,
  password_changed_at DATETIME(3) NULL,
  version BIGINT NOT NULL,
  changed_at DATETIME(3) NOT NULL
) ${OPTIONS}`,
  portal_login: `CREATE TABLE portal_login (
  account VARCHAR(64) NOT NULL PRIMARY KEY,
  salt BINARY(16) NOT NULL,
  hash BINARY(32) NOT NULL,
  accepted_at DATETIME(3) NOT NULL
) ${OPTIONS}`,
  portal_notice: `CREATE TABLE portal_notice (
  id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  body_hash BINARY(32) NOT NULL,
  account VARCHAR(64) NOT NULL,
  text VARCHAR(200) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  shown_at DATETIME(3) NULL,
  KEY portal_open (account, shown_at, expires_at),
  KEY portal_expired (expires_at)
) ${OPTIONS}`,
  portal_collector: `CREATE TABLE portal_collector (
  name VARCHAR(64) NOT NULL PRIMARY KEY,
  seen_at DATETIME(3) NOT NULL,
  portal_answered_at DATETIME(3) NULL
) ${OPTIONS}`,
  portal_state: `CREATE TABLE portal_state (
  name VARCHAR(32) NOT NULL PRIMARY KEY,
  value VARCHAR(64) NOT NULL
) ${OPTIONS}`,
}

export const SCHEMA_VERSION = '1'

export type WantedIndex = { table: string; columns: readonly string[]; name: string }

/** What the calls need to find and to sort by without reading a table from end to end. */
export function wantedIndexes({ accounts, characters, luong }: Tables): WantedIndex[] {
  const onServer = characters.server === null ? [] : [characters.server]
  const index = (table: string, ...columns: string[]): WantedIndex => ({
    table,
    columns,
    name: `portal_${columns.join('_')}`.slice(0, 64),
  })
  /** No index sorts what is inside JSON. */
  const sorted = (table: string, source: Source | null, before: string[]) =>
    source === null || isInJson(source) ? [] : [index(table, ...before, columnOf(source))]
  const wanted = [
    index(accounts.table, accounts.id),
    index(characters.table, characters.id),
    index(accounts.table, accounts.name),
    characters.account === null
      ? index(characters.table, characters.name)
      : index(characters.table, characters.account),
    ...sorted(characters.table, characters.level, onServer),
    ...sorted(characters.table, characters.yen, onServer),
    ...(luong === 'account'
      ? sorted(accounts.table, accounts.luong, [])
      : sorted(characters.table, characters.luong, onServer)),
  ]
  const texts = wanted.map((each) => JSON.stringify([each.table, each.columns]))
  return wanted.filter((_, at) => texts.indexOf(texts[at] ?? '') === at)
}

/** Where the rows are: of a view in the table behind it, unless that cannot be told. */
function whereItBelongs(schema: Schema, wanted: WantedIndex): WantedIndex | null {
  const behind = findTable(schema, wanted.table)?.behind
  if (behind === null || behind === undefined) return wanted
  const places = wanted.columns.map((column) => behind.get(column.toLowerCase()))
  const [first] = places
  const table = first && findTable(schema, `${first.database}.${first.table}`)
  if (table === undefined || places.some((place) => place?.table !== first?.table)) return null
  return { ...wanted, table: table.path, columns: places.map((place) => place?.column ?? '') }
}

const has = ({ indexes }: Table, columns: readonly string[]) =>
  indexes.some((have) => columns.every((column, at) => have.columns[at] === column.toLowerCase()))

/** The order of those that are compared for equality does not matter; the last one is sorted by. */
export function missingIndexes(schema: Schema, wanted: readonly WantedIndex[]): WantedIndex[] {
  return wanted.flatMap((each) => {
    const index = whereItBelongs(schema, each)
    const table = index && findTable(schema, index.table)
    return !index || !table || has(table, index.columns) ? [] : [index]
  })
}

/** What a view hides: whether there is an index. */
export const unknownIndexes = (schema: Schema, wanted: readonly WantedIndex[]): WantedIndex[] =>
  wanted.filter((each) => whereItBelongs(schema, each) === null)

/** Longer texts are indexed by their first characters: MySQL 5.6 takes 767 bytes. */
const TEXT_LENGTH_MAX = 64

export function indexStatement(schema: Schema, { table, columns, name }: WantedIndex): string {
  const known = findTable(schema, table)?.columns
  const parts = columns.map((column) => {
    const length = known?.get(column.toLowerCase())?.length ?? 0
    return length > TEXT_LENGTH_MAX ? `${quoted(column)}(${TEXT_LENGTH_MAX})` : quoted(column)
  })
  return `CREATE INDEX ${quoted(name)} ON ${quoted(table)} (${parts.join(', ')})`
}
