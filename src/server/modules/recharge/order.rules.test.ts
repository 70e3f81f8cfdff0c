import { QRPay } from 'vietnam-qr-pay'
import { expect, test } from 'vitest'
import { bankAccountSchema } from '#contract/operator/setting-kinds.ts'
import { ORDER_STATUSES } from '#contract/recharge.ts'
import { channelName } from './channels.rules.ts'
import { isFinal, orderQr, maskReference } from './order.rules.ts'
import { decodeVietQr } from './vietqr.rules.ts'

import vectors from './vietqr.vectors.json' with { type: 'json' }

const NAME = 'CONG TY NINJA'
const order = { amount: 50_000, code: 'TCX7K2QF9XAMM' }

/** A wallet’s own QR as its app exports it, and what an operator copies from it into the settings. */
const WALLETS = [
  {
    vector: 'MoMo wallet behind its own BIN, with a reference label',
    account: { bin: '971025', number: 'PSP123456789000000', name: NAME, reference: 'MOMOW2W12345678' },
  },
  {
    vector: 'MoMo wallet behind BVBank, with a reference label and tag 80',
    account: {
      bin: '970454',
      number: '99MM24011M34875080',
      name: NAME,
      reference: 'MOMOW2W34875080',
      phone_tail: '046',
    },
  },
]

test.each(WALLETS)('the QR of an order pays the wallet of: $vector', ({ vector, account }) => {
  expect(bankAccountSchema.safeParse(account).success).toBe(true)
  const own = decodeVietQr(vectors.find(({ name }) => name === vector)!.payload)
  const made = decodeVietQr(orderQr(account, order))
  if (!own.ok || !made.ok) throw new Error('both are VietQR')
  // Everything is the wallet’s own, save what belongs to this one payment.
  expect(made.qr).toEqual({ ...own.qr, initiation: '12', amount: 50_000, memo: order.code })
  expect(new QRPay(orderQr(account, order)).isValid).toBe(true)
})

test('the QR of an order to a bank carries nothing of a wallet', () => {
  const account = { bin: '970436', number: '0011000000001', name: NAME }
  const made = decodeVietQr(orderQr(account, order))
  expect(made).toEqual({
    ok: true,
    qr: {
      bin: '970436',
      account: '0011000000001',
      service: 'QRIBFTTA',
      initiation: '12',
      amount: 50_000,
      memo: order.code,
    },
  })
})

test('an order is over once it is paid or cancelled; while money may still come it is not', () => {
  expect(ORDER_STATUSES.filter(isFinal)).toEqual(['paid', 'paid_under', 'paid_over', 'cancelled'])
})

test('a channel has its name, and one that is not known is named so', () => {
  expect([1, 2, 3].map(channelName)).toEqual(['MoMo', 'Vietcombank', 'ACB'])
  expect(channelName(0)).toBe('Không rõ')
  expect(channelName(4)).toBe('Không rõ')
})

test('a bank’s reference is shown by its end only', () => {
  expect(maskReference('FT26325123456789')).toBe('••••6789')
  expect(maskReference('A1')).toBe('•1')
  expect(maskReference('7')).toBe('•')
})
