import type { BankList } from './bank-list.rules.ts'
import { openCassoList } from './casso/list.client.ts'
import { openMomoClient, type MomoClient } from './momo/gateway.client.ts'
import type { PaymentKeys } from './notice-readers.ts'
import type { PayosKeys } from './payos/vendor.ts'
import type { PaymentApis } from './payment-apis.rules.ts'
import { openPayosClient, type PayosClient } from './payos/checkout.client.ts'
import { openSepayList } from './sepay/list.client.ts'

/** What the portal can ask its providers; what nothing opens is left out or null. */
export type PaymentClients = {
  lists: BankList[]
  momo: MomoClient | null
  /** Our code at MoMo's gateway, when orders of its channel are made there. */
  momoMerchant: string | null
  payos: PayosClient | null
  /** Orders may have been made elsewhere as well, so there may be somebody to ask about them. */
  asksForOrders: boolean
}

export function openPaymentClients(
  { sepay, casso, payos, momo }: PaymentApis,
  keys: PaymentKeys,
  { paceMs }: { paceMs?: number } = {},
): PaymentClients {
  const momoMerchant = momo?.isGateway && keys.momo ? keys.momo.partnerCode : null
  const isPayosOpen = payos !== null && keys.payos !== null
  return {
    lists: [
      ...(sepay ? [openSepayList({ ...sepay, paceMs })] : []),
      ...(casso ? [openCassoList({ ...casso, paceMs })] : []),
    ],
    momo: momo && keys.momo ? openMomoClient({ baseUrl: momo.baseUrl, keys: keys.momo }) : null,
    momoMerchant,
    payos: isPayosOpen ? openPayosClient({ ...payos, keys: keys.payos as PayosKeys }) : null,
    asksForOrders: momoMerchant !== null || isPayosOpen,
  }
}
