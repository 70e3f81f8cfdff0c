import { formatNumber } from '#contract/format.ts'
import { GEMS_PER_LEVEL, gemsBetween } from '#contract/gems.ts'
import { gemsCopy as copy } from '#web/features/gems/gems.copy.ts'

const cell = 'px-3 py-2 tabular-nums sm:px-5'
const figure = `${cell} text-right`

/** The gems for each level; the chosen levels are highlighted. */
export function GemTable({ from, to }: { from: number; to: number }) {
  return (
    <table
      aria-label={copy.table}
      className="w-full max-w-xl border-collapse overflow-hidden rounded-xl border border-line bg-raised"
    >
      <thead className="bg-sunken text-sm">
        <tr>
          <th scope="col" className={`${cell} text-left`}>
            {copy.tableLevel}
          </th>
          <th scope="col" className={figure}>
            {copy.tableGems}
          </th>
          <th scope="col" className={figure}>
            {copy.tableSum}
          </th>
        </tr>
      </thead>
      <tbody>
        {GEMS_PER_LEVEL.map((gems, below) => {
          const level = below + 1
          const isChosen = below >= from && level <= to
          return (
            <tr key={level} className={`border-t border-line ${isChosen ? 'bg-wash font-bold' : ''}`}>
              <th
                scope="row"
                className={`${cell} border-l-4 text-left ${isChosen ? 'border-l-vermilion' : 'border-l-transparent font-normal'}`}
              >
                {copy.level(level)}
              </th>
              <td className={figure}>{formatNumber(gems)}</td>
              <td className={figure}>{formatNumber(gemsBetween(0, level) ?? 0)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
