import type { Compilable, QueryCreator } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import type { ChangedOffer, PurchaseKind } from '#contract/purchases.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { SettingValues } from '#server/modules/settings/index.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { Refusal } from '#server/platform/values/errors.ts'

/** One kind of purchase: what it costs and brings, and the row that says so. Everything else is `purchase`. */
export type Offer<Body> = {
  kind: PurchaseKind
  /** Names the callers' keys. They outlive a release, so it never changes. */
  keyScope: string
  /** Prices what is asked for, while the player's wallet is locked. Throws the refusal when it cannot be bought. */
  price(tx: Tx, buyer: Buyer, body: Body): Promise<Priced>
  /** What a refund undoes besides giving the TCoin back, in its transaction. */
  undo?(tx: Tx, deliveryId: string): Promise<void>
}

/** Who buys, and the settings of this moment. */
export type Buyer = { userId: string; settings: SettingValues }

export type OwnRow = (db: QueryCreator<DB>, deliveryId: string) => Compilable

export type Priced = {
  amount: number
  goods: readonly Good[]
  /** Writes the offer's own row, in one statement with its delivery. */
  record: OwnRow
  /** What the player reads: `Bạn đã <bought> cho nhân vật …`, and `<arriving> đang được chuyển vào game`. */
  words: { bought: string; arriving: string }
}

/** Throws PRICE_CHANGED when the player was shown another figure than the one that counts now. */
export function assertAsShown(shown: number | undefined, now: number, offer: ChangedOffer): void {
  if (shown !== undefined && shown !== now) throw new Refusal('PRICE_CHANGED', { offer })
}
