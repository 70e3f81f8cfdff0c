import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { endSession, listSessions } from '#contract/auth.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { LoadFailure } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { outcomeCopy } from '#web/copy/outcomes.ts'
import { profileCopy as copy } from '#web/features/accounts/profile.copy.ts'
import { paths } from '#web/paths.ts'
import { apiQuery } from '#web/query-client.ts'
import { logOut } from '#web/session/session-store.ts'
import { formatMoment } from '#web/shell/format.ts'
import { showToast } from '#web/shell/toast-store.ts'
import { useSend } from '#web/use-send.ts'

export const sessionsQuery = apiQuery(listSessions)

type SessionRow = AnswerOf<typeof listSessions>[number]

/** Where the player is signed in, with a way to end each of these sessions. */
export function ProfileSessions() {
  const { data, isError, refetch } = useQuery({ ...sessionsQuery, staleTime: 0 })
  return (
    <section aria-labelledby="sessions-title" className="mt-10">
      <h2 id="sessions-title" className="text-xl">
        {copy.sessions}
      </h2>
      <p className="mt-1 mb-3 text-[0.9375rem] text-soft">{copy.sessionsLead}</p>
      {isError && !data && (
        <LoadFailure message={outcomeCopy.defaultFailure} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton className="h-20 w-full" />}
      {data && (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {data.map((row) => (
            <li
              key={row.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
            >
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-bold">
                  {row.device}
                  {row.is_current && <Badge tone="success">{copy.current}</Badge>}
                </p>
                <p className="flex flex-wrap gap-x-3 text-sm text-soft">
                  <span>{copy.openedAt(formatMoment(row.created_at))}</span>
                  <span>{copy.usedAt(formatMoment(row.last_used_at))}</span>
                </p>
              </div>
              {row.is_current ? <LogOut /> : <EndSession row={row} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function EndSession({ row }: { row: SessionRow }) {
  const client = useQueryClient()
  const { send, isSending } = useSend(endSession, {
    onDone: () => {
      showToast(copy.ended)
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <Button kind="plain" isBusy={isSending} onClick={() => void send({ params: { id: row.id } })}>
      {copy.end}
      <span className="sr-only">: {row.device}</span>
    </Button>
  )
}

function LogOut() {
  const navigate = useNavigate()
  async function leave() {
    // First away from the player's pages, so that their guard does not ask to log in again.
    await navigate(paths.home)
    await logOut()
  }
  return (
    <Button kind="plain" onClick={() => void leave()}>
      {copy.logout}
    </Button>
  )
}
