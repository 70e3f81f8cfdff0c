import sharp from 'sharp'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestAnswer, TestApp } from './app.ts'
import { formOf, partsOf, type Part } from './forms.ts'
import type { TestPlayer } from './players.ts'

const HOUR_MS = 3_600_000

export const anHourAgo = () => new Date(Date.now() - HOUR_MS).toISOString()

/** A receipt: 640 × 960, in colours. */
export const aReceipt = (change: { width?: number; height?: number } = {}) =>
  sharp({ create: { width: 640, height: 960, channels: 3, background: '#c8371f', ...change } })

type Sending = {
  fields?: Record<string, string>
  /** Besides the fields. */
  parts?: readonly Part[]
  picture?: Buffer
  key?: string
}

/** Sends a claim of 50,000 VND as the site does. */
export async function sendClaim(
  test: TestApp,
  { token }: Pick<TestPlayer, 'token'>,
  { fields, parts = [], picture, key }: Sending = {},
): Promise<TestAnswer> {
  const file: Part[] =
    picture === undefined
      ? []
      : [{ name: 'picture', value: picture, filename: 'bien-lai.jpg', type: 'image/jpeg' }]
  const form = formOf([...partsOf({ amount: '50000', paid_at: anHourAgo(), ...fields }), ...parts, ...file])
  return test.call('POST', '/api/recharge/claims', {
    token,
    ...form,
    ...(key === undefined ? {} : { key }),
  })
}

/** The id of a claim that is kept. */
export async function aClaim(test: TestApp, player: TestPlayer, sending: Sending = {}): Promise<string> {
  const answer = await sendClaim(test, player, sending)
  invariant(answer.status === 201, `a claim is kept: ${JSON.stringify(answer.body)}`)
  return (answer.body as { id: string }).id
}
