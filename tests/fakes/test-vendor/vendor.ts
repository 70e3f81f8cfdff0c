import * as z from 'zod'
import type { PaymentVendor } from '#server/modules/payment-providers/payment-vendor.rules.ts'
import { readNoticeBody } from '#server/modules/payment-providers/notice-body.rules.ts'
import {
  amountOf,
  idOf,
  readElement,
  readRows,
  type Vendor,
} from '#server/modules/payment-providers/notice-fields.ts'
import { hmacHex, isOneOf, openProviderCall } from '#server/modules/payment-providers/provider-call.ts'
import { oneHeader } from '#server/modules/payment-providers/notification.rules.ts'
import { madeUpByDemo, secretList, webUrl } from '#server/platform/process/environment.ts'

const env = z.object({
  TESTBANK_SECRET: madeUpByDemo(secretList.optional()),
  TESTBANK_BASE_URL: webUrl.optional(),
})

const TESTBANK: Vendor = {
  provider: 'testbank',
  names: {
    account: ['account'],
    virtual: [],
    amounts: ['amount'],
    reference: [],
    memo: ['memo'],
    line: [],
    code: [],
    time: ['at'],
    payer: [],
  },
  id: ({ id }) => idOf(id),
  movement: ({ amount }) => ({ direction: 'in', amountVnd: amountOf(amount) }),
}

/** A vendor that no portal knows: this folder and its line in a registry are all there is of it. */
export const testbank: PaymentVendor<typeof env> = {
  name: 'testbank',
  env,
  openNotices({ TESTBANK_SECRET: secrets }) {
    if (!secrets) return null
    return {
      provider: 'testbank',
      success: 204,
      verify(notification) {
        const made = secrets.map((secret) => hmacHex('sha256', secret, notification.raw.toString()))
        return isOneOf(oneHeader(notification, 'x-testbank-signature') ?? '', made) ? 'valid' : 'bad'
      },
      read(raw) {
        return [readElement(TESTBANK, readNoticeBody(raw), { raw })]
      },
    }
  },
  openList({ TESTBANK_BASE_URL: baseUrl }, { paceMs }) {
    if (!baseUrl) return null
    const call = openProviderCall({ baseUrl, timeoutMs: 2_000, paceMs })
    return {
      provider: 'testbank',
      async pull({ accountNumber }) {
        const answer = await call({ method: 'GET', path: `/movements?account=${accountNumber}` })
        const rows = readNoticeBody(Buffer.from(answer))
        return readRows(Array.isArray(rows) ? rows : [], (row, raw) => readElement(TESTBANK, row, { raw }))
      },
    }
  },
}
