import type { BankList } from './bank-list.rules.ts'
import { openCassoList } from './casso.client.ts'
import { openMomoClient, type MomoClient } from './momo.client.ts'
import type { PaymentKeys } from './notice-readers.ts'
import type { PaymentApis } from './payment-apis.rules.ts'
import { openSepayList } from './sepay.client.ts'

/** What the portal can ask its providers; what nothing opens is left out or null. */
export type PaymentClients = {
  lists: BankList[]
  momo: MomoClient | null
  /** Orders of MoMo's channel are made at MoMo. */
  isMomoGateway: boolean
}

export function openPaymentClients(
  { sepay, casso, momo }: PaymentApis,
  keys: PaymentKeys,
  { paceMs }: { paceMs?: number } = {},
): PaymentClients {
  return {
    lists: [
      ...(sepay ? [openSepayList({ ...sepay, paceMs })] : []),
      ...(casso ? [openCassoList({ ...casso, paceMs })] : []),
    ],
    momo: momo && keys.momo ? openMomoClient({ baseUrl: momo.baseUrl, keys: keys.momo, paceMs }) : null,
    isMomoGateway: momo !== null && momo.isGateway && keys.momo !== null,
  }
}
