import { type GameNameKind, NAMES_AT_ONCE } from '#contract/operator/game/names.ts'

export type PastedName = { code: string; name: string; short: string }

export type Pasted = { names: PastedName[]; problem: string | null }

export const pastedCopy = {
  noLines: 'Chưa có dòng nào để nhập.',
  tooMany: `Mỗi lần nhập tối đa ${NAMES_AT_ONCE} dòng.`,
  noName: (line: number) => `Dòng ${line} thiếu tên: mỗi dòng gồm mã, dấu phẩy và tên.`,
  twice: (code: string) => `Mã ${code} có hai lần.`,
} as const

/** The first line of a file of the list. */
const HEADING = 'Mã'

const unquoted = (cell: string): string =>
  cell.startsWith('"') && cell.endsWith('"') && cell.length > 1
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell

/** The cells of one line as a file or a spreadsheet has them: between commas, semicolons or tabs, in quotes or not. */
function cellsOf(line: string): string[] {
  const [separator = ','] = /[\t;,]/.exec(line.replace(/"(?:[^"]|"")*"/g, '')) ?? []
  const cells = ['']
  let isQuoted = false
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted
    if (letter === separator && !isQuoted) cells.push('')
    else cells.push(`${cells.pop() ?? ''}${letter}`)
  }
  return cells.map((cell) => unquoted(cell.trim()).trim())
}

/** Reads lines of code and name, for classes also the short name; a problem names its line. */
export function readPasted(text: string, kind: GameNameKind): Pasted {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.some((cell) => cell !== '') && cells[0] !== HEADING)
  const names = lines.map(({ cells: [code = '', name = '', short = ''] }) => ({
    code,
    name,
    short: kind === 'class' ? short : '',
  }))
  const wrong = lines.find(({ cells: [code = '', name = ''] }) => code === '' || name === '')
  const seen = names.map(({ code }) => code)
  const twice = seen.find((code, index) => seen.indexOf(code) !== index)
  const problem =
    names.length === 0
      ? pastedCopy.noLines
      : names.length > NAMES_AT_ONCE
        ? pastedCopy.tooMany
        : wrong !== undefined
          ? pastedCopy.noName(wrong.number)
          : twice !== undefined
            ? pastedCopy.twice(twice)
            : null
  return { names, problem }
}
