import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '#server/platform/db/owner.ts'
import { aTransfer, notificationOf } from '#tests/support/signed-notifications.ts'
import { fetchOk } from '../harness/client.ts'
import { median, quantile } from '../harness/numbers.ts'
import type { BenchPortal } from './bench-portal.ts'
import { gatherStatistics } from './databases.ts'
import { openPage, type Page } from './streams.ts'
import { addOrders, fillPlayers, type Payable } from './world.ts'

/** Every so many notifications there is a player who reads the order. */
const WATCHED_EACH = 5
/** Until every process has read the settings again. */
const SETTINGS_MS = 6_000

/** Notifications of a bank at a steady pace, whatever the answers take. */
export async function benchNotices(
  portal: BenchPortal,
  { notices, perSecond }: { notices: number; perSecond: number },
) {
  const { databaseUrl, url } = portal
  await fillPlayers(databaseUrl)
  const warm = await addOrders(databaseUrl, perSecond)
  const orders = await addOrders(databaseUrl, notices)
  await sleep(SETTINGS_MS)
  for (const order of warm) await pay(url, order)
  await gatherStatistics(databaseUrl)
  const watched = orders.filter((_, index) => index % WATCHED_EACH === 0)
  const pages = new Map<string, Page>()
  for (const [code, token] of await tokensFor(databaseUrl, watched))
    pages.set(code, await openPage(portal, `/api/recharge/orders/${code}/events`, token))
  const credited: number[] = []
  const shown: number[] = []

  async function one(order: Payable): Promise<void> {
    const page = pages.get(order.code)
    const event = page?.next().then(() => performance.now())
    const since = performance.now()
    await pay(url, order)
    const answered = performance.now()
    credited.push(answered - since)
    if (event !== undefined) shown.push((await event) - answered)
    page?.close()
  }

  const begun: Promise<void>[] = []
  const start = performance.now()
  for (const [index, order] of orders.entries()) {
    await sleep(Math.max(0, start + (index * 1_000) / perSecond - performance.now()))
    begun.push(one(order))
  }
  await Promise.all(begun)
  const of = (samples: readonly number[]) => ({ p50: median(samples), p99: quantile(samples, 0.99) })
  return {
    notices,
    perSecond,
    // From the notification to its answer, which comes when the TCoin are in the wallet.
    creditedMs: of(credited),
    // From that answer to the event on the player's open page; below zero when the event was there first.
    shownMs: of(shown),
  }
}

/** A session for the player of each order, as a login would open it. */
async function tokensFor(ownerUrl: string, orders: readonly Payable[]) {
  const tokens = orders.map(({ code }) => [code, randomBytes(32).toString('base64url')] as const)
  await asOwner(ownerUrl, (client) =>
    client.query(
      `INSERT INTO sessions (user_id, token_hash, expires_at, user_agent, place, kind)
         SELECT o.user_id, given.hash, now() + interval '1 day', '', 'VN', 'player'
           FROM unnest($1::text[], $2::bytea[]) AS given (code, hash) JOIN payment_order o USING (code)`,
      [tokens.map(([code]) => code), tokens.map(([, token]) => createHash('sha256').update(token).digest())],
    ),
  )
  return tokens
}

async function pay(portalUrl: string, { code, amount }: Payable): Promise<void> {
  const transfer = aTransfer({ memo: `${code} nap tien`, amount })
  const { url: path, headers, body } = notificationOf({ provider: 'sepay', transfer, at: new Date() })
  await fetchOk(portalUrl, { path, headers, body })
}
