import { usableSecrets } from '#server/platform/values/crypto.ts'
import { hmacHex, isOneOf } from '../provider-call.ts'
import { isRecord, NumberText, writeSorted, type JsonRecord, type JsonValue } from '../notification.rules.ts'

/** Whether payOS signed the `data` of this body; fields outside it are not signed and not used. */
export function isPayosSigned(body: JsonValue | undefined, checksumKeys: readonly string[]): boolean {
  if (!isRecord(body) || !isRecord(body.data) || typeof body.signature !== 'string') return false
  const text = payosText(body.data)
  if (text === undefined) return false
  return isOneOf(
    body.signature,
    usableSecrets(checksumKeys).map((key) => hmacHex('sha256', key, text)),
  )
}

/** `name=value&…` in the order of the names, nothing encoded. */
function payosText(data: JsonRecord): string | undefined {
  const pairs: string[] = []
  for (const name of Object.keys(data).sort()) {
    const value = data[name] ?? null
    if (isRecord(value)) return undefined
    pairs.push(`${name}=${payosValue(value)}`)
  }
  return pairs.join('&')
}

function payosValue(value: Exclude<JsonValue, JsonRecord>): string {
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return writeSorted(value)
  // payOS' own library takes the two words for what they name.
  return value === null || value === 'null' || value === 'undefined' ? '' : String(value)
}
