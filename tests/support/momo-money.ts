import type { FakeProviders } from '#tests/fakes/provider-server.ts'
import type { TestApp } from './app.ts'
import { anOrder } from './bank.ts'
import type { TestPlayer } from './players.ts'

type Portal = { portal: TestApp; bank: FakeProviders }
type Paid = { amount?: number; isOpen?: boolean }

/** Money that came by MoMo's gateway, as the id of its transfer; unless it is for an open order, nobody gets it by itself. */
export async function momoMoney(
  { portal, bank }: Portal,
  player: TestPlayer,
  { amount = 50_000, isOpen = false }: Paid = {},
): Promise<string> {
  const { code } = await anOrder(portal, player, { channel: 1, amount })
  if (!isOpen) await portal.call('POST', `/api/recharge/orders/${code}/cancel`, { token: player.token })
  const { transId } = bank.momo.settle(code)
  await portal.app.inject({
    method: 'POST',
    url: '/api/webhooks/momo',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(bank.momo.ipn(code)),
  })
  const row = await portal.db
    .selectFrom('bank_transaction')
    .select('id')
    .where('bank_ref', '=', String(transId))
    .executeTakeFirstOrThrow()
  return row.id
}
