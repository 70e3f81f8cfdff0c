import { createHash } from 'node:crypto'
import type { Log } from '#server/platform/log/log.ts'
import type { SignatureVerdict } from '#server/platform/signatures/timed-signature.ts'
import type { BankEvent } from './bank-event.rules.ts'
import {
  badSignature,
  notAnObject,
  notificationsClosed,
  staleSignature,
  unreadableField,
} from './recharge.errors.ts'
import type { RechargeDeps, SepayKeys } from './recharge-deps.ts'
import { parseSepay } from './sepay.rules.ts'
import { findEventBody, insertEvent } from './settlement.queries.ts'
import { settleEvent } from './settlement.service.ts'
import { verifyApiKey, verifySepaySignature } from './webhook-signature.ts'

export type SepayDelivery = {
  /** The bytes as they came. */
  raw: Buffer
  headers: { timestamp?: string; signature?: string; authorization?: string }
  requestId: string
  /** The log of the request. */
  log: Log
}

const TOLERANCE_SECONDS = 300

/**
 * Takes one notification in: signature, shape, then the raw event is committed, and only then is it matched and
 * credited. Returns when the provider may be told that it arrived; throws what it is told otherwise.
 */
export async function receiveSepay(deps: RechargeDeps, delivery: SepayDelivery): Promise<void> {
  if (deps.sepay === null) throw notificationsClosed()
  const { raw, log } = delivery
  const body = { bodyHash: createHash('sha256').update(raw).digest('hex') }
  const verdict = verify(deps.sepay, delivery, deps.clock.now())
  if (verdict === 'bad') {
    log.warn(body, 'a bank notification with a bad signature was refused')
    throw badSignature()
  }
  const event = read(raw, (fault) =>
    log.warn({ ...body, fault }, 'a signed bank notification was unreadable'),
  )
  if (verdict === 'stale') {
    await keepStale(deps, event, raw)
    log.warn(
      { ...body, providerEventId: event.providerEventId },
      'a bank notification came too late after its signing',
    )
    throw staleSignature()
  }
  const eventId = await insertEvent(deps.db, { event, signature: 'valid', raw })
  if (eventId === undefined) {
    const first = await findEventBody(deps.db, event)
    if (first !== undefined && !first.equals(raw)) {
      log.warn(
        { ...body, providerEventId: event.providerEventId },
        'a bank notification came again with another body',
      )
    }
    return
  }
  await settleStored(deps, delivery, eventId)
}

/** One mode at a time: whoever signs is judged by the signature, and a key beside it does not help. */
function verify(keys: SepayKeys, { raw, headers }: SepayDelivery, now: Date): SignatureVerdict {
  const { timestamp, signature, authorization } = headers
  if (signature === undefined) return verifyApiKey(authorization, keys.apiKeys) ? 'valid' : 'bad'
  return verifySepaySignature({
    secrets: keys.secrets,
    timestamp,
    signature,
    raw,
    now,
    toleranceSeconds: TOLERANCE_SECONDS,
  })
}

function read(raw: Buffer, report: (fault: string) => void): BankEvent {
  const parsed = parseSepay(raw)
  if (parsed.ok) return parsed.event
  // A JSON value that is no object has no field to name.
  const field = parsed.reason === 'bad-field' ? parsed.field : ''
  report(field || 'not a JSON object')
  throw field === '' ? notAnObject() : unreadableField(field)
}

/**
 * For an operator to see; nothing is ever credited from it. The facts of a stored event cannot change, so it is kept
 * under an id of its own (`#` is in no id of the provider's): the same notification, freshly signed, must still find
 * its own id free and be credited.
 */
async function keepStale(deps: RechargeDeps, event: BankEvent, raw: Buffer): Promise<void> {
  const kept = { ...event, providerEventId: `${event.providerEventId}#stale` }
  await insertEvent(deps.db, { event: kept, signature: 'stale', raw })
}

async function settleStored(deps: RechargeDeps, delivery: SepayDelivery, eventId: string): Promise<void> {
  try {
    await settleEvent(deps, { eventId, requestId: delivery.requestId })
  } catch (error) {
    // The event is safe and the sweeper comes back to it. To the provider it has arrived: were it told otherwise, it
    // would only send again what we have.
    delivery.log.error({ err: error, eventId }, 'a bank notification was stored but not settled yet')
  }
}
