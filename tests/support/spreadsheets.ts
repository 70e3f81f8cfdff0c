import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runProgram } from './debian.ts'
import { leaveOut } from './left-out.ts'

const SAVING_MS_MAX = 60_000

type Saving = { from: string; to: string; folder: string }

/** What opens a file and saves it again as CSV: program and arguments. */
const SPREADSHEETS: Record<string, { program: string; args(saving: Saving): string[] }> = {
  Gnumeric: { program: 'ssconvert', args: ({ from, to }) => [from, to] },
  'LibreOffice in English': { program: 'soffice', args: (saving) => libreOffice(saving, 1033) },
  'LibreOffice in Vietnamese': { program: 'soffice', args: (saving) => libreOffice(saving, 1066) },
}

/** Comma, quotes, UTF-8, from the first line, numbers as in the language, dates and fractions recognised as Excel does. */
const libreOffice = ({ from, folder }: Saving, language: number): string[] => [
  // Two that run at once cannot share a profile.
  `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
  '--headless',
  `--infilter=CSV:44,34,76,1,,${language},false,true`,
  '--convert-to',
  'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false',
  '--outdir',
  join(folder, 'saved'),
  from,
]

const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** The spreadsheets of this machine; where there is none the run says what was left out. */
export async function installedSpreadsheets(): Promise<string[]> {
  const found = Object.keys(SPREADSHEETS).filter((name) => isInstalled(SPREADSHEETS[name]!.program))
  if (found.length === 0)
    await leaveOut('Left out: the tests of files in a spreadsheet, which need Gnumeric or LibreOffice.')
  return found
}

/** The cells of a CSV file after a spreadsheet has opened it and saved it again. */
export async function savedAgain(spreadsheet: string, csv: string): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'))
  const from = join(folder, 'file.csv')
  const to = join(folder, 'saved', 'file.csv')
  await writeFile(from, csv)
  await mkdir(join(folder, 'saved'))
  const { program, args } = SPREADSHEETS[spreadsheet]!
  const options = { timeout: SAVING_MS_MAX, env: { ...process.env, HOME: folder } }
  await runProgram(program, args({ from, to, folder }), options)
  return looseCsv((await readFile(to, 'utf8')).replace(/^\ufeff/, ''))
}

/** Lines end with LF or CRLF, and any cell may be quoted. */
function looseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gu)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}
