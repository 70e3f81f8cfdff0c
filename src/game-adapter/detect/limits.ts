import { quoted } from '../database.ts'
import { findColumn, type Column, type Schema } from '../schema.ts'
import { nameOf, NAME_LENGTH, textOf } from '../values.ts'
import type { Guess } from './guess.ts'
import type { Samples } from './samples.ts'

/** What no plain password is as long as. */
const HASH_LENGTH = 32
const SHARE_OF_FEW = 0.02

type Limits = {
  section: { name?: { most?: number; letters?: string }; password?: { most: number } }
  findings: string[]
}

/** What the game's columns take as names and passwords, as far as columns and rows tell it. */
export async function limitsOf(
  schema: Schema,
  samples: Samples,
  { accounts, password }: Pick<Guess, 'accounts' | 'password'>,
): Promise<Limits> {
  const table = schema.tables.find(({ path }) => path === accounts.table)
  const [name, secret] = [accounts.name, password].map((one) => findColumn(schema, accounts.table, one))
  if (table === undefined || name === undefined || secret === undefined) return { section: {}, findings: [] }
  const names = (await samples.values(table, name.name)).map((value) => nameOf(value) ?? '')
  const secrets = (await samples.values(table, secret.name)).map((value) => textOf(value) ?? '')
  const isShort = name.length > 0 && name.length < NAME_LENGTH.max
  const isPlain =
    secret.length > 0 && secret.length < HASH_LENGTH && !secrets.some((text) => text.length >= HASH_LENGTH)
  const odd = names.filter((text) => /[^A-Za-z0-9]/.test(text)).length
  const letters = names.length > 0 && odd <= names.length * SHARE_OF_FEW ? { letters: 'a-z0-9' } : {}
  return {
    section: {
      name: { ...(isShort ? { most: name.length } : {}), ...letters },
      ...(isPlain ? { password: { most: secret.length } } : {}),
    },
    findings: [
      ...(isShort
        ? [
            `column too small: ${accounts.table}.${name.name} takes ${name.length} characters, names of the portal have up to ${NAME_LENGTH.max}: ` +
              `limits.name.most keeps new players to ${name.length}. To take more, stop the game, make a backup, ${widened(accounts.table, name, NAME_LENGTH.max)}, look whether the game's own login takes them too, and remove limits.name.most`,
          ]
        : []),
      ...(isPlain
        ? [
            `limits.password.most: ${accounts.table}.${secret.name} takes ${secret.length} characters and holds no hashes; a game that asks the portal for passwords needs no limit but that of its login screen`,
          ]
        : []),
    ],
  }
}

/** With what the column has besides its length, except NOT NULL and its default, which only its owner knows by SHOW CREATE TABLE. */
const widened = (table: string, { name, charset, collation }: Column, length: number) =>
  `ALTER TABLE ${quoted(table)} MODIFY ${quoted(name)} VARCHAR(${length}) CHARACTER SET ${charset} COLLATE ${collation} NOT NULL`
