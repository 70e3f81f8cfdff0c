import { createHash } from 'node:crypto'
import type { NotificationReader, PaymentEventFact } from '#server/modules/payment-providers/index.ts'
import { askNow } from '#server/modules/recharge/index.ts'
import { processLimit } from '#server/platform/limits/limits.ts'
import type { Log } from '#server/platform/log/log.ts'
import {
  badSignature,
  notAnObject,
  notificationsClosed,
  staleSignature,
  unreadableField,
} from './webhooks.errors.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import { findEventBody, type EventToStore } from './settlement.queries.ts'
import { takeInEvent } from './settlement.service.ts'

/**
 * Bad signatures at one provider's webhook. The limit refuses nothing beyond what is refused anyway: notifications after
 * these are not logged one by one, so that they cannot fill the log.
 */
const BAD_SIGNATURES_LOGGED = processLimit('bad-signatures-logged', 60, 60)

export type WebhookCall = {
  /** Null where the provider is not configured. */
  reader: NotificationReader | null
  notice: Parameters<NotificationReader['verify']>[0]
  requestId: string
  /** The log of the request. */
  log: Log
}

/**
 * Takes one notification in: signature, shape, then the raw event is committed, and only then is it matched and
 * credited. Returns the provider's success answer; throws the refusal otherwise.
 */
export async function receiveWebhook(
  deps: BankInboxDeps,
  delivery: WebhookCall,
): Promise<NotificationReader['success']> {
  const { reader, notice, log } = delivery
  if (reader === null) throw notificationsClosed()
  const facts = { provider: reader.provider, bodyHash: hashOf(notice) }
  const verdict = reader.verify(notice, deps.clock.now())
  if (verdict === 'bad') {
    await noteBadSignature(deps, delivery.log, facts)
    throw badSignature()
  }
  if (verdict === 'unreadable') {
    log.warn(facts, 'a bank notification that is no JSON was refused')
    throw notAnObject()
  }
  const told = read(reader, notice.raw, (fault) =>
    log.warn({ ...facts, fault }, 'a signed bank notification was unreadable'),
  )
  if (verdict === 'stale') {
    await keepStale(deps, told, notice.raw)
    log.warn(facts, 'a bank notification came too late after its signing')
    throw staleSignature()
  }
  for (const one of told) await takeInFact(deps, delivery, one)
  return reader.success
}

async function noteBadSignature(
  { limits }: BankInboxDeps,
  log: Log,
  facts: { provider: string; bodyHash: string },
): Promise<void> {
  const { points, seconds } = BAD_SIGNATURES_LOGGED
  const count = await limits.tally(BAD_SIGNATURES_LOGGED, facts.provider)
  if (count > points + 1) return
  if (count <= points) log.warn(facts, 'a bank notification with a bad signature was refused')
  else log.warn({ ...facts, count, seconds }, 'more bad signatures are refused without a word for a while')
}

/** Names a body in the log without telling what it says. */
const hashOf = ({ raw }: { raw: Buffer }) => createHash('sha256').update(raw).digest('hex')

function read(reader: NotificationReader, raw: Buffer, report: (fault: string) => void): PaymentEventFact[] {
  const notice = reader.read(raw)
  if (notice.ok) return notice.events
  // A JSON value that is no object has no field to name.
  report(notice.field || 'not a JSON object')
  throw notice.field === '' ? notAnObject() : unreadableField(notice.field)
}

async function takeInFact(deps: BankInboxDeps, delivery: WebhookCall, told: PaymentEventFact): Promise<void> {
  const raw = told.part ?? delivery.notice.raw
  const isNew = await takeInEvent(deps, toStore(told, raw), delivery.requestId)
  if (!isNew) return warnOfChange(deps, told, { raw, log: delivery.log })
  // The gateway reports a payment in progress: its outcome has to be queried.
  if (told.kind !== 'movement' && told.event.provider === 'momo' && told.event.code !== null)
    await askNow(deps, told.event.code)
}

function toStore(told: PaymentEventFact, raw: Buffer): EventToStore {
  const { event } = told
  if (told.kind === 'movement') return { event, signature: 'valid', raw }
  const status = told.kind === 'no-money' ? 'ignored' : 'review'
  return { event, signature: 'valid', raw, decided: { status, reason: told.reason } }
}

/** A repeat changes nothing; one that says something else than the first time is worth a look. */
async function warnOfChange(
  deps: BankInboxDeps,
  { event }: PaymentEventFact,
  { raw, log }: { raw: Buffer; log: Log },
) {
  const first = await findEventBody(deps.db, event)
  if (first === undefined || first.equals(raw)) return
  const { provider, providerEventId } = event
  log.warn(
    { provider, providerEventId, bodyHash: hashOf({ raw }) },
    'a bank notification came again with another body',
  )
}

/**
 * For an operator to see; nothing is ever credited from it. The facts of a stored event cannot change, so it is kept
 * under an id of its own (`#` is in no id of the provider's): the same notification, freshly signed, must still find
 * its own id free and be credited.
 */
async function keepStale(deps: BankInboxDeps, told: PaymentEventFact[], raw: Buffer): Promise<void> {
  for (const { event, part } of told) {
    const kept = { ...event, providerEventId: `${event.providerEventId}#stale` }
    await takeInEvent(deps, { event: kept, signature: 'stale', raw: part ?? raw })
  }
}
