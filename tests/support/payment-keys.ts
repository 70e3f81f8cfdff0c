import { readConfig } from '#server/config/config.ts'
import { openPayments, type Payments } from '#server/modules/payment-providers/index.ts'

/** Receiving accounts of the test portal. */
export const VIETCOMBANK = { bin: '970436', number: '0011000000001', name: 'CONG TY NINJA' }
export const ACB = { bin: '970416', number: '123456789', name: 'CONG TY NINJA' }
export const MOMO = {
  bin: '971025',
  number: 'PSP210000000000001',
  name: 'CONG TY NINJA',
  reference: 'MOMOW2W12345678',
}

/** What the test portal checks the providers of payments with. */
export const PAYMENT_KEYS = {
  sepay: 'sepay-secret-of-the-tests',
  casso: 'casso-key-of-the-tests',
  cassoToken: 'casso-token-of-the-tests',
  payos: 'payos-key-of-the-tests',
  momo: {
    partnerCode: 'MOMOTESTS',
    accessKey: 'momo-access-of-the-tests',
    secret: 'momo-secret-of-the-tests',
  },
}

/** The same as the environment of a portal has them. */
export const PAYMENT_ENVIRONMENT = {
  SEPAY_WEBHOOK_SECRET: PAYMENT_KEYS.sepay,
  CASSO_WEBHOOK_KEY: PAYMENT_KEYS.casso,
  CASSO_SECURE_TOKEN: PAYMENT_KEYS.cassoToken,
  PAYOS_CHECKSUM_KEY: PAYMENT_KEYS.payos,
  MOMO_PARTNER_CODE: PAYMENT_KEYS.momo.partnerCode,
  MOMO_ACCESS_KEY: PAYMENT_KEYS.momo.accessKey,
  MOMO_SECRET_KEY: PAYMENT_KEYS.momo.secret,
}

/** The payment providers of a portal with this environment, without a pause between calls. */
export function paymentsWith(environment: Record<string, string>): Payments {
  return openPayments(readConfig({ DEMO: '1', ...environment }).payments, { paceMs: 0 })
}

/** The reader of one vendor's notifications, as this environment opens it. */
export function readerOf(provider: string, environment: Record<string, string>) {
  return paymentsWith(environment).webhooks.find((webhook) => webhook.provider === provider)!.reader
}
