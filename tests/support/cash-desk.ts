import { afterAll, beforeAll, expect } from 'vitest'
import type { ActAnswer, BankTransferDetail } from '#contract/operator/bank-transfers.ts'
import { aTransfer, openAccounts } from '#tests/support/bank.ts'
import { startTestApp, type TestAnswer, type TestApp } from '#tests/support/app.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'

/** A portal whose accounts are open, two cashiers and two owners, who have all just proved their second factor. */
export type CashDesk = {
  portal: TestApp
  cashier: TestOperator
  second: TestOperator
  owner: TestOperator
  secondOwner: TestOperator
  /** Money comes in (or goes out) that is not credited automatically, unless requested; answers the transfer's id. */
  arrives(change?: Record<string, unknown>): Promise<string>
  act(id: string, act: string, body: object, how?: How): Promise<TestAnswer>
  /** The same, and it must go well. */
  done(id: string, act: string, body: object, how?: How): Promise<ActAnswer>
  transfer(id: string): Promise<BankTransferDetail>
  list(filter?: object, query?: Record<string, string>): Promise<{ ids: string[]; answer: TestAnswer }>
}

type How = { by?: TestOperator; key?: string }

export const REASON = 'Khách gửi ảnh chụp biên lai'

async function openCashDesk(): Promise<CashDesk> {
  const portal = await startTestApp()
  await openAccounts(portal)
  const cashier = await anOperator(portal, 'cashier')
  const call = (path: string, how: { by?: TestOperator; key?: string; body?: object } = {}) =>
    portal.call(how.body ? 'POST' : 'GET', `/api/operator${path}`, {
      token: (how.by ?? cashier).token,
      ...(how.body ? { body: how.body } : {}),
      ...(how.key === undefined ? {} : { key: how.key }),
    })
  const act: CashDesk['act'] = (id, name, body, how = {}) =>
    call(`/bank-transfers/${id}/${name}`, { ...how, body: { reason: REASON, ...body } })
  return {
    portal,
    cashier,
    second: await anOperator(portal, 'cashier'),
    owner: await anOperator(portal, 'owner'),
    secondOwner: await anOperator(portal, 'owner'),
    arrives: (change = {}) => aTransfer(portal, change),
    act,
    async done(id, name, body, how) {
      const answer = await act(id, name, body, how)
      const done = answer.body as ActAnswer
      expect([answer.status, answer.body]).toMatchObject([done.proposal ? 202 : 200, {}])
      return done
    },
    async transfer(id) {
      const answer = await call(`/bank-transfers/${id}`)
      expect(answer.status).toBe(200)
      return answer.body as BankTransferDetail
    },
    async list(filter, query = {}) {
      const parameters = new URLSearchParams({
        ...query,
        ...(filter === undefined ? {} : { filter: JSON.stringify(filter) }),
      })
      const answer = await call(`/bank-transfers?${parameters.toString()}`)
      const rows = (answer.status === 200 ? answer.body : []) as { id: string }[]
      return { ids: rows.map(({ id }) => id), answer }
    },
  }
}

/** The cash desk of a test file. What is returned is filled when its portal has started. */
export function useCashDesk(): CashDesk {
  const desk = {} as CashDesk
  beforeAll(async () => void Object.assign(desk, await openCashDesk()))
  afterAll(() => desk.portal.close())
  return desk
}

/** What a transfer of money ended as, without what differs from run to run. */
export const endOf = ({ state, reason, order_code, credited }: BankTransferDetail | ActAnswer) => ({
  state,
  reason,
  order_code,
  credited,
})
