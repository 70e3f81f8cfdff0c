import { charsetOf } from '../checks.ts'
import { quoted } from '../database.ts'
import { mended } from '../mended-text.ts'
import type { Tables } from '../presets.ts'
import type { Schema } from '../schema.ts'
import { textOf } from '../values.ts'
import type { Ask } from './samples.ts'

const READ_MAX = 1_000
const SHOWN_MAX = 40

/** Columns whose letters are UTF-8 that the database takes for latin1, and how they can be mended. */
export async function findingsOfLetters(
  ask: Ask,
  schema: Schema,
  { accounts, characters }: Tables,
): Promise<string[]> {
  const columns: [table: string, column: string | null][] = [
    [accounts.table, accounts.name],
    [accounts.table, accounts.characters],
    [characters.table, characters.name],
  ]
  const found: string[] = []
  for (const [table, column] of new Map(columns.map((each) => [each.join('.'), each])).values()) {
    if (column === null) continue
    const one = quoted(column)
    const rows = await ask(
      `SELECT ${one} AS value FROM ${quoted(table)} WHERE CONVERT(${one} USING utf8mb4) COLLATE utf8mb4_bin REGEXP '[^ -~]'
        LIMIT ${READ_MAX}`,
    )
    if (rows === null) {
      found.push(`not looked at, since it took too long: the letters of ${table}.${column}`)
      continue
    }
    const texts = rows.map(({ value }) => textOf(value) ?? '')
    const wrong = texts.filter((text) => mended(text) !== text)
    const charset = charsetOf(schema, table, column)
    if (wrong[0] !== undefined)
      found.push(
        `letters: ${table}.${column} (${charset}) holds UTF-8 that the database takes for latin1, in ${wrong.length} of ` +
          `${texts.length} values with marks, such as ${shortened(wrong[0])}, which means ${shortened(mended(wrong[0]))}. ` +
          `The adapter reads the letters that were meant and changes nothing. ${cureOf({ table, column, charset })}`,
      )
  }
  return found
}

const shortened = (text: string) => (text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`)

/** The bytes stay and are given their right name; a column of another character set holds them doubled. */
function cureOf({ table, column, charset }: { table: string; column: string; charset: string }): string {
  const [inTable, one] = [quoted(table), quoted(column)]
  const change =
    charset === 'latin1'
      ? `ALTER TABLE ${inTable} MODIFY ${one} BLOB, then MODIFY ${one} with its old type and CHARACTER SET utf8mb4`
      : `UPDATE ${inTable} SET ${one} = CONVERT(CAST(CONVERT(${one} USING latin1) AS BINARY) USING utf8mb4), for the rows concerned`
  return `To mend it, stop the game, make a backup, ${change}, and let the game connect with characterEncoding=UTF-8.`
}
