import { serverNow } from '#client/server-clock.ts'
import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { consoleCall } from '#admin/console-call.ts'
import { messagesOf, useRefresh } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { useConsoleSession, useOperator } from '#admin/session/console-session.ts'
import { CallError } from '#client/call.ts'
import { randomId } from '#client/random-id.ts'
import { useStore } from '#client/store.ts'
import { showToast } from '#client/toasts.tsx'
import { type OperatorTournament, operatorTournaments as calls } from '#contract/operator/tournaments.ts'
import { deskCopy as copy } from './desk.copy.ts'
import {
  again,
  type DeskAct,
  QUEUED_MAX,
  type QueuedAct,
  type Taken,
  withAct,
  without,
  withWaiting,
} from './desk-queue.ts'
import { followOtherTabs, openStoredQueue, queueName, sendQueue } from './desk-sender.ts'
import { useLiveTournament } from './use-live-tournament.ts'

/** Without an answer in this time an act is sent again. */
const ANSWER_WITHIN_MS = 10_000

const WHOLE_CALLS = {
  pause: calls.pause,
  resume: calls.resume,
  'next-round': calls.nextRound,
  finish: calls.finish,
} as const

function callOf(id: string, { act, key, reason }: QueuedAct, updated_at: string): Promise<Taken> {
  const common = { updated_at, reason }
  const sent = { idempotencyKey: key }
  if (!('match' in act)) return consoleCall(WHOLE_CALLS[act.kind], { ...sent, params: { id }, body: common })
  const at = { ...sent, params: { id, match: act.match } }
  if (act.kind === 'call') return consoleCall(calls.callMatch, { ...at, body: common })
  if (act.kind === 'present') {
    const { side, is_present } = act
    return consoleCall(calls.markPresent, { ...at, body: { side, is_present, ...common } })
  }
  const { games1, games2, absent } = act
  return consoleCall(calls.saveResult, { ...at, body: { games1, games2, absent: [...absent], ...common } })
}

/** A network that swallows requests is like none. */
function within<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CallError(0, null)), ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Until the browser has a network again, at the latest after so long. */
const untilOnline = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })

/** Puts an answer into what is shown; of what is newer there already nothing is overwritten. */
async function takeAnswer(client: QueryClient, answer: Taken): Promise<void> {
  const { queryKey } = read(calls.get, { params: { id: answer.id } })
  // A read from before the act would overwrite it.
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, (shown: OperatorTournament | undefined) => {
    if (shown === undefined) return shown
    const { changed = [], ...row } = answer
    const matches = shown.matches.map((match) => {
      const other = changed.find(({ id }) => id === match.id)
      return other !== undefined && other.updated_at > match.updated_at ? other : match
    })
    return { ...shown, ...(row.updated_at > shown.updated_at && row), matches }
  })
  // Components hear of it in a later task. The act is taken out of the queue after that: in between the desk would show the
  // state before the act, and a tap would count from it.
  await new Promise<void>((resolve) => notifyManager.schedule(resolve))
}

export type Desk = ReturnType<typeof useDesk>

/** What the desk shows, and its acts: they are kept in this browser until the server has taken them. */
export function useDesk(tournament: OperatorTournament, reason: string) {
  const { id } = tournament
  const client = useQueryClient()
  const refresh = useRefresh()
  const { status } = useConsoleSession()
  const name = queueName(useOperator().id, id)
  const [store] = useState(() => openStoredQueue(name))
  const queue = useStore(store)
  useLiveTournament(id)
  const present = useRef({ tournament, status, refresh })
  useEffect(() => {
    present.current = { tournament, status, refresh }
  })
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    followOtherTabs(store, name, signal)
    const tools = {
      send: (queued: QueuedAct, updatedAt: string) => within(callOf(id, queued, updatedAt), ANSWER_WITHIN_MS),
      shown: () => present.current.tournament,
      maySend: () => navigator.onLine && present.current.status === 'signed-in',
      onTaken: (answer: Taken) => takeAnswer(client, answer),
      onRefused: () => present.current.refresh(),
      wait: (ms: number) => untilOnline(ms, signal),
      messageOf: (error: unknown) => messagesOf(error).join(' '),
      unsent: copy.queue.unsent,
    }
    void sendQueue(store, tools, signal)
    return () => leaving.abort()
  }, [client, id, name, store])

  const now = (act: DeskAct) => ({
    key: randomId(),
    at: new Date(serverNow()).toISOString(),
    shown:
      'match' in act
        ? (tournament.matches.find((match) => match.id === act.match)?.updated_at ?? null)
        : null,
  })
  return {
    queue,
    shown: withWaiting(tournament, queue),
    act(act: DeskAct) {
      const added = withAct(store.get(), { act, reason, ...now(act) })
      if (added === null) showToast(copy.queue.full(QUEUED_MAX), { isFailure: true })
      else store.set(added)
    },
    drop: (key: string) => store.set(without(store.get(), key)),
    redo: (old: QueuedAct) => store.set(again(store.get(), old, now(old.act))),
  }
}
