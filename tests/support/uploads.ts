import sharp from 'sharp'
import { randomBytes } from 'node:crypto'
import { invariant } from '#server/platform/values/errors.ts'
import type { OperatorPicture } from '#contract/operator/posts.ts'
import type { TestAnswer, TestApp } from './app.ts'
import type { TestPlayer } from './players.ts'

/** One part of a form, sent unchanged; with a `filename` it is a file. */
export type Part = { name: string; value: string | Buffer; filename?: string; type?: string }

/** A form as a browser sends it. */
export function formOf(parts: readonly Part[]): { body: Buffer; headers: Record<string, string> } {
  const boundary = `----thu${randomBytes(12).toString('hex')}`
  const pieces = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const kind = type === undefined ? '' : `\r\ncontent-type: ${type}`
    return [
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}${kind}\r\n\r\n`,
      value,
      '\r\n',
    ].map((piece) => Buffer.from(piece as string))
  })
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** A body that is sent as a form and not as JSON. */
export class FormFields {
  readonly fields: Record<string, string>

  constructor(fields: Record<string, string>) {
    this.fields = fields
  }
}

const fieldsOf = (body: unknown): object => (body instanceof FormFields ? body.fields : (body as object))

/** Two bodies in one, the later one's fields before the earlier one's; a form when one of them is. */
export function bothBodies(first: unknown, last: unknown): unknown {
  const both = { ...fieldsOf(first), ...fieldsOf(last) }
  if (![first, last].some((body) => body instanceof FormFields)) return both
  return new FormFields(
    Object.fromEntries(Object.entries(both).map(([name, value]) => [name, String(value)])),
  )
}

export const partsOf = (fields: Record<string, string>): Part[] =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))

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
  test: Pick<TestApp, 'call'>,
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
    key,
  })
}

/** The id of a stored claim. */
export async function aClaim(
  test: Pick<TestApp, 'call'>,
  player: TestPlayer,
  sending: Sending = {},
): Promise<string> {
  const answer = await sendClaim(test, player, sending)
  invariant(answer.status === 201, `a claim is kept: ${JSON.stringify(answer.body)}`)
  return (answer.body as { id: string }).id
}

/** A photo of one colour; another colour is another picture. */
export const aPhoto = (background = '#2f6f4f', size: { width?: number; height?: number } = {}) =>
  sharp({ create: { width: 1600, height: 900, channels: 3, background, ...size } })

type Upload = { bytes: Buffer; alt?: string; filename?: string; type?: string }

/** Uploads a picture as the console does. */
export async function uploadPicture(
  test: TestApp,
  { token }: { token: string },
  { bytes, alt = 'Cổng làng', filename = 'anh.jpg', type = 'image/jpeg' }: Upload,
): Promise<TestAnswer> {
  const form = formOf([
    { name: 'alt', value: alt },
    { name: 'reason', value: 'Tải ảnh lên' },
    { name: 'picture', value: bytes, filename, type },
  ])
  return test.call('POST', '/api/operator/pictures', { token, ...form })
}

export async function aPicture(
  test: TestApp,
  editor: { token: string },
  background?: string,
): Promise<OperatorPicture & { hash: string }> {
  const { status, body } = await uploadPicture(test, editor, {
    bytes: await aPhoto(background).jpeg().toBuffer(),
  })
  invariant(status === 201, `a picture is taken: ${JSON.stringify(body)}`)
  const picture = body as OperatorPicture
  return { ...picture, hash: /[0-9a-f]{32}/.exec(picture.urls[640] ?? '')?.[0] ?? '' }
}
