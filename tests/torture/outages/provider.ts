import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeProviders } from '#tests/fakes/provider-server.ts'
import { fetchAnswer, type Request } from '../../harness/client.ts'
import { SEPAY_TOKEN, startBank } from '../../harness/fleet.ts'
import { register, transferFor, type Newcomer } from '../../harness/players.ts'
import type { FaultRun } from '../faults/fault.ts'
import { openProxy, type Proxy } from '../../harness/proxy.ts'
import type { Outage } from './outage.ts'

const AMOUNT = 50_000
const VIETCOMBANK = 2
const MOMO = 1
const BETWEEN_MS = 5_000
const MOMO_MS_MAX = 45_000
/** A player may have three open orders. */
const UNREPORTED_MAX = 3

type Unreported = { code: string; player: string }

/**
 * SePay notifies of no transfer and its list does not answer, nor does MoMo's gateway. Other ways to pay go on; what was paid
 * without a notification is found in the list, which is read every ten minutes, and MoMo makes orders again.
 */
export function providerSilent(): Outage {
  let bank: FakeProviders
  let proxy: Proxy
  let payer: Newcomer
  let other: Newcomer
  const unreported: Unreported[] = []
  return {
    name: 'SePay and MoMo are silent',
    seconds: 60,
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
      payer = await register(run.world.context, `chuabao${run.seed % 10_000}`, run.random)
      other = await register(run.world.context, `quamomo${run.seed % 10_000}`, run.random)
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
      const codes = unreported.map(({ code }) => code)
      const paid = await world.db
        .selectFrom('payment_order')
        .select('code')
        .where('code', 'in', codes)
        .where('status', '=', 'paid')
        .execute()
      if (paid.length < codes.length) return false
      const { status } = await anOrder(run, other, MOMO)
      if (status !== 201) return false
      note('paid without a notification', codes.length)
      for (const { player, code } of unreported)
        world.confirmed.push({ act: 'recharge', player, amount: AMOUNT, code })
      return true
    },
  }
}

const orderOf = ({ address: from, token }: Newcomer, channel: number): Request => ({
  path: '/api/recharge/orders',
  from,
  token,
  key: randomUUID(),
  body: { channel, amount: AMOUNT },
})

const anOrder = (run: FaultRun, from: Newcomer, channel: number) =>
  run.world.client.untilDefinite(orderOf(from, channel))

/** The player has paid; the bank has booked it, and sends no notification. */
async function payUnreported(run: FaultRun, payer: Newcomer, bank: FakeProviders): Promise<Unreported> {
  const { status, body } = await anOrder(run, payer, VIETCOMBANK)
  if (status !== 201) throw new Error(`an order was refused: ${status} ${JSON.stringify(body)}`)
  bank.transfers.push(transferFor(body, AMOUNT))
  return { code: body.code as string, player: payer.username }
}

/** MoMo has half a minute to make an order; then the player is refused, and not left waiting. */
async function refusedByMomo(run: FaultRun, other: Newcomer): Promise<void> {
  const answer = await fetchAnswer(run.world.webs[0]?.url ?? '', orderOf(other, MOMO), MOMO_MS_MAX)
  run.note('order at MoMo refused after, s', Math.round(answer.ms / 100) / 10)
  if (answer.status !== 503 || answer.retryAfterMs === 0)
    run.wrong(`an order at a silent gateway was answered ${answer.status}: ${answer.text}`)
}
