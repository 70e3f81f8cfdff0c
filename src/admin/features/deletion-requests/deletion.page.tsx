import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { RowPage } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import {
  describeMatter,
  type OperatorDeletion,
  type OperatorDeletionDetail,
  operatorDeletions,
} from '#contract/operator/deletion-requests.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { TextArea } from '#ui/field.tsx'
import { deletionsCopy as copy, DeletionState, DueAt } from './deletion-parts.tsx'

export const Component = () => (
  <RowPage endpoint={operatorDeletions.get}>{(request) => <Deletion request={request} />}</RowPage>
)

/** While a worker carries it out, the screen refreshes. */
const REFRESH_MS = 5_000

function Deletion({ request }: { request: OperatorDeletionDetail }) {
  const [act, setAct] = useState<ActName | null>(null)
  const isWaiting = useMay()('users.erase') && request.state === 'waiting'
  useQuery({
    ...read(operatorDeletions.get, { params: { id: request.id } }),
    refetchInterval: request.state === 'approved' ? REFRESH_MS : false,
  })
  return (
    <ScreenFrame
      title={`${copy.one} ${request.id}`}
      acts={
        isWaiting && (
          <>
            <Button onClick={() => setAct('carryOut')}>{copy.carryOut.label}</Button>
            <Button kind="plain" onClick={() => setAct('refuse')}>
              {copy.refuse.label}
            </Button>
          </>
        )
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title={copy.facts}>
          <Facts facts={factsOf(request)} />
        </Panel>
        <OpenItems request={request} />
      </div>
      {act && <DeletionAct request={request} act={act} onClose={() => setAct(null)} />}
    </ScreenFrame>
  )
}

function OpenItems({ request }: { request: OperatorDeletionDetail }) {
  const { state, open_matters, hindered_by } = request
  return (
    <Panel title={copy.matters}>
      <div className="space-y-3">
        {open_matters.length === 0 && <p>{leadOf(state)}</p>}
        {open_matters.length > 0 && <Matters lead={copy.mattersLead} matters={open_matters} />}
        {hindered_by !== null && state === 'waiting' && (
          <Matters lead={copy.hindered} matters={hindered_by} />
        )}
      </div>
    </Panel>
  )
}

function leadOf(state: OperatorDeletion['state']): string {
  if (state === 'waiting') return copy.noMatters
  return state === 'approved' ? copy.approvedLead : copy.noMattersOver
}

function Matters({ lead, matters }: { lead: string; matters: OperatorDeletionDetail['open_matters'] }) {
  return (
    <div>
      <p>{lead}</p>
      <ul className="mt-1 list-disc pl-5">
        {matters.map((one) => (
          <li key={one.matter}>{describeMatter(one)}</li>
        ))}
      </ul>
    </div>
  )
}

const factsOf = (request: OperatorDeletion) => [
  { label: labels.state, value: <DeletionState state={request.state} /> },
  { label: labels.player, value: <PersonLink person={request.user} /> },
  { label: copy.requestedAt, value: momentText(request.asked_at) },
  { label: copy.dueAt, value: <DueAt {...request} /> },
  { label: copy.givenUp, value: copy.coins(formatNumber(request.given_up)) },
  ...(request.decided_by === null
    ? []
    : [
        { label: copy.decidedBy, value: <PersonLink person={request.decided_by} /> },
        { label: copy.decidedAt, value: momentText(request.decided_at) },
      ]),
  ...(request.message === null ? [] : [{ label: copy.message, value: request.message }]),
  ...(request.attempt === 0 ? [] : [{ label: copy.attempt, value: formatNumber(request.attempt) }]),
  ...(request.ended_at === null ? [] : [{ label: copy.endedAt, value: momentText(request.ended_at) }]),
]

type ActName = 'carryOut' | 'refuse'

type Props = { request: OperatorDeletion; act: ActName; onClose: () => void }

function DeletionAct({ request, act, onClose }: Props) {
  const common = { params: { id: request.id }, onClose }
  if (act === 'carryOut')
    return (
      <ActDialog
        {...common}
        title={`${copy.carryOut.label} ${request.user.username}`}
        submitLabel={copy.carryOut.label}
        endpoint={operatorDeletions.carryOut}
        text={copy.carryOut.text}
      />
    )
  return (
    <ActDialog
      {...common}
      title={copy.refuse.submit}
      endpoint={operatorDeletions.refuse}
      start={{ message: '' }}
      text={copy.refuse.text}
    >
      {(form) => <TextArea {...form.field('message')} label={copy.refuse.message} maxLength={1_000} />}
    </ActDialog>
  )
}
