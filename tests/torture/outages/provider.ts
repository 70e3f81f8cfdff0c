import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeProviders } from '#tests/fakes/provider-server.ts'
import { fetchAnswer } from '../../harness/client.ts'
import { SEPAY_TOKEN, startBank } from '../../harness/fleet.ts'
import { post, register, transferFor, type Newcomer } from '../../harness/players.ts'
import type { FaultRun } from '../faults/fault.ts'
import { openProxy, type Proxy } from '../../harness/proxy.ts'
import type { Outage } from './outage.ts'

const ORDERS = '/api/recharge/orders'
const AMOUNT = 50_000
const VIETCOMBANK = 2
const MOMO = 1
const BETWEEN_MS = 5_000
const MOMO_MS_MAX = 45_000
/** A player may have three open orders. */
const UNREPORTED_MAX = 3

/**
 * SePay notifies of no transfer and its list does not answer, nor does MoMo's gateway. Other ways to pay go on; what was paid
 * without a notification is found in the list, which is read every ten minutes, and MoMo makes orders again.
 */
export function providerSilent(): Outage {
  let bank: FakeProviders
  let proxy: Proxy
  let payer: Newcomer
  let other: Newcomer
  /** The codes of what was paid without a notification. */
  const unreported: string[] = []
  return {
    name: 'SePay and MoMo are silent',
    needs: {
      async outside(cleanup) {
        bank = await startBank(cleanup)
        proxy = await openProxy(Number(new URL(bank.url).port), 'any')
        cleanup.defer(() => proxy.close())
        const url = proxy.through(bank.url)
        return {
          SEPAY_API_TOKEN: SEPAY_TOKEN,
          SEPAY_BASE_URL: url,
          MOMO_MODE: 'gateway',
          MOMO_BASE_URL: url,
        }
      },
    },
    madeUpSecondsMax: 720,
    async prepare(run) {
      payer = await register(run.world, `chuabao${run.seed % 10_000}`, run.random)
      other = await register(run.world, `quamomo${run.seed % 10_000}`, run.random)
      // The bank lists what it notifies of, too.
      run.load.onNotified = (transfer) => void bank.transfers.push(transfer)
    },
    async apply(run, ms) {
      proxy.isSilent = true
      for (const end = performance.now() + ms; performance.now() < end; await sleep(BETWEEN_MS)) {
        if (unreported.length < UNREPORTED_MAX) unreported.push(await payUnreported(run, payer, bank))
        await refusedByMomo(run, other)
      }
      proxy.isSilent = false
      proxy.cut()
    },
    async isMadeUp(run) {
      const { world, note } = run
      const paid = await world.db
        .selectFrom('payment_order')
        .select('code')
        .where('code', 'in', unreported)
        .where('status', '=', 'paid')
        .execute()
      if (paid.length < unreported.length) return false
      const { status } = await openOrder(run, other, MOMO)
      if (status !== 201) return false
      note('paid without a notification', unreported.length)
      for (const code of unreported)
        world.confirmed.push({ act: 'recharge', player: payer.username, amount: AMOUNT, code })
      return true
    },
  }
}

const openOrder = (run: FaultRun, by: Newcomer, channel: number) =>
  post(run.world.client, by, ORDERS, { channel, amount: AMOUNT })

/** The player has paid; the bank has booked it, and sends no notification. */
async function payUnreported(run: FaultRun, payer: Newcomer, bank: FakeProviders): Promise<string> {
  const { status, body } = await openOrder(run, payer, VIETCOMBANK)
  if (status !== 201) throw new Error(`an order was refused: ${status} ${JSON.stringify(body)}`)
  bank.transfers.push(transferFor(body, AMOUNT))
  return body.code
}

/** MoMo has half a minute to make an order; then the player is refused, and not left waiting. */
async function refusedByMomo(run: FaultRun, { address: from, token }: Newcomer): Promise<void> {
  const body = { channel: MOMO, amount: AMOUNT }
  const order = { path: ORDERS, from, token, key: randomUUID(), body }
  const answer = await fetchAnswer(run.world.webs[0]?.url ?? '', order, MOMO_MS_MAX)
  run.note('order at MoMo refused after, s', Math.round(answer.ms / 100) / 10)
  if (answer.status !== 503 || answer.retryAfterMs === 0)
    run.wrong(`an order at a silent gateway was answered ${answer.status}: ${answer.text}`)
}
