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

/** What is not zero. */
export const offending = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))

const sum = (rows: readonly Row[], read: (row: Row) => number) =>
  rows.reduce((total, row) => total + read(row), 0)
export const total = (counts: Record<string, number>) =>
  Object.values(counts).reduce((all, count) => all + count, 0)

/** A table as Markdown. */
export function markdownOf(
  heads: readonly string[],
  lines: readonly (readonly (string | number)[])[],
): string {
  const lineOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [lineOf(heads), `|${'---|'.repeat(heads.length)}`, ...lines.map(lineOf)].join('\n')
}

const HEADS = [
  'Fault',
  'Seeds',
  'Seconds',
  'Operations',
  'Acknowledged',
  'Faults',
  'Settled after, s',
  'Lost',
  'Doubled',
  'Other books',
  'R1–R12',
  'Wrong',
]

/** One line a fault, as Markdown, for docs/measured.md. */
export function tableOf(rows: readonly Row[]): string {
  const ordered = rows.toSorted(
    (a, b) => Number(a.fault.slice(1)) - Number(b.fault.slice(1)) || a.seed - b.seed,
  )
  const lines = Object.values(Object.groupBy(ordered, ({ fault, name }) => `${fault} ${name}`)).map(
    (group = []) => [
      `${group[0]?.fault} ${group[0]?.name}`,
      group.map(({ seed }) => seed).join(', '),
      Math.round(sum(group, ({ seconds }) => seconds)),
      sum(group, ({ operations }) => operations),
      sum(group, ({ acknowledged }) => acknowledged),
      sum(group, ({ injected }) => injected),
      Math.max(...group.map(({ settleSeconds }) => settleSeconds)),
      sum(group, ({ lost }) => lost),
      sum(group, ({ doubled }) => doubled),
      sum(group, ({ books }) => total(books)),
      sum(group, ({ reconcile }) => total(reconcile)),
      sum(group, ({ wrong }) => wrong.length),
    ],
  )
  return markdownOf(HEADS, lines)
}
