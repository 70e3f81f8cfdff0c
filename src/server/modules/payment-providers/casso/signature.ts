import { usableSecrets, type SignatureVerdict } from '#server/platform/values/crypto.ts'
import { hmacHex, isOneOf } from '../provider-call.ts'
import { writeSorted, type JsonValue } from '../notification.rules.ts'

export type CassoSignature = {
  /** `t=<unix ms>,v1=<hex>` */
  header: string | undefined
  keys: readonly string[]
  body: JsonValue
  now: Date
  toleranceSeconds: number
}

/**
 * HMAC-SHA512 of the time, a dot, and the body written out again with its names in order. `stale` is worth keeping for
 * an operator, never worth crediting.
 */
export function verifyCassoSignature(input: CassoSignature): SignatureVerdict {
  const [, timestamp, digits] = /^t=(\d{1,15}), ?v1=([0-9a-fA-F]{128})$/.exec(input.header ?? '') ?? []
  if (timestamp === undefined || digits === undefined) return 'bad'
  const texts = new Set(SPELLINGS.map((spell) => writeSorted(input.body, spell)))
  const made = usableSecrets(input.keys).flatMap((key) =>
    [...texts].map((text) => hmacHex('sha512', key, `${timestamp}.${text}`)),
  )
  if (!isOneOf(digits, made)) return 'bad'
  const offSeconds = Math.abs(input.now.getTime() - Number(timestamp)) / 1000
  return offSeconds <= input.toleranceSeconds ? 'valid' : 'stale'
}

// The samples in Casso's five languages agree on everything but how a text is written, and it is not documented
// which of them signs. For plain ASCII they are all the same.
const escaping = (characters: RegExp) => (text: string) =>
  JSON.stringify(text).replace(
    characters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
const asciiOnly = escaping(/[\u0080-\uffff]/g)
const SPELLINGS = [
  // Node, Java, .NET
  (text: string) => JSON.stringify(text),
  // Python
  asciiOnly,
  // PHP
  (text: string) => asciiOnly(text).replaceAll('/', '\\/'),
  // Go
  escaping(/[<>&\u2028\u2029]/g),
]
