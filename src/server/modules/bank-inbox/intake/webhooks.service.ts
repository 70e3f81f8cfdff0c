import type {
  NotificationReader,
  PaymentEventFact,
  ReceivedNotification,
} from '#server/modules/payment-providers/index.ts'
import { hastenCheckout } from '#server/modules/recharge/index.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import type { Log } from '#server/platform/log/log.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
import { count } from '#server/domain/metrics.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import type { EventToStore } from './settlement.queries.ts'
import { takeInEvent, unreadableOutcome } from './settlement.service.ts'
import { doEach } from '#server/platform/values/each.ts'

const notificationsClosed = () =>
  new Refusal('DISABLED', {
    message: 'Cổng chưa được cấu hình để nhận thông báo này',
    retryAfterSeconds: 600,
  })

const badSignature = () => new Refusal('UNAUTHENTICATED', { message: 'Chữ ký của thông báo không hợp lệ' })

const staleSignature = () =>
  new Refusal('UNAUTHENTICATED', { message: 'Thông báo được ký quá lâu, cần ký lại' })

const notAnObject = () => new Refusal('BAD_REQUEST', { message: 'Thông báo phải là một đối tượng JSON' })

/**
 * Bad signatures at one provider's webhook. The limit refuses nothing beyond what is refused anyway: notifications after
 * these are not logged one by one, so that they cannot fill the log.
 */
const BAD_SIGNATURES_LOGGED = machineLimit('bad-signatures-logged', 60, 60)

export type WebhookCall = {
  /** Null where the provider is not configured. */
  reader: NotificationReader | null
  notification: ReceivedNotification
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
  call: WebhookCall,
): Promise<NotificationReader['success']> {
  const { reader, notification, log } = call
  if (reader === null) throw notificationsClosed()
  const { raw } = notification
  const facts = { provider: reader.provider, bodyHash: sha256Hex(raw) }
  const signature = reader.verify(notification, deps.clock.now())
  const refused = { provider: reader.provider, outcome: 'refused' } as const
  if (signature === 'bad') {
    count('portal_notifications_total', refused)
    await logBadSignature(deps, log, facts)
    throw badSignature()
  }
  if (signature === 'unreadable') {
    count('portal_notifications_total', refused)
    log.warn(facts, 'a bank notification that is no JSON was refused')
    throw notAnObject()
  }
  const contentType = notification.headers['content-type']
  const read = reader.read(raw, typeof contentType === 'string' ? contentType : undefined)
  if (signature === 'stale') {
    await storeStale(deps, read, raw)
    log.warn(facts, 'a bank notification came too late after its signing')
    throw staleSignature()
  }
  await doEach(
    read,
    ({ event }) => event.providerEventId,
    (fact) => takeInFact(deps, call, fact),
  )
  return reader.success
}

async function logBadSignature(
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

async function takeInFact(deps: BankInboxDeps, call: WebhookCall, fact: PaymentEventFact): Promise<void> {
  const raw = fact.part ?? call.notification.raw
  const isNew = await takeInEvent(deps, toStore(fact, raw), call.requestId)
  const { provider, providerEventId, code } = fact.event
  if (fact.kind === 'unreadable')
    call.log.warn(
      { provider, providerEventId, requestId: call.requestId },
      'a signed bank notification is unreadable',
    )
  // The gateway reports a payment in progress: its outcome has to be queried.
  if (isNew && fact.kind === 'no-money' && provider === 'momo' && code !== null)
    await hastenCheckout(deps.db, code, 0)
}

function toStore(fact: PaymentEventFact, raw: Buffer): EventToStore {
  const { event } = fact
  if (fact.kind === 'movement') return { event, signature: 'valid', raw }
  const decided =
    fact.kind === 'no-money'
      ? ({ status: 'ignored', reason: fact.reason } as const)
      : unreadableOutcome(fact.mayCarryMoney)
  return { event, signature: 'valid', raw, decided }
}

/**
 * For an operator to see; nothing is ever credited from it. The facts of a stored event cannot change, so it is stored
 * under an id of its own (`#` is in no id of the provider's): the same notification, freshly signed, must still find
 * its own id free and be credited.
 */
async function storeStale(deps: BankInboxDeps, facts: PaymentEventFact[], raw: Buffer): Promise<void> {
  for (const { event, part } of facts) {
    const stale = { ...event, providerEventId: `${event.providerEventId}#stale` }
    await takeInEvent(deps, { event: stale, signature: 'stale', raw: part ?? raw })
  }
}
