import { afterAll, beforeAll, expect } from 'vitest'
import type { BankTransferDetail } from '#contract/operator/bank-transfers.ts'
import type { FakeProviders } from '#tests/fakes/provider-server.ts'
import type { TestAnswer, TestApp, TestAppOptions } from '#tests/support/app.ts'
import { momoMoney, startPollingApp } from '#tests/support/polled-providers.ts'
import { asOwner } from '#tests/support/databases.ts'
import { openAccounts } from '#tests/support/bank.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { queryDueRefunds } from '../../src/server/modules/bank-inbox/gateway-refunds/gateway-refunds.service.ts'

type How = { by?: TestOperator; key?: string }

/** A portal whose accounts are open, with a fake MoMo, two cashiers, an owner and a player. */
export type MomoDesk = {
  portal: TestApp
  bank: FakeProviders
  cashier: TestOperator
  second: TestOperator
  owner: TestOperator
  player: TestPlayer
  /** Money of the player (or another) that came by MoMo, as the id of its transfer. */
  money(paid?: { amount?: number; isOpen?: boolean }, by?: TestPlayer): Promise<string>
  act(id: string, name: string, body?: object, how?: How): Promise<TestAnswer>
  /** Without an amount, all that is left. */
  refund(id: string, amount?: number | null, how?: How): Promise<TestAnswer>
  transfer(id: string): Promise<BankTransferDetail>
  /** VND that MoMo sent back of a transfer's payment. */
  sentBack(id: string): Promise<number[]>
  /** MoMo is queried about a refund so many minutes later. */
  later(id: string, minutes: number): Promise<void>
  close(): Promise<void>
}

export const REFUND_REASON = 'Khách chuyển nhầm, xin hoàn'

async function openMomoDesk(options: TestAppOptions = {}): Promise<MomoDesk> {
  const { test: portal, bank, close } = await startPollingApp(['momo'], options)
  await openAccounts(portal)
  const cashier = await anOperator(portal, 'cashier')
  const player = await aPlayer(portal)
  const act: MomoDesk['act'] = (id, name, body = {}, { by = cashier, key } = {}) =>
    portal.call('POST', `/api/operator/bank-transfers/${id}/${name}`, {
      token: by.token,
      body: { reason: REFUND_REASON, ...body },
      ...(key === undefined ? {} : { key }),
    })
  const transfer: MomoDesk['transfer'] = async (id) => {
    const answer = await portal.call('GET', `/api/operator/bank-transfers/${id}`, { token: cashier.token })
    expect(answer.status).toBe(200)
    return answer.body as BankTransferDetail
  }
  return {
    portal,
    bank,
    cashier,
    second: await anOperator(portal, 'cashier'),
    owner: await anOperator(portal, 'owner'),
    player,
    money: (paid = {}, by = player) => momoMoney({ portal, bank }, by, paid),
    act,
    refund: (id, amount = null, how = {}) => act(id, 'refund-at-gateway', { amount }, how),
    transfer,
    async sentBack(id) {
      const { bank_ref } = await transfer(id)
      const made = [...bank.momo.refunds.values()]
      return made.filter(({ paidTransId }) => String(paidTransId) === bank_ref).map(({ amount }) => amount)
    },
    async later(id, minutes) {
      await asOwner(
        portal,
        `UPDATE gateway_refund SET asked_at = asked_at - make_interval(mins => $2),
            next_query_at = next_query_at - make_interval(mins => $2) WHERE bank_transaction_id = $1`,
        [id, minutes],
      )
      await queryDueRefunds(portal.deps)
    },
    close,
  }
}

/** The desk of a test file. What is returned is filled when its portal has started. */
export function useMomoDesk(options: TestAppOptions = {}): MomoDesk {
  const desk = {} as MomoDesk
  beforeAll(async () => void Object.assign(desk, await openMomoDesk(options)))
  afterAll(() => desk.close())
  return desk
}
