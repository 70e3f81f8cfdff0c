import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorStatistics } from '#contract/operator/statistics.ts'
import { comparedFigures, comparisonText } from '#admin/features/overview/comparison.ts'
import { overviewCopy as copy } from '#admin/features/overview/overview.copy.ts'
import { DataTable, type Column } from '#admin/kit/data-table.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { momentText } from '#admin/kit/format.ts'

const words = copy.comparison

type Compared = NonNullable<AnswerOf<typeof operatorStatistics.read>['compared']>
type Row = { id: string; label: string; now: string; before: string; comparison: string }

const columns: readonly Column<Row>[] = [
  { name: 'figure', label: words.figure, isName: true, cell: ({ label }) => label },
  { name: 'now', label: words.now, isNumber: true, cell: ({ now }) => now },
  { name: 'before', label: words.before, isNumber: true, cell: ({ before }) => before },
  { name: 'comparison', label: words.comparison, cell: ({ comparison }) => comparison },
]

/** Where nothing is known of the time before. */
const present = columns.filter(({ name }) => name === 'figure' || name === 'now')

/** Each figure of the days asked for beside that of as many days before. */
export function ComparedTable({ compared, label }: { compared: Compared | null; label: string }) {
  if (compared === null) return <p className="text-sm text-soft">{words.tooEarly}</p>
  const { now, before } = compared
  const rows = comparedFigures.flatMap(({ name, label, text }): Row[] => {
    const value = now.figures[name]
    if (value === null) return []
    const old = before?.figures[name] ?? null
    const comparison = comparisonText(value, old)
    return [
      { id: name, label, now: text(value), before: old === null ? kitCopy.time.none : text(old), comparison },
    ]
  })
  return (
    <div className="space-y-2">
      <p className="text-sm text-soft">
        {words.spans(momentText(now.from), momentText(now.to))}
        {before && ` ${words.beside(momentText(before.from), momentText(before.to))}`}
      </p>
      {before === null && <p className="text-sm text-soft">{words.nothingBefore}</p>}
      <DataTable label={label} columns={before === null ? present : columns} rows={rows} />
    </div>
  )
}
