import { formatNumber } from '#contract/format-number.ts'
import type { DailyCloseDetail } from '#contract/operator/daily-closes.ts'
import { Facts } from '#ui/facts.tsx'
import { CloseStatus } from '#admin/features/daily-closes/close-status.tsx'
import { closesCopy as copy } from '#admin/features/daily-closes/closes.copy.ts'
import { momentText, vnd } from '#admin/kit/format.ts'
import { Panel } from '#admin/kit/screen.tsx'

/** What the bank says and what we say of one account and day, line by line, and what became of the money. */
export const CloseFigures = ({ close }: { close: DailyCloseDetail }) => (
  <div className="grid items-start gap-4 lg:grid-cols-2">
    <Panel title={copy.comparison}>
      <Comparison close={close} />
      <Statements statements={close.statements} />
    </Panel>
    <Panel title={copy.became}>
      <Facts
        facts={[
          { label: copy.status, value: <CloseStatus status={close.status} /> },
          { label: copy.account, value: close.account_number },
          { label: copy.credited, value: vnd(close.credited_vnd) },
          { label: copy.review, value: vnd(close.review_vnd) },
          { label: copy.refunded, value: vnd(close.refunded_vnd) },
          { label: copy.ignored, value: vnd(close.ignored_vnd) },
          { label: copy.told, value: vnd(close.told_vnd) },
          { label: copy.due, value: `${formatNumber(close.due_coins)} TCoin` },
          { label: copy.ledger, value: `${formatNumber(close.ledger_coins)} TCoin` },
          { label: copy.orders, value: `${formatNumber(close.order_coins)} TCoin` },
          { label: copy.direct, value: `${formatNumber(close.direct_coins)} TCoin` },
          { label: copy.openEvents, value: formatNumber(close.open_events) },
          { label: copy.revision, value: formatNumber(close.revision) },
          { label: copy.madeAt, value: momentText(close.made_at) },
        ]}
      />
    </Panel>
  </div>
)

function Comparison({ close }: { close: DailyCloseDetail }) {
  const amount = (value: number | null) => (value === null ? copy.noStatement : vnd(value))
  const lines: [string, string, string][] = [
    [
      copy.inCount,
      close.bank_in_count === null ? copy.noStatement : formatNumber(close.bank_in_count),
      formatNumber(close.arrived_count),
    ],
    [copy.in, amount(close.bank_in_vnd), vnd(close.arrived_vnd)],
    [copy.out, amount(close.bank_out_vnd), vnd(close.left_vnd)],
  ]
  return (
    <table aria-label={copy.comparison} className="data-table">
      <thead>
        <tr>
          <th scope="col" aria-label={copy.item} />
          <th scope="col">{copy.bankSide}</th>
          <th scope="col">{copy.ours}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(([label, bank, ours]) => (
          <tr key={label}>
            <td data-label={copy.item}>{label}</td>
            <td data-label={copy.bankSide} data-number="">
              {bank}
            </td>
            <td data-label={copy.ours} data-number="">
              {ours}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Statements({ statements }: Pick<DailyCloseDetail, 'statements'>) {
  if (statements.length === 0) return <p className="mt-3 text-sm text-soft">{copy.noStatementYet}</p>
  return statements.map((statement) => (
    <section key={statement.provider} className="mt-4 space-y-2">
      <h3>{copy.statementOf(statement.provider)}</h3>
      <Facts
        facts={[
          { label: copy.readAt, value: momentText(statement.read_at) },
          { label: copy.in, value: `${vnd(statement.in_vnd)} (${formatNumber(statement.in_count)})` },
          { label: copy.out, value: `${vnd(statement.out_vnd)} (${formatNumber(statement.out_count)})` },
          { label: copy.unreadable, value: formatNumber(statement.unreadable) },
        ]}
      />
      {!statement.has_rows && <p className="text-sm text-soft">{copy.noRows}</p>}
    </section>
  ))
}
