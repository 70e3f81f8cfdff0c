import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ActButton } from '#admin/kit/act-dialog.tsx'
import { type Column, DataTable } from '#admin/kit/data-table.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { kitCopy, labels } from '#admin/kit/kit.copy.ts'
import { OrderLink, RunbookLink } from '#admin/kit/links.tsx'
import { RowPage } from '#admin/kit/loaded.tsx'
import { PrivatePicture } from '#admin/kit/private-picture.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { showToast } from '#client/toasts.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import {
  CLOSE_PICTURE_PATH,
  type CloseRow,
  type DailyCloseDetail,
  operatorDailyCloses,
} from '#contract/operator/daily-closes.ts'
import { Alert } from '#ui/alert.tsx'
import { Facts } from '#ui/facts.tsx'
import { closesCopy as copy, CloseStatus, dayText } from './close-parts.tsx'
import { GiveFigures, TakeFile, useNextClose } from './given-statements.tsx'

export const Component = () => (
  <RowPage endpoint={operatorDailyCloses.get}>{(close) => <Close close={close} />}</RowPage>
)

function Close({ close }: { close: DailyCloseDetail }) {
  const mayRead = useMay()('bank-transfers.match')
  return (
    <ScreenFrame title={`${copy.one} ${dayText(close.day)}`} acts={mayRead && <CompareActs close={close} />}>
      {close.latest_id !== close.id && (
        <Alert tone="note">
          {copy.replaced} <Link to={`/daily-closes/${close.latest_id}`}>{copy.openLatest}</Link>
        </Alert>
      )}
      {close.status === 'not-compared' && (
        <Alert tone="note">
          {copy.notCompared}{' '}
          <RunbookLink file="daily-close.md" alarm="uncompared-closes" label={copy.notComparedRunbook}>
            {copy.notComparedRunbook}
          </RunbookLink>
        </Alert>
      )}
      {close.status === 'empty' && <Alert tone="note">{copy.emptyDay}</Alert>}
      {close.differences.length > 0 && (
        <Alert>
          <ul>
            {close.differences.map((name) => (
              <li key={name}>{copy.meanings[name] ?? name}</li>
            ))}
          </ul>
        </Alert>
      )}
      <CloseFigures close={close} />
      <Panel title={copy.rows}>
        <CloseRows rows={close.rows} status={close.status} />
      </Panel>
      {close.others.length > 0 && (
        <Panel title={copy.others}>
          <ul className="space-y-2">
            {close.others.map(({ id, account_number: account, status }) => (
              <li key={id} className="flex flex-wrap items-center gap-3">
                <Link to={`/daily-closes/${id}`}>{account}</Link> <CloseStatus status={status} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </ScreenFrame>
  )
}

/** The three ways to compare a day: the provider's list, a file of the bank, and figures read in its app. */
function CompareActs({ close }: { close: DailyCloseDetail }) {
  return (
    <>
      <GiveFigures id={close.id} />
      <TakeFile id={close.id} />
      <ReadAgain id={close.id} />
    </>
  )
}

function ReadAgain({ id }: { id: string }) {
  const goOn = useNextClose(id)
  return (
    <ActButton
      label={copy.readAgain}
      endpoint={operatorDailyCloses.readAnew}
      params={{ id }}
      onClosed={(answer) => {
        showToast(
          answer.failed > 0
            ? copy.readPartly(formatNumber(answer.failed))
            : copy.readDone(formatNumber(answer.found)),
        )
        goOn(answer.id)
      }}
      text={copy.readAgainText}
    />
  )
}

/** The bank's figures and ours of one account and day, line by line, and how the money was used. */
export const CloseFigures = ({ close }: { close: DailyCloseDetail }) => (
  <div className="grid items-start gap-4 lg:grid-cols-2">
    <Panel title={copy.comparison}>
      <Comparison close={close} />
      <Statements close={close} />
    </Panel>
    <Panel title={copy.became}>
      <Facts
        facts={[
          { label: copy.status, value: <CloseStatus status={close.status} /> },
          { label: labels.account, value: close.account_number },
          { label: labels.credited, value: vnd(close.credited_vnd) },
          { label: copy.review, value: vnd(close.review_vnd) },
          { label: copy.refunded, value: vnd(close.refunded_vnd) },
          { label: copy.ignored, value: vnd(close.ignored_vnd) },
          { label: copy.notified, value: vnd(close.told_vnd) },
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

function Statements({ close: { id, statements } }: { close: DailyCloseDetail }) {
  if (statements.length === 0) return <p className="mt-3 text-sm text-soft">{copy.noStatementYet}</p>
  return statements.map((statement) => (
    <section key={statement.provider} className="mt-4 space-y-2">
      <h3>{copy.statementOf(statement.provider)}</h3>
      <Facts
        facts={[
          { label: copy.readAt, value: momentText(statement.read_at) },
          ...(statement.given_by ? [{ label: copy.givenBy, value: statement.given_by.username }] : []),
          { label: copy.in, value: `${vnd(statement.in_vnd)} (${formatNumber(statement.in_count)})` },
          { label: copy.out, value: `${vnd(statement.out_vnd)} (${formatNumber(statement.out_count)})` },
          { label: copy.unreadable, value: formatNumber(statement.unreadable) },
        ]}
      />
      {!statement.has_rows && <p className="text-sm text-soft">{copy.noRows}</p>}
      {statement.has_picture && (
        <PrivatePicture path={CLOSE_PICTURE_PATH.replace('{id}', id)} alt={copy.proofAlt} />
      )}
    </section>
  ))
}

type Row = CloseRow & { id: string }

/** A column of what some rows have, and whether a row has it. */
const part = <Name extends keyof CloseRow>(
  name: Name,
  label: string,
  cell: (value: NonNullable<CloseRow[Name]>) => ReactNode,
  isNumber = false,
): Column<Row> & { isThere: (row: Row) => boolean } => ({
  name,
  label,
  isNumber,
  cell: ({ [name]: value }) => (value === null ? kitCopy.time.none : cell(value)),
  isThere: ({ [name]: value }) => value !== null,
})

const columns = [
  part('bank_transfer_id', labels.transfer, (id) => <Link to={`/bank-transfers/${id}`}>{id}</Link>),
  part('order_code', labels.order, (code) => <OrderLink code={code} />),
  part('payment_event_id', copy.event, (id) => <Link to={`/payment-events/${id}`}>{id}</Link>),
  part('listed_id', copy.bankRow, (id) => id),
  part('our_vnd', copy.ourVnd, vnd, true),
  part('bank_vnd', copy.bankVnd, vnd, true),
  part('due_coins', copy.dueCoins, formatNumber, true),
  part('ledger_coins', labels.credited, formatNumber, true),
]

/** Of each kind of difference its rows, with the columns that describe them. */
export function CloseRows({ rows, status }: Pick<DailyCloseDetail, 'rows' | 'status'>) {
  if (rows.length === 0)
    return <p>{status === 'not-compared' ? copy.noDifferenceAmongOurs : copy.noDifference}</p>
  return rows.map(({ kind, found, first }) => {
    const listed = first.map((row, index) => ({ ...row, id: String(index) }))
    return (
      <section key={kind} className="mb-4 space-y-2 last:mb-0">
        <h3>
          {copy.kinds[kind]}{' '}
          <span className="text-sm text-soft">{copy.firstOf(first.length, formatNumber(found))}</span>
        </h3>
        <DataTable
          label={copy.kinds[kind]}
          columns={columns.filter(({ isThere }) => listed.some(isThere))}
          rows={listed}
        />
      </section>
    )
  })
}
