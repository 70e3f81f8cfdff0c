import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { Link } from '#web/navigation.tsx'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatDay, formatMoment, formatNumber } from '#contract/format.ts'
import {
  withdrawDeletion,
  type DeletionRequest,
  type getDeletionRequest,
} from '#contract/accounts/personal-data.ts'
import type { User } from '#contract/users.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { pages, paths } from '#contract/pages.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { AccountRow, Fold } from '#web/features/accounts/profile-parts.tsx'
import { deletionQuery } from '#web/features/accounts/accounts.api.ts'
import { personalDataCopy as copy } from '#web/features/accounts/personal-data.copy.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { lazyContent } from '#web/parts/fallbacks/lazy-content.tsx'
import { useSend } from '#web/parts/forms/use-send.ts'

const load = () => import('#web/features/accounts/personal-data-forms.tsx')
const DownloadForm = lazyContent(() => load().then((part) => part.DownloadForm), { height: 17 })
const DeletionForm = lazyContent(() => load().then((part) => part.DeletionForm), { height: 50 })

type Opened = 'download' | 'deletion'

/**
 * The player's stored data: a copy of it, and the request to erase it. The forms are loaded when their
 * dialogs are opened.
 */
export function PersonalDataSection({ user }: { user: User }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const query = useQuery({ ...deletionQuery, staleTime: 0 })
  const close = () => setOpened(null)
  return (
    <Fold title={copy.title} isOpen={Boolean(query.data?.request)}>
      <ul className="-mx-4 divide-y divide-line border-t border-line">
        <AccountRow title={pages.consents.title} why={copy.consentsWhy}>
          <Link to={paths.consents} className={buttonClass('plain')}>
            {copy.consents}
          </Link>
        </AccountRow>
        <AccountRow title={copy.copy} why={copy.downloadWhy}>
          <Button kind="plain" onClick={() => setOpened('download')}>
            {copy.download}
          </Button>
        </AccountRow>
        {query.data ? (
          <DeletionRow {...query.data} onRequest={() => setOpened('deletion')} />
        ) : (
          <AccountRow title={copy.deletion}>
            <Loaded query={query} skeleton={<Skeleton className="h-11 w-40" />}>
              {() => null}
            </Loaded>
          </AccountRow>
        )}
      </ul>
      {opened === 'download' && (
        <Dialog title={copy.download} onClose={close}>
          <DownloadForm onClose={close} />
        </Dialog>
      )}
      {opened === 'deletion' && (
        <Dialog title={copy.requestDeletion} onClose={close}>
          <DeletionForm user={user} onClose={close} />
        </Dialog>
      )}
    </Fold>
  )
}

type DeletionProps = AnswerOf<typeof getDeletionRequest> & { onRequest: () => void }

function DeletionRow({ days, request, onRequest }: DeletionProps) {
  const isOpen = request?.state === 'waiting' || request?.state === 'approved'
  return (
    <AccountRow
      title={copy.deletion}
      state={request && <State state={request.state} />}
      why={
        <>
          {request && <RequestState request={request} />}
          {!isOpen && <p>{copy.deletionHint(days)}</p>}
        </>
      }
    >
      {isOpen ? (
        <Withdraw />
      ) : (
        <Button kind="plain" onClick={onRequest}>
          {copy.requestDeletion}
        </Button>
      )}
    </AccountRow>
  )
}

function State({ state }: Pick<DeletionRequest, 'state'>) {
  if (state === 'withdrawn' || state === 'carried-out') return null
  return <Badge tone={state === 'refused' ? 'danger' : 'waiting'}>{copy.states[state]}</Badge>
}

function RequestState({ request }: { request: DeletionRequest }) {
  const { state, asked_at, due_at, given_up, message, ended_at } = request
  const at = formatMoment(ended_at ?? '')
  if (state === 'refused') return <p className="wrap-anywhere">{copy.refused(at, message ?? '')}</p>
  if (state === 'withdrawn') return <p>{copy.withdrawnAt(at)}</p>
  return (
    <>
      <p>{state === 'approved' ? copy.approved : copy.waiting(formatMoment(asked_at), formatDay(due_at))}</p>
      {given_up > 0 && <p>{copy.givenUp(formatNumber(given_up))}</p>}
    </>
  )
}

function Withdraw() {
  const client = useQueryClient()
  const { send, isSending } = useSend(withdrawDeletion, {
    onDone: () => {
      showToast(copy.withdrawn)
      void client.invalidateQueries({ queryKey: deletionQuery.queryKey })
    },
  })
  return (
    <Button kind="plain" isBusy={isSending} onClick={() => void send()}>
      {copy.withdraw}
    </Button>
  )
}
