import { total } from './verification.ts'
import { sum } from './numbers.ts'

/** One line of the table. */
export type Row = {
  fault: string
  name: string
  seed: number
  /** For how long the fault was on. */
  seconds: number
  /** Acts with a definite answer, refusals among them. */
  operations: number
  acknowledged: number
  /** How often the fault was brought about; what in detail, and what clients met. */
  injected: number
  detail: Record<string, number>
  /** From the end of the faults until everything is settled. */
  settleSeconds: number
  lost: number
  doubled: number
  /** Everything else that has to be zero. */
  books: Record<string, number>
  reconcile: Record<string, number>
  wrong: string[]
  isClean: boolean
}

type Named = Pick<Row, 'fault' | 'name' | 'seed'>

const NOTHING = {
  seconds: 0,
  operations: 0,
  acknowledged: 0,
  injected: 0,
  detail: {},
  settleSeconds: 0,
  lost: 0,
  doubled: 0,
  books: {},
  reconcile: {},
}

/** The line of a fault that was not brought to its end; the reason stands among what is wrong. */
export const unfinishedRow = (named: Named, reason: string): Row => ({
  ...named,
  ...NOTHING,
  wrong: [reason],
  isClean: false,
})

const all = (rows: readonly Row[], read: (row: Row) => number) => sum(rows.map(read))

/** One line a fault, as Markdown, for docs/measured.md; `figures` are the details that have a column, the largest of all seeds. */
export function tableOf(rows: readonly Row[], figures: readonly string[] = []): string {
  const ordered = rows.toSorted(
    (a, b) => Number(a.fault.slice(1)) - Number(b.fault.slice(1)) || a.seed - b.seed,
  )
  const most = (group: Row[], name: string) => {
    const found = group.flatMap(({ detail }) => detail[name] ?? [])
    return found.length === 0 ? '–' : Math.max(...found)
  }
  const lines = Object.values(Object.groupBy(ordered, ({ fault, name }) => `${fault} ${name}`)).map(
    (group = []) => ({
      Fault: `${group[0]?.fault} ${group[0]?.name}`,
      Seeds: group.map(({ seed }) => seed).join(', '),
      Seconds: Math.round(all(group, ({ seconds }) => seconds)),
      Operations: all(group, ({ operations }) => operations),
      Acknowledged: all(group, ({ acknowledged }) => acknowledged),
      Faults: all(group, ({ injected }) => injected),
      ...Object.fromEntries(figures.map((name) => [name, most(group, name)])),
      'Settled after, s': Math.max(...group.map(({ settleSeconds }) => settleSeconds)),
      Lost: all(group, ({ lost }) => lost),
      Doubled: all(group, ({ doubled }) => doubled),
      'Other books': all(group, ({ books }) => total(books)),
      'R1–R16': all(group, ({ reconcile }) => total(reconcile)),
      Wrong: all(group, ({ wrong }) => wrong.length),
    }),
  )
  const lineOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const heads = Object.keys(lines[0] ?? {})
  return [
    lineOf(heads),
    `|${'---|'.repeat(heads.length)}`,
    ...lines.map((line) => lineOf(Object.values(line))),
  ].join('\n')
}

const clockTime = () => new Date().toISOString().slice(11, 19)

/** A line of progress. */
export const say = (line: string) => console.log(`${clockTime()} ${line}`)
