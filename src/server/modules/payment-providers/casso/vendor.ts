import * as z from 'zod'
import { madeUpByDemo, secretList, webUrl } from '#server/platform/process/environment.ts'
import { openCassoList } from './list.client.ts'
import type { PaymentVendor } from '../payment-vendor.rules.ts'
import { openCassoNotices } from './notifications.ts'

const env = z.object({
  CASSO_WEBHOOK_KEY: madeUpByDemo(secretList.optional()),
  CASSO_SECURE_TOKEN: madeUpByDemo(secretList.optional()),
  CASSO_API_TOKEN: z.string().optional(),
  CASSO_BASE_URL: webUrl.default('https://oauth.casso.vn'),
})

export const casso: PaymentVendor<typeof env> = {
  name: 'casso',
  env,
  openNotices: ({ CASSO_WEBHOOK_KEY: webhookKeys, CASSO_SECURE_TOKEN: tokens }) =>
    webhookKeys || tokens ? openCassoNotices({ webhookKeys: webhookKeys ?? [], tokens: tokens ?? [] }) : null,
  openList: ({ CASSO_API_TOKEN: token, CASSO_BASE_URL: baseUrl }, pace) =>
    token ? openCassoList({ baseUrl, token, ...pace }) : null,
}
