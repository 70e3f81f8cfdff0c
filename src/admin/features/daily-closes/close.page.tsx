import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { formatNumber } from '#contract/format.ts'
import { operatorDailyCloses, type DailyCloseDetail } from '#contract/operator/daily-closes.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { CloseFigures } from '#admin/features/daily-closes/close-figures.tsx'
import { dayText } from './closes.copy.ts'
import { CloseRows } from './close-figures.tsx'
import { CloseStatus } from '#admin/features/daily-closes/close-status.tsx'
import { closesCopy as copy } from '#admin/features/daily-closes/closes.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { RunbookLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { showToast } from '#admin/kit/toast-store.ts'
import { useMay } from '#admin/session/console-session.ts'
import { read } from '#admin/query.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded key={id} query={read(operatorDailyCloses.get, { params: { id } })}>
      {(close) => <Close close={close} />}
    </Loaded>
  )
}

function Close({ close }: { close: DailyCloseDetail }) {
  const [isReading, setReading] = useState(false)
  const mayRead = useMay()('bank-transfers.match')
  return (
    <ScreenFrame
      title={`${copy.one} ${dayText(close.day)}`}
      acts={mayRead && <Button onClick={() => setReading(true)}>{copy.readAnew}</Button>}
    >
      {close.latest_id !== close.id && (
        <Alert tone="note">
          {copy.replaced} <Link to={`/daily-closes/${close.latest_id}`}>{copy.openLatest}</Link>
        </Alert>
      )}
      {close.status === 'not-compared' && (
        <Alert tone="note">
          {copy.notCompared}{' '}
          <RunbookLink file="daily-close.md" label={copy.notComparedRunbook}>
            {copy.notComparedRunbook}
          </RunbookLink>
        </Alert>
      )}
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
      {isReading && <ReadAnew id={close.id} onClose={() => setReading(false)} />}
    </ScreenFrame>
  )
}

function ReadAnew({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <ActDialog
      title={copy.readAnew}
      submitLabel={copy.readAnew}
      endpoint={operatorDailyCloses.readAnew}
      params={{ id }}
      onDone={(answer) => {
        showToast(
          answer.failed > 0
            ? copy.readPartly(formatNumber(answer.failed))
            : copy.readDone(formatNumber(answer.found)),
        )
        if (answer.id !== id) void navigate(`/daily-closes/${answer.id}`, { replace: true })
      }}
      onClose={onClose}
    >
      {() => <p>{copy.readAnewText}</p>}
    </ActDialog>
  )
}
