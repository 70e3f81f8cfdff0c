import * as z from 'zod'
import {
  type BankEvent,
  readRows,
  type PaymentVendor,
} from '#server/modules/payment-providers/payment-vendor.rules.ts'
import {
  hmacHex,
  isOneOf,
  openProviderCall,
  readJson,
} from '#server/modules/payment-providers/provider-call.ts'
import { oneHeader } from '#server/modules/payment-providers/notification.rules.ts'
import { madeUpByDemo, secretList, webUrl } from '#server/platform/process/environment.ts'

const env = z.object({
  TESTBANK_SECRET: madeUpByDemo(secretList.optional()),
  TESTBANK_BASE_URL: webUrl.optional(),
})

const movement = z.object({
  id: z.string(),
  amount: z.int(),
  account: z.string(),
  memo: z.string(),
  at: z.iso.datetime(),
})

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
        const read = readMovement(readJson(raw.toString()))
        return 'fault' in read
          ? { ok: false, field: read.fault }
          : { ok: true, events: [{ kind: 'movement', event: read.event }] }
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
        return readRows(z.array(z.unknown()).parse(readJson(answer)), readMovement)
      },
    }
  },
}

function readMovement(given: unknown): { event: BankEvent } | { fault: string } {
  const read = movement.safeParse(given)
  if (!read.success) return { fault: String(read.error.issues[0]?.path[0] ?? '') }
  const { id, amount, account, memo, at } = read.data
  return {
    event: {
      provider: 'testbank',
      providerEventId: id,
      direction: 'in',
      amountVnd: amount,
      accountNumber: account,
      bankRef: null,
      memo,
      fullText: '',
      code: null,
      bookedAt: new Date(at),
    },
  }
}
