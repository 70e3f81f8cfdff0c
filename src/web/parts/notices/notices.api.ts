import { useEffect } from 'react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { BodyInputOf } from '#contract/endpoint.ts'
import type { listNotices, NoticeState, readNotices, readNoticesOfPage } from '#contract/notices.ts'
import type { listInvitations } from '#contract/tournament-teams.ts'
import { dated, isOlder, momentOf } from '#client/answer-age.ts'
import { serverNow } from '#client/server-clock.ts'
import { createStore, useStore } from '#client/store.ts'
import { browserCall } from '#web/browser-call.ts'
import { loadChunk } from '#web/load-chunk.tsx'
import { ownKey, ownQuery } from '#web/query-client.ts'

/** A page of notices: the latest ones, or those after another. */
export const noticesQuery = (after?: string) => ({
  ...ownQuery<typeof listNotices>('/notices', { query: after === undefined ? {} : { after } }),
  staleTime: 0,
})

const listsChanged = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: ownKey<typeof listNotices>('/notices') })

const invitationsChanged = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: ownKey<typeof listInvitations>('/tournaments/invitations') })

/** What the bell shows; null until it is known. */
export const noticeState = createStore<NoticeState | null>(null)

/**
 * Notices that are shown are read again when something has changed, and what the newest one has changed with it.
 * Of the first state of a page, a notice that came after the page was opened may be about what the page read before it.
 */
export function takeNoticeState(client: QueryClient, next: NoticeState): void {
  const before = noticeState.get()
  if (isOlder(next, before)) return
  noticeState.set(next)
  const { latest } = next
  const opened_ms = serverNow() - performance.now()
  const isNews = before
    ? JSON.stringify(before) !== JSON.stringify(next)
    : latest !== null && Date.parse(latest.created_at) >= opened_ms
  if (!isNews) return
  void listsChanged(client)
  if (latest === null || latest.id === before?.latest?.id) return
  if (latest.kind === 'recharge' || latest.kind === 'delivery') void readMoney(client)
  // Cases and claims are shown on several pages; what is not shown is read when it is. Of several notices at once only the latest is known.
  if (latest.kind === 'claim' || next.unread > (before?.unread ?? 0) + 1) void client.invalidateQueries()
  if (latest.kind === 'tournament') void invitationsChanged(client)
}

async function readMoney(client: QueryClient): Promise<void> {
  try {
    const { readMoneyAgain } = await loadChunk(() => import('#web/session/read-money-again.ts'))
    await readMoneyAgain(client)
  } catch {
    // Offline: it is read again when the tab becomes visible.
  }
}

export const markNoticesRead = (client: QueryClient, body: BodyInputOf<typeof readNotices>): Promise<void> =>
  browserCall<typeof readNotices>({ method: 'POST', path: '/notices/read' }, { body }).then(
    takeUnread(client),
  )

/**
 * Marks what leads to the shown page as read, when the page is opened and whenever a notice comes meanwhile. Where that fails they
 * stay unread.
 */
export function useNoticesSeen(href: string): void {
  const client = useQueryClient()
  const state = useStore(noticeState)
  const newest = state?.unread ? state.latest?.id : undefined
  useEffect(() => {
    if (!newest) return
    browserCall<typeof readNoticesOfPage>(
      { method: 'POST', path: '/notices/read-page' },
      { body: { href } },
    ).then(takeUnread(client), () => {})
  }, [client, href, newest])
}

/** Takes over how many are left unread. */
const takeUnread =
  (client: QueryClient) =>
  (answer: { unread: number }): Promise<void> => {
    const state = noticeState.get()
    if (state && !isOlder(answer, state))
      noticeState.set(dated({ ...state, unread: answer.unread }, momentOf(answer)))
    return listsChanged(client)
  }
