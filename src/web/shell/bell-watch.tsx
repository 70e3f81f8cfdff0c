import { useEffect, useSyncExternalStore } from 'react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { REFETCH_INTERVAL_MS, UNREAD_MAX } from '#contract/constants.ts'
import { NOTICE_EVENTS_PATH, type NoticeState } from '#contract/notices.ts'
import { dated, momentOf } from '#client/answer-age.ts'
import { addressOf } from '#client/call.ts'
import { followEvents } from '#client/live/follow-events.ts'
import { useStore } from '#client/store.ts'
import { datedEvent, onOwnEvent, useOwnStreams } from '#web/parts/live/own-events.ts'
import { noticesQuery, noticeState, takeNoticeState } from '#web/parts/notices/notices.api.ts'
import { readToken } from '#web/session/token.ts'

export { NoticesPanel } from '#web/parts/notices/notices-panel.tsx'

/** How often notices are read while the server refuses the stream. */
const POLL_MS = 60_000

/** How many notices are unread, beside the bell. */
export function UnreadCount() {
  useNoticeWatch()
  const unread = useStore(noticeState)?.unread ?? 0
  if (unread === 0) return <output className="sr-only" />
  const count = unread < UNREAD_MAX ? unread : `${UNREAD_MAX - 1}+`
  return (
    <>
      <span aria-hidden="true" translate="no" className="bell-count">
        {count}
      </span>
      <output className="sr-only">{count} thông báo chưa đọc</output>
    </>
  )
}

/**
 * Keeps the bell up to date while the page is visible. A page has one stream open: its own about an order or a purchase,
 * whose events are what most notices are about, or else that of the notices. Browsers open only six connections to a server
 * without HTTP/2, for all tabs together.
 */
function useNoticeWatch(): void {
  const client = useQueryClient()
  const isVisible = useIsVisible()
  const hasStream = useOwnStreams() > 0
  useEffect(() => {
    if (!isVisible) return
    return hasStream ? watchByReading(client) : watchByStream(client)
  }, [client, isVisible, hasStream])
  useEffect(() => () => noticeState.set(null), [])
}

function watchByReading(client: QueryClient): () => void {
  const read = () => void readState(client)
  read()
  const timer = setInterval(read, REFETCH_INTERVAL_MS)
  const stop = onOwnEvent(read)
  return () => {
    clearInterval(timer)
    stop()
  }
}

function watchByStream(client: QueryClient): () => void {
  const leaving = new AbortController()
  let timer: ReturnType<typeof setInterval> | undefined
  void followEvents<NoticeState>(addressOf(NOTICE_EVENTS_PATH), {
    signal: leaving.signal,
    token: readToken,
    handlers: {
      onEvent: (state, id) => takeNoticeState(client, datedEvent(state, id)),
      onStreaming(isStreaming) {
        clearInterval(timer)
        if (!isStreaming) timer = setInterval(() => void readState(client), POLL_MS)
      },
    },
  })
  return () => {
    leaving.abort()
    clearInterval(timer)
  }
}

async function readState(client: QueryClient): Promise<void> {
  try {
    const read = await client.fetchQuery(noticesQuery())
    const { data, payload } = read
    takeNoticeState(client, dated({ unread: payload.unread, latest: data[0] ?? null }, momentOf(read)))
  } catch {
    // The next poll tries again.
  }
}

const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
    () => false,
  )
