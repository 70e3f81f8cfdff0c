import { request, type IncomingMessage } from 'node:http'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { anAddress } from '#tests/support/players.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchOk } from '../harness/client.ts'
import { residentMb } from '../harness/resources.ts'
import { median, quantile } from '../harness/numbers.ts'
import { benchPlayers, withBenchPortal } from './bench-portal.ts'

const PAGES = 5

export type Page = { next(): Promise<void>; close(): void }

/** Open live pages of many players; meanwhile one of them cancels an order that their pages show, again and again. */
export const benchStreams = (options: {
  streams: number
  events: number
  /** Before the first event, for the streams to poll. */
  restMs: number
}) =>
  withBenchPortal(async (portal) => {
    const players = await benchPlayers(portal, options.streams / PAGES)
    const handlesBefore = await handlesOf(portal)
    const pages: Page[] = []
    for (const { token } of players)
      for (let n = 0; n < PAGES; n++) pages.push(await openPage(portal, '/api/user/deliveries/events', token))
    await sleep(options.restMs)
    const times: number[] = []
    for (let n = 0; n < options.events; n++)
      times.push(await cancelAnOrder(portal, players[n % players.length]?.token ?? ''))
    const mb = await residentMb(portal)
    for (const page of pages) page.close()
    await sleep(1_000)
    return {
      streams: pages.length,
      residentMb: mb,
      // From the player's click to the event on the last of their pages.
      p50Ms: median(times),
      p99Ms: quantile(times, 0.99),
      handlesLeft: (await handlesOf(portal)) - handlesBefore,
    }
  })

const handlesOf = async ({ pid }: PortalProcess) => (await readdir(`/proc/${pid}/fd`)).length

async function cancelAnOrder(portal: PortalProcess, token: string): Promise<number> {
  const body = { channel: 2, amount: 50_000 }
  const order = await fetchOk(portal.url, { path: '/api/recharge/orders', token, body })
  const path = `/api/recharge/orders/${order.body.code}`
  const watching: Page[] = []
  for (let n = 0; n < PAGES; n++) watching.push(await openPage(portal, `${path}/events`, token))
  const shown = watching.map((page) => page.next())
  const since = performance.now()
  await Promise.all([...shown, fetchOk(portal.url, { path: `${path}/cancel`, token, body: {} })])
  const ms = performance.now() - since
  for (const page of watching) page.close()
  return ms
}

/** A live page that has got its first state. */
export async function openPage({ url }: PortalProcess, path: string, token: string): Promise<Page> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': anAddress() }
  const outgoing = request(url + path, { agent: false, headers }, resolve).on('error', reject)
  outgoing.end()
  const answer = await promise
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`)
  const waiting: (() => void)[] = []
  let events = 0
  answer.on('data', (piece: Buffer) => {
    if (!piece.toString().includes('data: ')) return
    events++
    for (const go of waiting.splice(0)) go()
  })
  answer.on('error', () => {})
  const next = () => new Promise<void>((go) => waiting.push(go))
  if (events === 0) await next()
  return { next, close: () => outgoing.destroy() }
}
