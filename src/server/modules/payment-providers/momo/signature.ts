import { usableSecrets } from '#server/platform/values/crypto.ts'
import { hmacHex, isOneOf } from '../provider-call.ts'
import { isRecord, NumberText, type JsonRecord, type JsonValue } from '../notification.rules.ts'

/** An access key goes into what is signed, so it changes together with its secret. */
export type MomoCredentials = { accessKey: string; secret: string }

/** Our partner code, and the credentials in use and, during a change, the ones before. */
export type MomoKeys = { partnerCode: string; credentials: MomoCredentials[] }

/** What MoMo signs of a notification, in its order; the access key is put before them and is not in the body. */
const SIGNED = [
  'amount',
  'extraData',
  'message',
  'orderId',
  'orderInfo',
  'orderType',
  'partnerCode',
  'payType',
  'requestId',
  'responseTime',
  'resultCode',
  'transId',
] as const

/** Whether MoMo signed this body, for the partner that we are. */
export function isMomoSigned(body: JsonValue | undefined, { partnerCode, credentials }: MomoKeys): boolean {
  if (!isRecord(body) || typeof body.signature !== 'string' || body.partnerCode !== partnerCode) return false
  const fields = signedFields(body)
  if (fields === undefined) return false
  const usable = credentials.filter(({ secret }) => usableSecrets([secret]).length > 0)
  return isOneOf(
    body.signature,
    usable.map((credentials) => signMomo(credentials, fields)),
  )
}

/** The `signature` over these pairs, which stand in the order MoMo asks for in each of its messages. */
export function signMomo(
  { accessKey, secret }: MomoCredentials,
  fields: readonly (readonly [string, string])[],
) {
  const pairs = [['accessKey', accessKey], ...fields]
  return hmacHex('sha256', secret, pairs.map(([name, value]) => `${name}=${value}`).join('&'))
}

/** The values textually as they came. What is not there is signed as nothing; a list or an object is signed by nobody. */
export function signedFields(body: JsonRecord): [string, string][] | undefined {
  const pairs: [string, string][] = []
  for (const name of SIGNED) {
    const value = Object.hasOwn(body, name) ? (body[name] ?? '') : ''
    if (value instanceof NumberText) pairs.push([name, value.text])
    else if (typeof value === 'string') pairs.push([name, value])
    else return undefined
  }
  return pairs
}
