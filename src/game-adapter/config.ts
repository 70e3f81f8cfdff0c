import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { addressFault } from '#contract/address-fault.ts'
import { NAME_LENGTH, PASSWORD_LENGTH, SERVER_ID } from '#contract/fields.ts'
import {
  type Lengths,
  lettersOf,
  nameLengthOf,
  type NameLimits,
  nameLimits,
  passwordLengthOf,
  passwordLimits,
} from '#contract/game/limits.ts'
import {
  accountColumns,
  characterColumns,
  columnOrNone,
  identifier,
  PRESETS,
  type Tables,
} from './presets.ts'

/** The file, the environment or the database is not as it has to be; the message tells the owner what to change. */
export class GameAdapterError extends Error {}

export const DATABASE_VARIABLE = 'GAME_DATABASE_URL'
export const SECRET_VARIABLE = 'GAME_SERVER_SECRET'
export const CAP = 2_000_000_000
const SECRET_LENGTH_MIN = 16

const amount = z
  .int('a whole number')
  .check(z.gte(1, '1 or more'), z.lte(Number.MAX_SAFE_INTEGER, 'a smaller number'))
const text = z
  .string('a text')
  .check(z.minLength(1, '1 to 64 characters'), z.maxLength(64, '1 to 64 characters'))
/** A game without yen can hold none. */
const amountOrNone = z
  .int('a whole number')
  .check(z.gte(0, '0 or more'), z.lte(Number.MAX_SAFE_INTEGER, 'a smaller number'))
const number = z.int('a whole number').check(z.gte(0, '0 or more'), z.lte(100_000, '100000 or less'))

const HEADS_MAX = 10_000
const headsMax = `at most ${HEADS_MAX} heads`

const whole = z.int('a whole number').check(z.gte(1, '1 or more'), z.lte(1_000_000_000, '1000000000 or less'))

/** What `portal import-accounts` reads beside the columns that the adapter knows; the adapter itself ignores it. */
const importSection = z.strictObject({
  password: identifier,
  passwords: z._default(
    z.enum(['detected', 'plain', 'md5', 'bcrypt'], 'one of detected, plain, md5, bcrypt'),
    'detected',
  ),
  /** Not 0: activated. */
  activated: z._default(columnOrNone, null),
  /** What a player gave there, which nobody has proved. */
  phone: z._default(columnOrNone, null),
  email: z._default(columnOrNone, null),
  /** What the account has left of the old web page's currency: `coins` TCoin for each `per` of it. */
  balance: z.optional(z.strictObject({ column: identifier, coins: whole, per: whole })),
  /** The id of the portal's server that the accounts belong to; otherwise the first of `servers`. */
  server: z.optional(z.string('a text').check(z.regex(SERVER_ID, 'the id of a server'))),
})

const isRange = ({ least, most }: Required<Lengths>): boolean => least <= most

// Limits of this file under which nobody could have an account both at the portal and in the game are refused; those that a
// game tells by itself are for `doctor` to judge.
const leavesNames = z.refine<NameLimits>((name): boolean => {
  // Refused on its own.
  const isUnreadable = !z.safeParse(nameLimits.letters, name.letters).success
  return isUnreadable || (isRange(nameLengthOf({ name })) && lettersOf({ name }) !== '')
}, `leaves none of the portal's names, which have ${NAME_LENGTH.least} to ${NAME_LENGTH.most} letters and digits`)
const leavesPasswords = z.refine<Lengths>(
  (password): boolean => isRange(passwordLengthOf({ password })),
  `leaves none of the portal's passwords, which have ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`,
)

/** What the game takes as names and passwords; what is left out it does not limit. */
const limitsSection = z.strictObject({
  name: z.optional(z.strictObject(nameLimits).check(leavesNames)),
  password: z.optional(z.strictObject(passwordLimits).check(leavesPasswords)),
})

