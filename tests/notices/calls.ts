import { createHmac } from 'node:crypto'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { sign, type Fields, type Sender } from '#tests/support/signed-notifications.ts'
import type { Random } from '../harness/numbers.ts'
import type { Provider } from './rules/reading.ts'

/** One call of a provider: its bytes, and its headers when it is signed at a moment. */
export type Call = {
  provider: Provider
  body: Buffer
  contentType: string
  headersAt(at: Date): Record<string, string>
  /** `wrong` proves nothing, `old` was signed an hour ago, `no json` is signed in a way that has no signature then. */
  signature: 'right' | 'wrong' | 'old' | 'no json'
}

export const providerOf = (sender: Sender): Provider => (sender === 'casso-token' ? 'casso' : sender)

/** Providers sign again what they send again. */
export function callOf(sender: Sender, fields: Fields, random: Random): Call {
  const provider = providerOf(sender)
  if (sender === 'sepay') return signedBytes(sender, encode(fields, random))
  if (sender === 'casso-token') return signedBytes(sender, encode(fields, random))
  const { body } = sign({ provider: sender, fields, at: new Date() })
  return {
    provider,
    body: Buffer.from(random.below(12) === 0 ? `\ufeff${body}` : body),
    contentType: random.pick(['application/json', 'application/json; charset=utf-8', 'text/plain']),
    headersAt: (at) => {
      const { 'content-type': _, ...headers } = sign({ provider: sender, fields, at }).headers
      return headers
    },
    signature: 'right',
  }
}

/** Whatever the bytes are: these two providers prove no more than that they sent them. */
export const signedBytes = (
  sender: 'sepay' | 'casso-token',
  { body, contentType }: Pick<Call, 'body' | 'contentType'>,
): Call => ({
  provider: providerOf(sender),
  body,
  contentType,
  headersAt(at): Record<string, string> {
    if (sender === 'casso-token') return { 'secure-token': PAYMENT_KEYS.cassoToken }
    const time = String(Math.floor(at.getTime() / 1_000))
    const made = createHmac('sha256', PAYMENT_KEYS.sepay).update(`${time}.`).update(body).digest('hex')
    return { 'x-sepay-timestamp': time, 'x-sepay-signature': `sha256=${made}` }
  },
  signature: 'right',
})

type Encoded = Pick<Call, 'body' | 'contentType'>
type Encoding = (fields: Fields) => Encoded

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const json = (fields: unknown) => JSON.stringify(fields)

/** The byte order mark of each. */
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const ENCODINGS: Record<string, Encoding> = {
  plain: (fields) => ({ body: Buffer.from(json(fields)), contentType: JSON_TYPE }),
  spaced: (fields) => ({ body: Buffer.from(JSON.stringify(fields, null, 2)), contentType: JSON_TYPE }),
  unnamed: (fields) => ({ body: Buffer.from(json(fields)), contentType: 'text/plain' }),
  'called a form': (fields) => ({ body: Buffer.from(json(fields)), contentType: FORM_TYPE }),
  marked: (fields) => ({ body: Buffer.from(`\ufeff${json(fields)}`), contentType: JSON_TYPE }),
  'utf-16le': (fields) => ({ body: utf16(json(fields)), contentType: JSON_TYPE }),
  'utf-16be': (fields) => ({
    body: utf16(json(fields)).swap16(),
    contentType: `${JSON_TYPE}; charset=utf-16`,
  }),
  escaped: (fields) => ({
    body: Buffer.from(json(fields).replaceAll(/[^\x20-\x7e]/g, escaped)),
    contentType: JSON_TYPE,
  }),
  // Each letter in one byte; what does not fit is lost, as with old programs.
  latin1: (fields) => ({
    body: Buffer.from(json(fields), 'latin1'),
    contentType: `${JSON_TYPE}; charset=iso-8859-1`,
  }),
  'latin1 unnamed': (fields) => ({ body: Buffer.from(json(fields), 'latin1'), contentType: JSON_TYPE }),
  form: (fields) => ({
    body: Buffer.from(new URLSearchParams(flat(fields, bracketed)).toString()),
    contentType: FORM_TYPE,
  }),
  'form with points': (fields) => ({
    body: Buffer.from(new URLSearchParams(flat(fields, dotted)).toString()),
    contentType: `${FORM_TYPE}; charset=UTF-8`,
  }),
  'form called json': (fields) => ({
    body: Buffer.from(new URLSearchParams(flat(fields, bracketed)).toString()),
    contentType: JSON_TYPE,
  }),
  multipart: (fields) => ({
    body: Buffer.from(inParts(flat(fields, bracketed))),
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  }),
}

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
const bracketed = (outer: string, name: string) => (outer === '' ? name : `${outer}[${name}]`)
const dotted = (outer: string, name: string) => (outer === '' ? name : `${outer}.${name}`)

const BOUNDARY = '----ranhgioi7349'

function inParts(pairs: [string, string][]): string {
  const parts = pairs.map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

function flat(value: unknown, join: typeof bracketed, outer = ''): [string, string][] {
  const isWhole = typeof value !== 'object' || value === null || 'rawJSON' in value
  if (isWhole)
    return [[outer, value === null ? '' : String((value as { rawJSON?: string })?.rawJSON ?? value)]]
  return Object.entries(value).flatMap(([name, one]) => flat(one, join, join(outer, name)))
}

/** Half of the calls as the documents show them. */
function encode(fields: Fields, random: Random): Encoded {
  const name = random.below(2) === 0 ? 'plain' : random.pick(Object.keys(ENCODINGS))
  return (ENCODINGS[name] as Encoding)(fields)
}

/** A number as it is written, `50000.0` or `5e4`. */
export const figure = (text: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text)
