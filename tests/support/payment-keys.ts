import { readConfig } from '#server/config/config.ts'
import { openPayments, PAYMENT_VENDORS, type Payments } from '#server/modules/payment-providers/index.ts'
import { demoSecretsIn } from '#server/platform/process/environment.ts'

/** Receiving accounts of the test portal. */
export const VIETCOMBANK = { bin: '970436', number: '0011000000001', name: 'CONG TY NINJA' }
export const ACB = { bin: '970416', number: '123456789', name: 'CONG TY NINJA' }
export const MOMO = {
  bin: '971025',
  number: 'PSP210000000000001',
  name: 'CONG TY NINJA',
  reference: 'MOMOW2W12345678',
}

/** The value of a vendor's secret variable in tests. */
const keyFor = (variable: string) => `${variable.toLowerCase().replaceAll('_', '-')}-of-the-tests`

/** Every secret that opens a vendor's webhook, as the test portal's environment has them. */
export const PAYMENT_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  PAYMENT_VENDORS.flatMap(({ env }) => demoSecretsIn(env.shape)).map((name) => [name, keyFor(name)]),
)

/** Those by which tests sign as a vendor would. */
export const PAYMENT_KEYS = {
  sepay: keyFor('SEPAY_WEBHOOK_SECRET'),
  casso: keyFor('CASSO_WEBHOOK_KEY'),
  cassoToken: keyFor('CASSO_SECURE_TOKEN'),
  payos: keyFor('PAYOS_CHECKSUM_KEY'),
  momo: {
    partnerCode: keyFor('MOMO_PARTNER_CODE'),
    accessKey: keyFor('MOMO_ACCESS_KEY'),
    secret: keyFor('MOMO_SECRET_KEY'),
  },
}

/** Of every vendor a new and an old secret, as while keys are exchanged. */
export const NEW_AND_OLD = 'the-new-secret,the-old-secret'
export const NEW_AND_OLD_KEYS = {
  SEPAY_WEBHOOK_SECRET: NEW_AND_OLD,
  CASSO_WEBHOOK_KEY: NEW_AND_OLD,
  CASSO_SECURE_TOKEN: NEW_AND_OLD,
  PAYOS_CHECKSUM_KEY: NEW_AND_OLD,
  MOMO_PARTNER_CODE: PAYMENT_KEYS.momo.partnerCode,
  MOMO_ACCESS_KEY: PAYMENT_KEYS.momo.accessKey,
  MOMO_SECRET_KEY: NEW_AND_OLD,
}

/** The payment providers of a portal with this environment, without a pause between calls. */
export function paymentsWith(environment: Record<string, string>): Payments {
  return openPayments(readConfig({ DEMO: '1', ...environment }).payments, { paceMs: 0 })
}

/** The reader of one vendor's notifications, as this environment opens it. */
export function readerOf(provider: string, environment: Record<string, string>) {
  return paymentsWith(environment).webhooks.find((webhook) => webhook.provider === provider)!.reader
}
