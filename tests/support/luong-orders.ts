import type { RechargeOrder } from '#contract/recharge.ts'
import { buyDue, claimOpen, type BuyingDeps } from '#server/modules/order-purchases/buying.service.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { balanceOf, orderNow } from './bank.ts'
import type { CashDesk } from './cash-desk.ts'
import { asOwner } from './databases.ts'
import { aPlayer, type TestPlayer } from './players.ts'
import { charactersOf, luongOf, workOnce } from './purchases.ts'

/** What is in the wallet and at the character when 50,000 TCoin were bought for, and when none were. */
export const BOUGHT = { wallet: 0, spent: 50_000, luong: 16_500 }
export const KEPT = { wallet: 50_000, spent: 0, luong: 0 }

/** A player with 4,000 TCoin who orders luong at the cash desk, and the worker that buys it. */
export class LuongOrders {
  player!: TestPlayer
  character!: string
  readonly desk: CashDesk

  constructor(desk: CashDesk) {
    this.desk = desk
  }

  /** Someone else from now on. */
  async begin(): Promise<void> {
    this.player = await aPlayer(this.desk.portal, { coins: 4_000, isActivated: true })
    const [first] = await charactersOf(this.desk.portal, this.player)
    this.character = first!
  }

  place(change: object = {}, wanted: object = {}, of = this.player) {
    const purchase = {
      kind: 'exchange',
      character_id: this.character,
      receive: 16_500,
      expected_amount: 50_000,
      ...wanted,
    }
    return this.desk.portal.call('POST', '/api/recharge/orders', {
      token: of.token,
      body: { channel: 2, purchase, ...change },
    })
  }

  /** An order of 46,000 VND, which the wallet lacks for 50,000 TCoin. */
  async anIntent(wanted: object = {}): Promise<RechargeOrder> {
    const { status, body } = await this.place({}, wanted)
    invariant(status === 201, `an order that buys luong is placed: ${JSON.stringify(body)}`)
    return body as RechargeOrder
  }

  pay({ code, amount }: RechargeOrder, vnd = amount): Promise<string> {
    return this.desk.arrives({ content: code, transferAmount: vnd })
  }

  now({ code }: RechargeOrder): Promise<RechargeOrder> {
    return orderNow(this.desk.portal, this.player, code)
  }

  /** Makes what waits due now. */
  hasten(): Promise<void> {
    return asOwner(
      this.desk.portal,
      "UPDATE order_purchase SET next_attempt_at = now() - interval '1 second' WHERE next_attempt_at IS NOT NULL",
    )
  }

  /** What the worker of purchases does with all that is due; answers how many it took. */
  async buyAll(change: Pick<BuyingDeps, 'pauseBuying'> = {}): Promise<number> {
    const deps = { ...this.desk.portal.deps, ...change }
    const claimed = await claimOpen(deps, 100)
    for (const due of claimed) await buyDue(deps, due)
    return claimed.length
  }

  /** TCoin in the wallet, those that wait in deliveries or were paid by them, and luong at the character. */
  async everything() {
    const spent = await this.desk.portal.db
      .selectFrom('delivery')
      .select(({ fn }) => fn.sum('amount').as('coins'))
      .where('user_id', '=', this.player.id)
      .where('state', '<>', 'refunded')
      .executeTakeFirst()
    // Deliveries to one character go one after the other.
    while ((await workOnce(this.desk.portal.deps)) > 0);
    return {
      wallet: await balanceOf(this.desk.portal, this.player),
      spent: Number(spent?.coins ?? 0),
      luong: await luongOf(this.desk.portal.db, this.character),
    }
  }
}
