import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { notificationOf } from '#tests/support/signed-notifications.ts'
import { expect } from './fixtures.ts'

const HOUR_MS = 3_600_000

type Arriving = {
  id: number
  account: string
  memo: string
  amount: number
  /** Signed too long ago: it is stored, but not accepted. */
  isLate?: boolean
}

/** SePay's notification of a transfer with an arbitrary memo. */
export async function arrive(
  request: APIRequestContext,
  dataDir: string,
  { isLate = false, ...transfer }: Arriving,
): Promise<void> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  const { url, headers, body } = notificationOf({
    provider: 'sepay',
    transfer: { ...transfer, ref: `FT${transfer.id}`, bookedAt: new Date(), direction: 'in' },
    at: new Date(Date.now() - (isLate ? HOUR_MS : 0)),
    secret: secrets.SEPAY_WEBHOOK_SECRET ?? '',
  })
  const answer = await request.post(url, { headers, data: Buffer.from(body) })
  expect(answer.status(), await answer.text()).toBe(isLate ? 401 : 200)
}
