import * as z from 'zod'
import { madeUpByDemo, secretList, webUrl } from '#server/platform/process/environment.ts'
import { openCassoList } from './list.client.ts'
import type { PaymentVendor } from '../payment-vendor.rules.ts'
import { readCasso } from './notification.rules.ts'
import { verifyCassoSignature } from './signature.ts'
import { isSecret } from '../provider-call.ts'
import { type NotificationReader, oneHeader, readNotificationJson } from '../notification.rules.ts'

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

/** Keys of Casso's signatures and plain tokens, each the one in use and, during a change, the one before. */
type CassoKeys = { webhookKeys: string[]; tokens: string[] }

const TOLERANCE_SECONDS = 300

/** A notification that is signed is judged by its signature alone: a token beside it does not help. */
export function openCassoNotices({ webhookKeys, tokens }: CassoKeys): NotificationReader {
  return {
    provider: 'casso',
    success: 200,
    verify(notification, now) {
      if (notification.headers['x-casso-signature'] === undefined)
        return isSecret(oneHeader(notification, 'secure-token') ?? '', tokens) ? 'valid' : 'bad'
      const body = readNotificationJson(notification.raw)
      if (body === undefined) return 'unreadable'
      return verifyCassoSignature({
        keys: webhookKeys,
        header: oneHeader(notification, 'x-casso-signature'),
        body,
        now,
        toleranceSeconds: TOLERANCE_SECONDS,
      })
    },
    read: readCasso,
  }
}
