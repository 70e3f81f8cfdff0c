import * as z from 'zod'
import { madeUpByDemo, secretList, webUrl } from '#server/platform/process/environment.ts'
import type { PaymentVendor } from '../payment-vendor.rules.ts'
import { openSepayList } from './list.client.ts'
import { openSepayNotices, signSepay } from './notifications.ts'

const env = z.object({
  SEPAY_WEBHOOK_SECRET: madeUpByDemo(secretList.optional()),
  SEPAY_API_KEY: secretList.optional(),
  SEPAY_API_TOKEN: z.string().optional(),
  SEPAY_BASE_URL: webUrl.default('https://my.sepay.vn'),
})

export const sepay: PaymentVendor<typeof env> = {
  name: 'sepay',
  env,
  openNotices: ({ SEPAY_WEBHOOK_SECRET: secrets, SEPAY_API_KEY: apiKeys }) =>
    secrets || apiKeys ? openSepayNotices({ secrets: secrets ?? [], apiKeys: apiKeys ?? [] }) : null,
  openList: ({ SEPAY_API_TOKEN: token, SEPAY_BASE_URL: baseUrl }, pace) =>
    token ? openSepayList({ baseUrl, token, ...pace }) : null,
  openSandbox({ SEPAY_WEBHOOK_SECRET: secrets, SEPAY_API_KEY: apiKeys }) {
    if (!secrets && !apiKeys) return null
    return {
      provider: 'sepay',
      sign(body, now): Record<string, string> {
        if (!secrets) return { authorization: `Apikey ${apiKeys?.[0]}` }
        const timestamp = String(Math.floor(now.getTime() / 1000))
        return {
          'x-sepay-timestamp': timestamp,
          'x-sepay-signature': signSepay(secrets[0] as string, timestamp, Buffer.from(body)),
        }
      },
    }
  },
}
