import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { ORDER_EVENTS_PATH, type RechargeOrder } from '#contract/recharge.ts'
import { addressOf } from '#client/call.ts'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { expectFirstRecharge, reportFirstRecharge } from '#web/features/recharge/report-first-recharge.ts'
import { refreshUser, useSession } from '#web/session/session-store.ts'
import { followOwnEvents } from '#web/parts/live/own-events.ts'

/** States that may still change: an expired order is credited when its money arrives late. */
const CHANGING: readonly RechargeOrder['status'][] = ['pending', 'expired', 'review']

export const mayChange = (order: RechargeOrder | undefined) =>
  order !== undefined && (CHANGING.includes(order.status) || isBuying(order))

/** Its TCoin are there and are about to buy something. */
const isBuying = ({ credited, purchase }: RechargeOrder) => credited > 0 && purchase?.state === 'waiting'

/** One order, updated: by the server's event stream while it is pending or buys something, otherwise by a read every ten seconds. */
export function useOrder(code: string) {
  const client = useQueryClient()
  const [isStreaming, setStreaming] = useState(false)
  const query = useQuery({
    ...orderQuery(code),
    staleTime: 0,
    // Back from the bank's app: read at once, the phone may have closed the stream meanwhile.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (!isStreaming && mayChange(state.data) ? REFETCH_INTERVAL_MS : false),
  })
  const order = query.data
  const isFollowed = order !== undefined && (order.status === 'pending' || isBuying(order))

  useEffect(() => {
    if (!isFollowed) return
    const leaving = new AbortController()
    const { queryKey } = orderQuery(code)
    void followOwnEvents<RechargeOrder>(addressOf(ORDER_EVENTS_PATH, { code }), {
      signal: leaving.signal,
      handlers: {
        // An older answer that is still on its way must not come after it.
        onEvent: (changed) => {
          void client.cancelQueries({ queryKey })
          client.setQueryData(queryKey, changed)
        },
        onStreaming: setStreaming,
      },
    })
    return () => {
      leaving.abort()
      setStreaming(false)
    }
  }, [client, code, isFollowed])

  const isNew = useBalanceOnCredit(order)
  const isLost = query.isRefetchError || query.fetchStatus === 'paused'
  return { error: query.error, refetch: query.refetch, order, isLost, isNew }
}

/**
 * Money that arrives while the page is open shows in the balance at once; otherwise its arrival is reported later. Returns
 * whether it has arrived while the page was open.
 */
function useBalanceOnCredit(order: RechargeOrder | undefined): boolean {
  const playerId = useSession().user?.id
  const [news, setNews] = useState<string | null>(null)
  const openCode = order && mayChange(order) && order.credited === 0 ? order.code : null

  useEffect(() => {
    if (playerId && openCode) void expectFirstRecharge(playerId, openCode)
  }, [playerId, openCode])

  const isBought = order?.purchase?.state === 'bought'
  useEffect(() => {
    if (isBought) void refreshUser()
  }, [isBought])

  const previous = useRef<{ code: string; credited: number } | null>(null)
  useEffect(() => {
    if (!order) return
    const before = previous.current?.code === order.code ? previous.current.credited : null
    previous.current = { code: order.code, credited: order.credited }
    if (before === null || before === order.credited) return
    void refreshUser()
    setNews(order.code)
    if (before === 0 && playerId) void reportFirstRecharge(playerId)
  }, [order, playerId])
  return news !== null && news === order?.code
}
