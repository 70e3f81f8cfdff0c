import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const environment = {
  GAME_DATABASE_URL: 'mysql://game:secret@127.0.0.1/ninja',
  GAME_SERVER_SECRET: 'the-new-secret-123,the-old-secret-123',
}
const file = { preset: 'json-list', servers: [{ id: '1', name: 'Một' }] }

function problemsOf(json: unknown, variables: Record<string, string> = environment): string {
  try {
    readConfig(json, variables)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('the file of the game adapter', () => {
  test('overrides single names of its preset', () => {
    const config = readConfig({ ...file, characters: { class: 'nclass', head: null } }, environment)
    expect(config.characters).toMatchObject({ table: 'ninja', name: 'name', class: 'nclass', head: null })
    expect(config).toMatchObject({ luong: 'account', port: 4000, caps: { luong: 2_000_000_000 } })
    expect(config.secrets).toEqual(['the-new-secret-123', 'the-old-secret-123'])
  })

  test('has the account and its character in one row, where they are', () => {
    const { accounts, characters } = readConfig(
      { ...file, preset: 'one-row', accounts: { table: 'members', id: 'uid' } },
      environment,
    )
    expect(accounts).toMatchObject({ table: 'members', id: 'uid' })
    expect(characters).toMatchObject({ table: 'members', id: 'uid', account: 'uid' })
  })

  test('takes tables of other databases, numbers inside JSON, levels by thresholds, and neither level nor yen', () => {
    const level = { column: 'power', thresholds: [0, 100] }
    const luong = { column: 'bag', path: '$.money[0]' }
    const wide = readConfig(
      { ...file, accounts: { table: 'web-1.users', luong }, characters: { level, yen: null } },
      environment,
    )
    expect(wide.accounts).toMatchObject({ table: 'web-1.users', luong })
    expect(wide.characters).toMatchObject({ level, yen: null })
    expect(readConfig({ ...file, characters: { level: null } }, environment).characters.level).toBeNull()
  })

  test.each([[[2, 11]], [{ 2: 'Áo xanh', 11: 'Áo đỏ' }]])(
    'lists heads with or without names: %o',
    (heads) => {
      expect(readConfig({ ...file, heads }, environment).heads).toEqual(heads)
    },
  )

  test('names the column of the passwords for an import, whose form is detected', () => {
    expect(readConfig({ ...file, import: { password: 'pass' } }, environment).import).toEqual({
      password: 'pass',
      passwords: 'detected',
      activated: null,
      phone: null,
      email: null,
    })
    expect(readConfig(file, environment).import).toBeUndefined()
  })

  test.each<[string, object, string]>([
    [
      'a quote in the column of the passwords',
      { import: { password: 'a`b' } },
      'import.password: the name of',
    ],
    ['an import without passwords', { import: {} }, 'import.password: is missing'],
    [
      'a rate of 0',
      { import: { password: 'a', balance: { column: 'vnd', coins: 0, per: 1 } } },
      'import.balance.coins: 1 or more',
    ],
    [
      'a quote in a name',
      { accounts: { table: 'pla`yer' } },
      'accounts.table: the name of a table or column',
    ],
    [
      'two dots in a table',
      { accounts: { table: 'a.b.c' } },
      'accounts.table: the name of a table or column',
    ],
    [
      'a quote in a way into JSON',
      { accounts: { luong: { column: 'bag', path: "$.a') OR ('1" } } },
      'accounts.luong.path: a way into JSON, such as $.luong or $[0]',
    ],
    [
      'thresholds that fall',
      { characters: { level: { column: 'exp', thresholds: [5, 5] } } },
      'characters.level.thresholds: rising whole numbers',
    ],
    [
      'a limit of no letters',
      { limits: { name: { letters: '' } } },
      'limits.name.letters: as in the brackets of a regular expression',
    ],
    [
      'a limit below every name of the portal',
      { limits: { name: { most: 5 } } },
      "limits.name: leaves none of the portal's names, which have 6 to 20 letters and digits",
    ],
    ...[{ least: 21 }, { least: 12, most: 8 }, { letters: '!_-' }].map((name): [string, object, string] => [
      `a limit of names that leaves none: ${JSON.stringify(name)}`,
      { limits: { name } },
      "limits.name: leaves none of the portal's names",
    ]),
    ...[{ most: 5 }, { least: 30 }].map((password): [string, object, string] => [
      `a limit of passwords that leaves none: ${JSON.stringify(password)}`,
      { limits: { password } },
      "limits.password: leaves none of the portal's passwords, which have 6 to 20 characters",
    ]),
    ['an unknown field', { acounts: {} }, 'acounts: there is no such field'],
    ['an unknown column', { characters: { lvl: 'x' } }, 'characters.lvl: there is no such field'],
    ['no such preset', { preset: 'other' }, 'preset: one of json-list, by-key, one-row'],
    ['no servers', { servers: undefined }, 'servers: is missing'],
    ['an empty list of servers', { servers: [] }, 'servers: at least one server'],
    ['a cap as a text', { caps: { luong: 'much' } }, 'caps.luong: a whole number'],
    ['a server twice', { servers: [...file.servers, ...file.servers] }, 'servers: an id stands twice'],
    [
      'two servers without a column',
      { servers: [...file.servers, { id: '2', name: 'Hai' }] },
      'servers: without a column characters.server there can be only one',
    ],
    [
      'no way from account to character',
      { accounts: { characters: null } },
      'accounts.characters, characters.account: one of the two is a column',
    ],
    ['no luong', { luong: 'character' }, 'characters.luong: the column of the luong is missing'],
    [
      'an item without its largest quantity',
      { items: [{ code: 'pet', name: 'x' }] },
      'items.0.max: is missing',
    ],
    [
      'a head that is no number',
      { heads: { '03': 'Áo xanh' } },
      'heads: a list of numbers, or names by number',
    ],
    ['a class that is no number', { classes: { a: 'Kiếm' } }, 'classes.a'],
  ])('%s is named by its field', (_, changed, problem) => {
    expect(problemsOf({ ...file, ...changed })).toContain(problem)
  })

  test('every problem is reported at once, and no secret', () => {
    const wrong = problemsOf({ ...file, database: 'postgres://x:hush@y/z', secret: 'short' }, {})
    expect(wrong).toContain('database (or GAME_DATABASE_URL): an address such as')
    expect(wrong).toContain('secret (or GAME_SERVER_SECRET): one, or new,old')
    expect(wrong).not.toMatch(/hush|short/)
  })
})