const fileSchema = z.strictObject({
  preset: z.enum(['json-list', 'by-key', 'one-row'], 'one of json-list, by-key, one-row'),
  database: z.optional(z.string('a text')),
  secret: z.optional(z.string('a text')),
  host: z._default(z.string('a text'), '127.0.0.1'),
  port: z._default(
    z.int('a whole number').check(z.gte(0, '0 or more'), z.lte(65_535, '65535 or less')),
    4000,
  ),
  connections: z._default(
    z.int('a whole number').check(z.gte(1, '1 or more'), z.lte(100, '100 or less')),
    10,
  ),
  luong: z.optional(z.enum(['account', 'character'], 'account or character')),
  accounts: z.optional(z.partial(accountColumns)),
  characters: z.optional(z.partial(characterColumns)),
  caps: z._default(z.strictObject({ luong: z._default(amount, CAP), yen: z._default(amountOrNone, CAP) }), {
    luong: CAP,
    yen: CAP,
  }),
  servers: z
    .array(z.strictObject({ id: text, name: text }), 'a list of {"id", "name"}')
    .check(z.minLength(1, 'at least one server'), z.maxLength(100, 'at most 100 servers')),
  items: z.optional(
    z
      .array(z.strictObject({ code: text, name: text, max: amount }), 'a list of {"code", "name", "max"}')
      .check(z.maxLength(10_000, 'at most 10000 items')),
  ),
  classes: z._default(z.record(z.string().check(z.regex(/^\d{1,6}$/, 'the number of a class')), text), {}),
  import: z.optional(importSection),
  limits: z.optional(limitsSection),
  heads: z._default(
    z.union(
      [
        z.array(number, 'a list of numbers').check(z.maxLength(HEADS_MAX, headsMax)),
        z
          .record(z.string().check(z.regex(/^(0|[1-9]\d{0,4})$/, 'the number of a head')), text)
          .check(z.refine((names) => Object.keys(names).length <= HEADS_MAX, headsMax)),
      ],
      'a list of numbers, or names by number',
    ),
    [],
  ),
})

export type Config = Tables &
  Pick<
    z.output<typeof fileSchema>,
    'host' | 'port' | 'connections' | 'caps' | 'servers' | 'items' | 'classes' | 'heads' | 'limits'
  > & {
    database: string
    secrets: string[]
    import: z.output<typeof importSection> | undefined
  }

export async function readConfigFile(
  path: string,
  environment: Record<string, string | undefined>,
): Promise<Config> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const { message } = error as Error
    throw new GameAdapterError(`${path} cannot be read as JSON: ${message}`)
  }
  return readConfig(json, environment, path)
}

/** Environment before file. Throws one error with every problem by the name of its field. */
export function readConfig(
  json: unknown,
  environment: Record<string, string | undefined>,
  path = 'game.json',
): Config {
  const read = z.safeParse(fileSchema, json, { reportInput: true })
  if (!read.success) throw problemsIn(path, read.error.issues.map(inWords))
  const file = read.data
  const preset = PRESETS[file.preset]
  const tables: Tables = {
    accounts: { ...preset.accounts, ...file.accounts },
    characters: { ...preset.characters, ...file.characters },
    luong: file.luong ?? preset.luong,
  }
  // Both are one row.
  if (file.preset === 'one-row') {
    const { table, id } = tables.accounts
    Object.assign(tables.characters, { table, id, account: id })
  }
  const database = environment[DATABASE_VARIABLE] || file.database || ''
  const secrets = (environment[SECRET_VARIABLE] || file.secret || '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  const problems = [
    ...problemsOfShape(tables, file.servers),
    ...problemsOfDatabase(database),
    ...(secrets.length > 0 && secrets.every(({ length }) => length >= SECRET_LENGTH_MIN)
      ? []
      : [`secret (or ${SECRET_VARIABLE}): one, or new,old; each at least ${SECRET_LENGTH_MIN} characters`]),
  ]
  if (problems.length > 0) throw problemsIn(path, problems)
  const { host, port, connections, caps, servers, items, classes, heads, limits } = file
  const common = { host, port, connections, caps, servers, items, classes, heads, limits }
  return { ...tables, ...common, import: file.import, database, secrets }
}

const problemsIn = (path: string, problems: readonly string[]) =>
  new GameAdapterError(`${path} is not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)

function inWords(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return `${field === '' ? '' : `${field}.`}${issue.keys.join(', ')}: there is no such field`
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${field || 'the file'}: is missing`
  return `${field || 'the file'}: ${issue.message}`
}

function problemsOfShape({ accounts, characters, luong }: Tables, servers: { id: string }[]): string[] {
  const problems: string[] = []
  if ((accounts.characters === null) === (characters.account === null)) {
    problems.push('accounts.characters, characters.account: one of the two is a column, the other null')
  }
  const owner = luong === 'account' ? accounts : characters
  if (owner.luong === null) problems.push(`${luong}s.luong: the column of the luong is missing`)
  if (characters.server === null && servers.length > 1) {
    problems.push('servers: without a column characters.server there can be only one')
  }
  if (new Set(servers.map(({ id }) => id)).size < servers.length) problems.push('servers: an id stands twice')
  return problems
}

function problemsOfDatabase(url: string): string[] {
  const name = `database (or ${DATABASE_VARIABLE})`
  const fault = addressFault(url)
  if (fault !== null) return [`${name}: ${fault}`]
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isRight = parsed?.protocol === 'mysql:' && /^\/[^/]+$/.test(parsed.pathname)
  return isRight ? [] : [`${name}: an address such as mysql://user:password@127.0.0.1:3306/game`]
}
