import * as z from 'zod'
import type { MomoKeys, PaymentApis, PaymentKeys } from '#server/modules/payment-providers/index.ts'
import { secretList, webUrl } from './config-values.ts'

/** What the environment says about the providers of payments. */
export const paymentEnvironment = z.object({
  SEPAY_WEBHOOK_SECRET: secretList.optional(),
  SEPAY_API_KEY: secretList.optional(),
  CASSO_WEBHOOK_KEY: secretList.optional(),
  CASSO_SECURE_TOKEN: secretList.optional(),
  PAYOS_CHECKSUM_KEY: secretList.optional(),
  MOMO_PARTNER_CODE: z
    .string()
    .regex(/^[\w-]{1,50}$/, 'the code MoMo knows us by')
    .optional(),
  MOMO_ACCESS_KEY: secretList.optional(),
  MOMO_SECRET_KEY: secretList.optional(),
  MOMO_MODE: z.enum(['qr', 'gateway']).default('qr'),
  SEPAY_API_TOKEN: z.string().optional(),
  CASSO_API_TOKEN: z.string().optional(),
  PAYOS_CLIENT_ID: z.string().optional(),
  PAYOS_API_KEY: z.string().optional(),
  SEPAY_BASE_URL: webUrl.default('https://my.sepay.vn'),
  CASSO_BASE_URL: webUrl.default('https://oauth.casso.vn'),
  PAYOS_BASE_URL: webUrl.default('https://api-merchant.payos.vn'),
  MOMO_BASE_URL: webUrl.default('https://payment.momo.vn'),
})

export type PaymentEnvironment = z.output<typeof paymentEnvironment>

/** A mode without its secret stays closed, and a provider without any has no keys at all. */
export function paymentKeysOf(env: PaymentEnvironment): PaymentKeys {
  return {
    sepay:
      env.SEPAY_WEBHOOK_SECRET || env.SEPAY_API_KEY
        ? { secrets: env.SEPAY_WEBHOOK_SECRET ?? [], apiKeys: env.SEPAY_API_KEY ?? [] }
        : null,
    casso:
      env.CASSO_WEBHOOK_KEY || env.CASSO_SECURE_TOKEN
        ? { webhookKeys: env.CASSO_WEBHOOK_KEY ?? [], tokens: env.CASSO_SECURE_TOKEN ?? [] }
        : null,
    payos: env.PAYOS_CHECKSUM_KEY ? { checksumKeys: env.PAYOS_CHECKSUM_KEY } : null,
    momo: momoKeysOf(env),
  }
}

function momoKeysOf(env: PaymentEnvironment): MomoKeys | null {
  const { MOMO_PARTNER_CODE: partnerCode, MOMO_ACCESS_KEY: accessKeys, MOMO_SECRET_KEY: secrets } = env
  if (!partnerCode || !accessKeys || !secrets) return null
  // Several secrets may share one access key; else the first belongs to the first, the second to the second.
  const credentials = secrets.map((secret, at) => ({
    accessKey: accessKeys[at] ?? (accessKeys[0] as string),
    secret,
  }))
  return { partnerCode, credentials }
}

export function paymentApisOf(env: PaymentEnvironment): PaymentApis {
  const { SEPAY_API_TOKEN, CASSO_API_TOKEN, PAYOS_CLIENT_ID, PAYOS_API_KEY } = env
  return {
    sepay: SEPAY_API_TOKEN ? { baseUrl: env.SEPAY_BASE_URL, token: SEPAY_API_TOKEN } : null,
    casso: CASSO_API_TOKEN ? { baseUrl: env.CASSO_BASE_URL, token: CASSO_API_TOKEN } : null,
    payos:
      PAYOS_CLIENT_ID && PAYOS_API_KEY
        ? { baseUrl: env.PAYOS_BASE_URL, clientId: PAYOS_CLIENT_ID, apiKey: PAYOS_API_KEY }
        : null,
    momo: momoKeysOf(env) && { baseUrl: env.MOMO_BASE_URL, isGateway: env.MOMO_MODE === 'gateway' },
  }
}

/** What fits its own pattern and yet does not fit together. */
export function paymentContradictions(env: PaymentEnvironment): string[] {
  const problems: string[] = []
  const { MOMO_PARTNER_CODE, MOMO_ACCESS_KEY, MOMO_SECRET_KEY } = env
  const momo = [MOMO_PARTNER_CODE, MOMO_ACCESS_KEY, MOMO_SECRET_KEY].filter((value) => value !== undefined)
  if (momo.length !== 0 && momo.length !== 3) {
    problems.push('MOMO_PARTNER_CODE, MOMO_ACCESS_KEY and MOMO_SECRET_KEY: give all three or none')
  }
  const accessKeys = MOMO_ACCESS_KEY?.length ?? 0
  if (momo.length === 3 && accessKeys !== 1 && accessKeys !== MOMO_SECRET_KEY?.length) {
    problems.push('MOMO_ACCESS_KEY: give one, or one to each of MOMO_SECRET_KEY in the same order')
  }
  if (env.MOMO_MODE === 'gateway' && momo.length === 0) {
    problems.push('MOMO_MODE: the gateway needs MOMO_PARTNER_CODE, MOMO_ACCESS_KEY and MOMO_SECRET_KEY')
  }
  const payos = [env.PAYOS_CLIENT_ID, env.PAYOS_API_KEY].filter((value) => value !== undefined)
  if (payos.length === 1) problems.push('PAYOS_CLIENT_ID and PAYOS_API_KEY: give both or neither')
  if (payos.length > 0 && env.PAYOS_CHECKSUM_KEY === undefined) {
    problems.push('PAYOS_CHECKSUM_KEY: what PAYOS_CLIENT_ID and PAYOS_API_KEY open is signed with it')
  }
  return problems
}
