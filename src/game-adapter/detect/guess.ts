import type { Amount, Preset, Tables } from '../presets.ts'
import { isNumberColumn, isTextColumn, type Column, type Table } from '../schema.ts'
import { readNumber, textOf } from '../values.ts'
import { FIT_MIN, idOf, isPurse, shareOf, type Level } from './candidates.ts'
import type { Link } from './links.ts'
import { CUT_AT, type Samples } from './samples.ts'
import { fitOfKey, fitting, type Word } from './words.ts'

export type Guess = Tables & {
  preset: Preset
  password: string
  /** What speaks for it, what against, and what to do about it. */
  reasons: string[]
  doubts: string[]
  next: string[]
}

type Said = Pick<Guess, 'reasons' | 'doubts' | 'next'>
type Money = { source: Amount; fit: number; filled: number }

/** The file's tables and columns for a way from accounts to characters. */
export async function guessFor(samples: Samples, link: Link): Promise<Guess> {
  const { accounts, characters, preset } = link
  const said: Said = { reasons: [...link.reasons], doubts: [...link.doubts], next: [] }
  const { table } = characters
  const taken = [link.name, accounts.name, accounts.password, preset === 'by-key' ? link.key : '']
  const of = (word: Word) =>
    fitting(table, word, isNumberColumn).find((one) => one.fit >= FIT_MIN && !taken.includes(one.column.name))
      ?.column.name ?? null
  const money = await luongOf(samples, link, said)
  const isAccounts = money.luong === 'account'
  const banned = fitting(
    accounts.table,
    'banned',
    (column) => isNumberColumn(column) || column.type === 'bit',
  )
  return {
    preset,
    password: accounts.password,
    accounts: {
      table: accounts.table.path,
      id: preset === 'by-key' ? link.accountId : accounts.id,
      name: accounts.name,
      characters: preset === 'json-list' ? link.list : null,
      luong: isAccounts ? money.source : null,
      banned: banned.find((one) => one.fit >= FIT_MIN)?.column.name ?? null,
    },
    characters: {
      table: table.path,
      id: preset === 'one-row' ? accounts.id : ((await idOf(samples, table)) ?? link.name),
      name: link.name,
      account: preset === 'by-key' ? link.key : preset === 'one-row' ? accounts.id : null,
      server: preset === 'json-list' ? null : serverOf(table, taken),
      head: of('head'),
      class: of('class'),
      level: levelOf(table, characters.level, said),
      yen: (await bestMoney(samples, table, 'yen'))?.source ?? null,
      luong: isAccounts ? null : money.source,
    },
    luong: money.luong,
    ...said,
  }
}

const serverOf = (table: Table, taken: readonly string[]) =>
  fitting(table, 'server', (column) => isNumberColumn(column) || isTextColumn(column)).find(
    (one) => one.fit >= FIT_MIN && !taken.includes(one.column.name),
  )?.column.name ?? null

function levelOf(table: Table, level: Level, said: Said): string | null {
  const place = `${table.path}.${level?.column ?? ''}`
  if (level !== null && !level.isPower) return level.column
  if (level === null) said.doubts.push(`${table.path} has no column of a level: the portal shows none`)
  else {
    said.doubts.push(`${place} is experience or power, no level: the portal shows no level`)
    said.next.push(
      `to show levels: "level": {"column": "${level.column}", "thresholds": [0, …]} in characters, from what value on each level is, as the game's source has it`,
    )
  }
  return null
}

