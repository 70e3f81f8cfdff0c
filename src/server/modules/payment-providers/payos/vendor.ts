import * as z from 'zod'
import { madeUpByDemo, secretList, webUrl } from '#server/platform/process/environment.ts'
import type { PaymentVendor } from '../payment-vendor.rules.ts'
import { openPayosClient } from './checkout.client.ts'
import { openPayosNotices } from './notifications.ts'

const env = z
  .object({
    PAYOS_CHECKSUM_KEY: madeUpByDemo(secretList.optional()),
    PAYOS_CLIENT_ID: z.string().optional(),
    PAYOS_API_KEY: z.string().optional(),
    PAYOS_BASE_URL: webUrl.default('https://api-merchant.payos.vn'),
  })
  .check(
    z.refine(
      (given) => (given.PAYOS_CLIENT_ID === undefined) === (given.PAYOS_API_KEY === undefined),
      'PAYOS_CLIENT_ID and PAYOS_API_KEY: give both or neither',
    ),
    z.refine(
      (given) => given.PAYOS_CHECKSUM_KEY !== undefined || !(given.PAYOS_CLIENT_ID ?? given.PAYOS_API_KEY),
      'PAYOS_CHECKSUM_KEY: what PAYOS_CLIENT_ID and PAYOS_API_KEY open is signed with it',
    ),
  )

export const payos: PaymentVendor<typeof env> = {
  name: 'payos',
  env,
  openNotices: ({ PAYOS_CHECKSUM_KEY: checksumKeys }) =>
    checksumKeys ? openPayosNotices(checksumKeys) : null,
  openCheckout({
    PAYOS_CHECKSUM_KEY: checksumKeys,
    PAYOS_CLIENT_ID: clientId,
    PAYOS_API_KEY: apiKey,
    ...given
  }) {
    if (!checksumKeys || !clientId || !apiKey) return null
    return openPayosClient({ baseUrl: given.PAYOS_BASE_URL, clientId, apiKey, checksumKeys })
  },
}
