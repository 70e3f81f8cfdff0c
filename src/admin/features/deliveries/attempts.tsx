import { operatorDeliveries, type DeliveryAttempt } from '#contract/operator/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { deliveriesCopy } from '#admin/features/deliveries/deliveries.copy.ts'
import { DataTable, type Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'

const copy = deliveriesCopy.attempts

const columns: readonly Column<DeliveryAttempt>[] = [
  { name: 'at', label: copy.at, cell: ({ asked_at }) => momentText(asked_at) },
  { name: 'asked', label: copy.asked, cell: ({ asked }) => copy.askedNames[asked] },
  { name: 'answer', label: copy.answer, cell: ({ answer }) => copy.answers[answer] },
  { name: 'note', label: copy.note, cell: ({ note }) => <span className="wrap-anywhere">{note}</span> },
  {
    name: 'took',
    label: copy.took,
    isNumber: true,
    cell: ({ took_ms }) => copy.ms(formatNumber(took_ms)),
  },
  {
    name: 'by',
    label: copy.by,
    cell: ({ operator }) => (operator === null ? copy.worker : <PersonLink person={operator} />),
  },
]

/** Everything the game was asked about a delivery. */
export function Attempts({ id }: { id: string }) {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(operatorDeliveries.attempts, { params: { id } })}>
        {(attempts) =>
          attempts.length === 0 ? (
            <p className="text-soft">{copy.none}</p>
          ) : (
            <DataTable label={copy.title} columns={columns} rows={attempts} />
          )
        }
      </Loaded>
    </Panel>
  )
}