/** Whose the luong is, and where: the best name first, then where there is any. */
async function luongOf(
  samples: Samples,
  { accounts, characters, preset }: Link,
  said: Said,
): Promise<{ luong: 'account' | 'character'; source: Amount | null }> {
  const own = await bestMoney(samples, characters.table, 'luong')
  const ofAccount = preset === 'one-row' ? null : await bestMoney(samples, accounts.table, 'luong')
  const isAccounts =
    ofAccount !== null &&
    (own === null || worth(ofAccount) > worth(own) || (own.filled === 0 && ofAccount.filled > 0))
  const found = isAccounts ? ofAccount : own
  const owner = isAccounts ? accounts.table : characters.table
  if (found !== null) {
    const other = isAccounts ? own : ofAccount
    const place = (table: Table, source: Amount) =>
      `${table.path}.${typeof source === 'string' ? source : `${source.column} ${source.path}`}`
    said.reasons.push(`luong is ${place(owner, found.source)}`)
    if (other !== null)
      said.doubts.push(
        `${place(isAccounts ? characters.table : accounts.table, other.source)} could be the luong as well`,
      )
    return { luong: isAccounts ? 'account' : 'character', source: found.source }
  }
  for (const [table, whose] of [
    [characters.table, 'character'],
    [accounts.table, 'account'],
  ] as const) {
    const list = await listOfNumbers(samples, table)
    if (list === null) continue
    said.doubts.push(
      `no column is called like luong; ${table.path}.${list.column} is a JSON list of numbers such as ${list.example}: which of them is luong cannot be known, the first one was taken`,
    )
    said.next.push(
      `correct the path of the luong in ${table.path}.${list.column}: $[0] is the first number, $[1] the second`,
    )
    return { luong: whose, source: { column: list.column, path: '$[0]' } }
  }
  said.doubts.push(
    `no column of ${accounts.table.path} or ${characters.table.path} is called like luong (luong, gem, ngoc, gold, …)`,
  )
  said.next.push(
    'write the column of the luong into accounts.luong or characters.luong; install refuses the file without it',
  )
  return { luong: 'character', source: null }
}

/** Of equal names the one that holds something. */
const worth = ({ fit: byName, filled }: Money) => byName + (filled > 0 ? 0.5 : 0)

/** The column of numbers that is called so, or a value in a column of JSON objects. */
async function bestMoney(samples: Samples, table: Table, word: 'luong' | 'yen'): Promise<Money | null> {
  const found: Money[] = []
  for (const one of fitting(table, word, isNumberColumn).filter((each) => each.fit >= FIT_MIN)) {
    const values = await samples.values(table, one.column.name)
    const filled = shareOf(values, (value) => (readNumber(value) ?? 0) !== 0)
    found.push({ source: one.column.name, fit: one.fit, filled })
  }
  for (const { column, objects } of await jsonColumns(samples, table)) {
    for (const key of new Set(objects.flatMap((object) => Object.keys(object)))) {
      const byKey = /^\w{1,64}$/.test(key) ? fitOfKey(key, word) : 0
      const values = objects.map((object) => object[key])
      if (byKey < FIT_MIN || !values.some((value) => typeof value === 'number')) continue
      const filled = shareOf(values, (value) => value !== 0)
      found.push({ source: { column: column.name, path: `$.${key}` }, fit: byKey - 20, filled })
    }
  }
  return found.sort((a, b) => worth(b) - worth(a))[0] ?? null
}

type Objects = { column: Column; objects: Record<string, unknown>[] }

const jsonOf = (value: unknown): unknown => {
  const text = textOf(value) ?? ''
  if (!/^\s*[[{]/.test(text) || text.length >= CUT_AT) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null // no JSON
  }
}

async function jsonColumns(samples: Samples, table: Table): Promise<Objects[]> {
  const found: Objects[] = []
  for (const column of [...table.columns.values()].filter(isTextColumn)) {
    const values = await samples.values(table, column.name)
    const objects = values.slice(0, 50).map(jsonOf)
    const isObject = (one: unknown): one is Record<string, unknown> =>
      typeof one === 'object' && one !== null && !Array.isArray(one)
    if (objects.length > 0 && objects.every(isObject)) found.push({ column, objects })
  }
  return found
}

async function listOfNumbers(
  samples: Samples,
  table: Table,
): Promise<{ column: string; example: string } | null> {
  for (const column of [...table.columns.values()].filter(isPurse)) {
    const lists = (await samples.values(table, column.name)).slice(0, 50).map(jsonOf)
    const areNumbers = (one: unknown) =>
      Array.isArray(one) &&
      one.length > 0 &&
      one.length <= 12 &&
      one.every((each) => typeof each === 'number')
    if (lists.length > 0 && lists.every(areNumbers))
      return { column: column.name, example: JSON.stringify(lists[0]) }
  }
  return null
}
