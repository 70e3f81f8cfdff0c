import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '#server/platform/db/owner.ts'
import { inMs, median, quantile } from '../harness/numbers.ts'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { fetchOk } from '../harness/client.ts'
import { addOrders, fillPlayers, type Payable, signedNotification } from './ledger/world.ts'
import type { MeasuredPortal } from './bench-portal.ts'
import { openPage, type Page } from './streams.ts'

const CREDITED_MS_MAX = { p50: 20, p99: 100 }
const SHOWN_MS_MAX = 100
/** Every so many notifications there is a player who reads the order. */
const WATCHED_EACH = 5
/** Until every process has read the settings again. */
const SETTINGS_MS = 6_000

/** Notifications of a bank at a steady pace, whatever the answers take. */
export async function benchNotices(
  measured: MeasuredPortal,
  { notices, perSecond }: { notices: number; perSecond: number },
) {
  const { portal, ownerUrl } = measured
  await fillPlayers(ownerUrl)
  const warm = await addOrders(ownerUrl, perSecond)
  const orders = await addOrders(ownerUrl, notices)
  await sleep(SETTINGS_MS)
  for (const order of warm) await pay(portal.url, order)
  await measured.gatherStatistics()
  const watched = orders.filter((_, index) => index % WATCHED_EACH === 0)
  const tokens = await tokensFor(ownerUrl, watched)
  const pages = new Map<string, Page>()
  for (const [code, token] of tokens)
    pages.set(code, await openPage(portal, `/api/recharge/orders/${code}/events`, token))
  const credited: number[] = []
  const shown: number[] = []
  const begun: Promise<void>[] = []
  const start = performance.now()
  for (const [index, order] of orders.entries()) {
    await sleep(Math.max(0, start + (index * 1_000) / perSecond - performance.now()))
    begun.push(one(order, pages.get(order.code)))
  }
  await Promise.all(begun)

  async function one(order: Payable, page?: Page): Promise<void> {
    const event = page?.next().then(() => performance.now())
    const since = performance.now()
    await pay(portal.url, order)
    const answered = performance.now()
    credited.push(answered - since)
    if (event === undefined) return
    shown.push((await event) - answered)
    page?.close()
  }

  const of = (samples: readonly number[]) => ({
    p50: inMs(median(samples)),
    p99: inMs(quantile(samples, 0.99)),
  })
  const isWithin =
    median(credited) <= CREDITED_MS_MAX.p50 &&
    quantile(credited, 0.99) <= CREDITED_MS_MAX.p99 &&
    quantile(shown, 0.99) <= SHOWN_MS_MAX
  return {
    notices,
    perSecond,
    // From the notification to its answer, which comes when the TCoin are in the wallet.
    creditedMs: of(credited),
    // From that answer to the event on the player's open page; below zero when the event was there first.
    shownMs: of(shown),
    isWithin,
  }
}

/** A session for the player of each order, as a login would open it. */
async function tokensFor(ownerUrl: string, orders: readonly Payable[]): Promise<Map<string, string>> {
  const tokens = orders.map(({ code }) => [code, randomBytes(32).toString('base64url')] as const)
  await asOwner(ownerUrl, (client) =>
    client.query(
      `INSERT INTO sessions (user_id, token_hash, expires_at, user_agent, place, kind)
         SELECT o.user_id, given.hash, now() + interval '1 day', '', 'VN', 'player'
           FROM unnest($1::text[], $2::bytea[]) AS given (code, hash) JOIN payment_order o USING (code)`,
      [tokens.map(([code]) => code), tokens.map(([, token]) => createHash('sha256').update(token).digest())],
    ),
  )
  return new Map(tokens)
}

async function pay(url: string, order: Payable): Promise<void> {
  await fetchOk(url, { path: '/api/webhooks/sepay', ...signedNotification(order, PAYMENT_KEYS.sepay) })
}
