import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { endOtherSessions, endSession, type listSessions } from '#contract/accounts/auth.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { logOut } from '#web/session/session-store.ts'
import { formatMoment } from '#contract/format.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { useSend } from '#web/parts/forms/use-send.ts'
import { ownQuery } from '#web/query-client.ts'

export const sessionsQuery = ownQuery<typeof listSessions>('/auth/sessions')

type SessionRow = AnswerOf<typeof listSessions>[number]

/** How many are shown at first. */
const SHOWN_FIRST = 3

/** Where the player is signed in, with a way to end each of these sessions. */
export function ProfileSessions() {
  const query = useQuery({ ...sessionsQuery, staleTime: 0 })
  return (
    <Section title={copy.sessions} titleClass="text-xl" className="mt-10">
      <p className="mt-1 mb-3 text-[0.9375rem] text-soft">{copy.sessionsLead}</p>
      <Loaded query={query} skeleton={<Skeleton className="h-20 w-full" />}>
        {(rows) => <SessionList rows={rows} />}
      </Loaded>
      <TextLink to={paths.signIns} className="mt-2">
        {copy.signInsLink}&nbsp;→
      </TextLink>
    </Section>
  )
}

function SessionList({ rows }: { rows: readonly SessionRow[] }) {
  const [isWhole, setWhole] = useState(false)
  // This device first.
  const ordered = [...rows.filter((row) => row.is_current), ...rows.filter((row) => !row.is_current)]
  const shown = isWhole ? ordered : ordered.slice(0, SHOWN_FIRST)
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        {shown.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-bold">
                {row.device}
                {row.is_current && <Badge tone="success">{copy.current}</Badge>}
              </p>
              <p className="text-sm text-soft">{row.place}</p>
              <p className="flex flex-wrap gap-x-3 text-sm text-soft">
                <span>{copy.openedAt(formatMoment(row.created_at))}</span>
                <span>{copy.usedAt(formatMoment(row.last_used_at))}</span>
              </p>
            </div>
            {row.is_current ? (
              <Button kind="plain" onClick={() => void logOut()}>
                {copy.logout}
              </Button>
            ) : (
              <EndSession row={row} />
            )}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-3">
        {shown.length < rows.length && (
          <Button kind="plain" onClick={() => setWhole(true)}>
            {copy.showAll(rows.length)}
          </Button>
        )}
        {rows.some((row) => !row.is_current) && <EndOthers />}
      </div>
    </>
  )
}

function EndOthers() {
  const { send, isSending } = useSend(endOtherSessions, { onDone: useAfterEnd(copy.endedOthers) })
  return (
    <Button kind="plain" isBusy={isSending} onClick={() => void send()}>
      {copy.endOthers}
    </Button>
  )
}

function EndSession({ row }: { row: SessionRow }) {
  const { send, isSending } = useSend(endSession, { onDone: useAfterEnd(copy.ended) })
  return (
    <Button kind="plain" isBusy={isSending} onClick={() => void send({ params: { id: row.id } })}>
      {copy.end}
      <span className="sr-only">: {row.device}</span>
    </Button>
  )
}

function useAfterEnd(message: string) {
  const client = useQueryClient()
  return () => {
    showToast(message)
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
}
