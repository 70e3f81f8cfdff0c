import { useEffect, useState } from 'react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import type { TournamentEvent } from '#contract/tournaments.ts'
import { addressOf } from '#client/call.ts'
import { serverNow } from '#client/server-clock.ts'
import { followEvents } from '#client/live/follow-events.ts'
import { ownKey } from '#web/query-client.ts'
import { afterEvent, type Bracket, type TeamNames } from '#web/features/tournaments/live.ts'
import {
  bracketQuery,
  drawQuery,
  ownTeamPath,
  teamsQuery,
} from '#web/features/tournaments/tournaments.api.ts'
import { invitationsQuery } from '#web/parts/tournaments/own-invitations.tsx'

/** So that not all spectators read the bracket in the same moment. */
const JITTER_MS = 1_000

/** A timer that is set for later fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** The bracket, changed by what the server sends; polled while the stream is not open. */
export function useLiveBracket(id = '') {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({
    ...bracketQuery(id),
    refetchInterval: ({ state }) => (isLive(state.data) && !isOpen ? REFETCH_INTERVAL_MS : false),
  })
  const isFollowed = useFollowed(query.data)

  useEffect(() => {
    if (!isFollowed) return
    const leaving = new AbortController()
    const readAgain = reader(leaving.signal, () =>
      client.refetchQueries({ queryKey: bracketQuery(id).queryKey }),
    )
    const readTeamsAgain = reader(leaving.signal, () => readTeams(client, id))
    const address = () =>
      addressOf('/tournaments/{id}/events', { id }, { after: bracketNow(client, id)?.event ?? 0 })
    void followEvents<TournamentEvent>(address, {
      token: () => null,
      signal: leaving.signal,
      handlers: {
        onEvent: (event, eventId) => {
          const number = eventId === null ? null : Number(eventId)
          if (!apply(client, id, { number, event })) readAgain()
          if (event.areTeamsChanged) readTeamsAgain()
        },
        onStreaming: (isStreaming) => {
          setOpen(isStreaming)
          // What the passing of time has shown of a draw has no number to go on behind.
          if (isStreaming && isDrawing(bracketNow(client, id))) readAgain()
        },
      },
    })
    return () => leaving.abort()
  }, [client, id, isFollowed])

  return query
}

/** From the opening of registration on; what is over when the page is opened does not change any more. */
function useFollowed(bracket: Bracket | undefined): boolean {
  const [isFollowed, setFollowed] = useState(false)
  useEffect(() => {
    if (!bracket || isFollowed || isPast(bracket)) return
    const { opened_at, registration_start_at } = bracket.tournament
    const left_ms = opened_at === null ? Date.parse(registration_start_at) - serverNow() : 0
    const timer = setTimeout(() => setFollowed(true), Math.min(Math.max(left_ms, 0), TIMER_MAX_MS))
    return () => clearTimeout(timer)
  }, [bracket, isFollowed])
  return isFollowed
}

const bracketNow = (client: QueryClient, id: string) => client.getQueryData(bracketQuery(id).queryKey)

/** Whether the event could be applied. */
function apply(client: QueryClient, id: string, numbered: Parameters<typeof afterEvent>[1]): boolean {
  const bracket = bracketNow(client, id)
  if (!bracket) return true
  const next = afterEvent(bracket, numbered, namesNow(client, id))
  if (next === null) return false
  if (next !== bracket) client.setQueryData(bracketQuery(id).queryKey, next)
  return true
}

function namesNow(client: QueryClient, id: string): TeamNames {
  const drawn = client.getQueryData(drawQuery(id).queryKey)?.teams ?? []
  const listed = client.getQueryData(teamsQuery(id).queryKey) ?? []
  return new Map([...drawn, ...listed].map((team) => [team.id, team.name ?? '']))
}

/** Several wishes of one moment become one read. */
function reader(signal: AbortSignal, read: () => Promise<unknown>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void read()
    }, Math.random() * JITTER_MS)
  }
}

const readTeams = (client: QueryClient, id: string): Promise<unknown> =>
  Promise.all(
    [teamsQuery(id).queryKey, ownKey(ownTeamPath), invitationsQuery.queryKey].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

function phaseOf({ tournament }: Bracket) {
  return tournamentPhase(tournament, new Date(serverNow()))
}

const isPast = (bracket: Bracket) => ['finished', 'cancelled'].includes(phaseOf(bracket))

const isDrawing = (bracket: Bracket | undefined) => bracket !== undefined && phaseOf(bracket) === 'drawing'

/** Whether something may change at any moment: the draw is due, or matches are being played. */
const isLive = (bracket: Bracket | undefined) =>
  bracket !== undefined && ['running', 'drawing'].includes(phaseOf(bracket))
