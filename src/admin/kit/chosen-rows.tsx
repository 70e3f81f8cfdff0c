import { useState, type ReactNode } from 'react'
import { kitCopy } from '#admin/kit/kit.copy.ts'

/** The rows that are ticked, also those of other pages; they are acted on as they were when they were ticked. */
export function useChosen<Row extends { id: string }>(rows: readonly Row[]) {
  const [chosen, setChosen] = useState<readonly Row[]>([])
  const choose = (ids: readonly string[]) => {
    const known = new Map([...chosen, ...rows].map((row) => [row.id, row]))
    setChosen(ids.flatMap((id) => known.get(id) ?? []))
  }
  return { chosen, choose, clear: () => setChosen([]) }
}

/** How many rows are ticked, and the acts on them. */
export const ChosenRows = ({ count, children }: { count: number; children: ReactNode }) => (
  <div role="status" className="flex flex-wrap items-center gap-3 rounded-lg bg-sunken px-3 py-2">
    <strong>{kitCopy.list.chosen(count)}</strong>
    {children}
  </div>
)
