import { readFile, writeFile } from 'node:fs/promises'
import type { NewNames } from '#server/modules/account-import/index.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { readCells } from '#server/platform/values/spreadsheet-cells.ts'

/** As many as a sheet of a spreadsheet has. */
const ROWS_MAX = 1_048_575

/**
 * Reads the columns `key` and `new_name` of a report, as it was written or as a spreadsheet saved it; lines without a new name
 * change nothing.
 */
export async function readNewNames(file: string): Promise<NewNames> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new SetupProblem(`${file} cannot be read (${error.code})`)
  })
  const [titles = [], ...lines] = readCells(bytes, ROWS_MAX)
  const [keyAt, nameAt] = [titles.indexOf('key'), titles.indexOf('new_name')]
  if (keyAt === -1 || nameAt === -1)
    throw new SetupProblem(
      `${file} has to begin with a line of titles, among them key and new_name, as a report has`,
    )
  const newNames = new Map<string, string>()
  for (const cells of lines) {
    // The mark by which a report keeps a spreadsheet from changing a text.
    const [key, name] = [cells[keyAt], cells[nameAt]].map((cell) => `${cell ?? ''}`.trim().replace(/^'/, ''))
    if (key === undefined || name === undefined || name === '') continue
    if (newNames.has(key)) throw new SetupProblem(`${file} names the key ${key} twice`)
    newNames.set(key, name)
  }
  return newNames
}

const inQuotes = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
const inBackticks = (name: string) => `\`${name.replaceAll('`', '``')}\``

/** By which the game gets the names of the portal; the portal itself writes nothing there. A repeat changes nothing. */
export async function writeRenames(
  file: string,
  { table, id, name }: { table: string; id: string; name: string },
  newNames: NewNames,
): Promise<void> {
  const lines = [...newNames].map(
    ([key, newName]) =>
      `UPDATE ${inBackticks(table)} SET ${inBackticks(name)} = ${inQuotes(newName)} WHERE ${inBackticks(id)} = ${inQuotes(key)};\n`,
  )
  await writeFile(file, ['SET NAMES utf8mb4;\n', ...lines].join(''), { mode: 0o600 })
}
