import { type FakeProviders, startFakeProviders } from '#tests/fakes/provider-server.ts'
import { type TestApp, type TestAppOptions, startTestApp } from './app.ts'
import { aTransfer as newTransfer, type TestTransfer } from './signed-notifications.ts'
import { PAYMENT_ENVIRONMENT, PAYMENT_KEYS, paymentsWith } from './payment-keys.ts'
import { anOrder } from './bank.ts'
import type { TestPlayer } from './players.ts'

const SEPAY_TOKEN = 'sepay-token-of-the-tests'
const CASSO_TOKEN = 'casso-api-token-of-the-tests'
const PAYOS = { clientId: 'payos-client-of-the-tests', apiKey: 'payos-api-key-of-the-tests' }

export type PollingApp = { test: TestApp; bank: FakeProviders; close(): Promise<void> }

/** A portal that polls the fake providers of the given names. */
export async function startPollingApp(
  known: readonly ('sepay' | 'casso' | 'payos' | 'momo')[],
  options: TestAppOptions = {},
): Promise<PollingApp> {
  const bank = await startFakeProviders({
    sepayToken: SEPAY_TOKEN,
    cassoToken: CASSO_TOKEN,
    momo: {
      partnerCode: PAYMENT_KEYS.momo.partnerCode,
      accessKey: PAYMENT_KEYS.momo.accessKey,
      secretKey: PAYMENT_KEYS.momo.secret,
    },
    payos: { ...PAYOS, checksumKey: PAYMENT_KEYS.payos },
  })
  const all = paymentsWith({
    ...PAYMENT_ENVIRONMENT,
    SEPAY_API_TOKEN: SEPAY_TOKEN,
    CASSO_API_TOKEN: CASSO_TOKEN,
    PAYOS_CLIENT_ID: PAYOS.clientId,
    PAYOS_API_KEY: PAYOS.apiKey,
    MOMO_MODE: 'gateway',
    ...Object.fromEntries(['SEPAY', 'CASSO', 'PAYOS', 'MOMO'].map((name) => [`${name}_BASE_URL`, bank.url])),
  })
  const isKnown = ({ provider }: { provider: string }) => known.some((name) => name === provider)
  const payments = { ...all, lists: all.lists.filter(isKnown), checkouts: all.checkouts.filter(isKnown) }
  const test = await startTestApp({
    ...options,
    environment: { PUBLIC_URL: 'https://ninja.example', ...options.environment },
    overrides: { payments, ...options.overrides },
  })
  return {
    test,
    bank,
    async close() {
      await test.close()
      await bank.close()
    },
  }
}

/** Adds a transfer to the fake bank: 50,000 VND half an hour ago, by default. */
export function aTransfer(
  bank: FakeProviders,
  change: Partial<TestTransfer> & { account: string },
): TestTransfer {
  const bookedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 1_800_000)
  const transfer = newTransfer({ bookedAt, ...change })
  bank.transfers.push(transfer)
  return transfer
}

type Portal = { portal: TestApp; bank: FakeProviders }
type Paid = { amount?: number; isOpen?: boolean }

/** Money that came by MoMo's gateway, as the id of its transfer; unless it is for an open order, nobody gets it by itself. */
export async function momoMoney(
  { portal, bank }: Portal,
  player: TestPlayer,
  { amount = 50_000, isOpen = false }: Paid = {},
): Promise<string> {
  const { code } = await anOrder(portal, player, { channel: 1, amount })
  if (!isOpen) await portal.call('POST', `/api/recharge/orders/${code}/cancel`, { token: player.token })
  const { transId } = bank.momo.settle(code)
  await portal.app.inject({
    method: 'POST',
    url: '/api/webhooks/momo',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(bank.momo.ipn(code)),
  })
  const row = await portal.db
    .selectFrom('bank_transaction')
    .select('id')
    .where('bank_ref', '=', String(transId))
    .executeTakeFirstOrThrow()
  return row.id
}
