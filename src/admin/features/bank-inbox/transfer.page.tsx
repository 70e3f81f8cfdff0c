import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { filterOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { readAddress } from '#admin/kit/list-address.ts'
import { RowPage } from '#admin/kit/loaded.tsx'
import { useScreenKeys } from '#admin/kit/screen-keys.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { showToast } from '#client/toasts.tsx'
import { reportFailure } from '#admin/kit/use-send.ts'
import { readList } from '#admin/query.ts'
import { useMay, useOperator } from '#admin/session/console-session.ts'
import { type BankTransferDetail, operatorBankTransfers } from '#contract/operator/bank-transfers.ts'
import { Button } from '#ui/button.tsx'
import { inboxCopy as copy, inboxFilters } from './inbox.copy.ts'
import { type Act, actsOn, Suggestions, TransferAct } from './transfer-acts.tsx'
import { FailedRefund, TransferFacts, TransferHistory, WaitingProposal } from './transfer-parts.tsx'

export const Component = () => (
  <RowPage endpoint={operatorBankTransfers.get}>{(transfer) => <Transfer transfer={transfer} />}</RowPage>
)

/** The acts are beside the suggested recipients; the keys do the same. */
function Transfer({ transfer }: { transfer: BankTransferDetail }) {
  const [act, setAct] = useState<Act | null>(null)
  const may = useMay()
  const { username } = useOperator()
  const { goTo, isGoing } = useNeighbours(transfer.id)
  const offered = actsOn(transfer, { may, username })
  const buttons = offered.filter(({ act: { name } }) => !['approve', 'reject', 'withdraw'].includes(name))
  useScreenKeys({
    j: { label: copy.next, act: () => void goTo('ASC') },
    k: { label: copy.previous, act: () => void goTo('DESC') },
    ...Object.fromEntries(
      offered.map(({ key, label, act: offeredAct }) => [key, { label, act: () => setAct(offeredAct) }]),
    ),
  })
  return (
    <ScreenFrame
      title={`${labels.transfer} ${transfer.id}`}
      acts={
        <>
          <Button kind="plain" isBusy={isGoing} onClick={() => void goTo('DESC')}>
            {copy.previous}
          </Button>
          <Button kind="plain" isBusy={isGoing} onClick={() => void goTo('ASC')}>
            {copy.next}
          </Button>
        </>
      }
    >
      <FailedRefund transfer={transfer} />
      {transfer.waiting && <WaitingProposal proposal={transfer.waiting} onAct={setAct} />}
      {buttons.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {buttons.map(({ key, label, act: offeredAct }, place) => (
            <Button
              key={key}
              kind={place === 0 ? 'main' : 'plain'}
              aria-keyshortcuts={key}
              onClick={() => setAct(offeredAct)}
            >
              {label}
              <kbd className="text-xs font-normal opacity-75 max-lg:hidden">{key}</kbd>
            </Button>
          ))}
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <TransferFacts transfer={transfer} />
        <Suggestions transfer={transfer} onAct={may('bank-transfers.match') ? setAct : null} />
      </div>
      <TransferHistory transfer={transfer} />
      {act && <TransferAct transfer={transfer} act={act} onClose={() => setAct(null)} />}
    </ScreenFrame>
  )
}

/** The one before and the one behind in the list it was opened from, in the order of arrival. */
function useNeighbours(id: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  const [params] = useSearchParams()
  const [isGoing, setGoing] = useState(false)
  const goTo = async (direction: 'ASC' | 'DESC') => {
    setGoing(true)
    try {
      const { filter } = readAddress(params, ['created_at', 'ASC'])
      const { rows } = await client.fetchQuery({
        ...readList(operatorBankTransfers.list, {
          sort: JSON.stringify(['created_at', direction]),
          range: '[0,0]',
          filter: JSON.stringify(filterOf(inboxFilters, filter)),
          after: id,
        }),
        staleTime: 0,
      })
      const [neighbour] = rows
      if (neighbour) void navigate(`/bank-transfers/${neighbour.id}${search}`)
      else showToast(copy.noNext)
    } catch (error) {
      reportFailure(error)
    } finally {
      setGoing(false)
    }
  }
  return { goTo, isGoing }
}
