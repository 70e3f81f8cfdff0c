import * as z from 'zod/mini'
import { formatNumber } from '#contract/format.ts'
import { findCreatedAt } from '#server/modules/accounts/index.ts'
import { findTrailRows } from '#server/modules/audit/index.ts'
import { knownEvents } from '#server/modules/bank-inbox/index.ts'
import { knownDeliveries } from '#server/modules/purchases/index.ts'
import { knownOrders } from '#server/modules/recharge/index.ts'
import { findMovements, type StoredMovement } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'

const text = z.string()
const ofRequest = { time: text, requestId: z.optional(text) }

/** What every line of the log that is compared has. */
export type Logged = { event: string; time: string; requestId?: string | undefined }

/** A change that the portal writes down after its commit. */
type Kind = {
  /** Null for a line without what it is compared by. */
  read(line: unknown): Logged | null
  /** Of lines that were read, those that the database does not have. */
  lostOf(db: Db, lines: readonly Logged[]): Promise<Logged[]>
  /** What it was, by its ids. */
  name(line: Logged): string
  /** The delivery that went with it, about which the game can be asked. */
  delivery(line: Logged): string | null
}

type Rules<Line> = {
  isStored(db: Db, lines: readonly Line[]): Promise<(line: Line) => boolean>
  name(line: Line): string
  delivery?(line: Line): string | null
}

function kind<Line extends Logged>(
  schema: z.ZodMiniType<Line>,
  { isStored, name, delivery = () => null }: Rules<Line>,
): Kind {
  const own = (line: Logged) => line as Line
  return {
    read: (line) => schema.safeParse(line).data ?? null,
    async lostOf(db, lines) {
      const isThere = await isStored(db, lines.map(own))
      return lines.filter((line) => !isThere(own(line)))
    },
    name: (line) => name(own(line)),
    delivery: (line) => delivery(own(line)),
  }
}

const movementSchema = z.object({
  ...ofRequest,
  event: z.literal('ledger.posted'),
  transferId: text,
  kind: text,
  debit: text,
  credit: text,
  amount: z.number(),
  source: text,
  sourceId: z.optional(text),
})
type Movement = z.infer<typeof movementSchema>

const movement = kind(movementSchema, {
  async isStored(db, lines) {
    const stored = await findMovements(
      db,
      lines.map(({ transferId }) => transferId),
    )
    return (line) => isSame(line, stored.get(line.transferId))
  },
  name: ({ transferId, kind: name, amount, debit, credit, source, sourceId }) =>
    [
      `movement ${transferId}`,
      name,
      `${formatNumber(amount)} TCoin`,
      `from ${debit} to ${credit}`,
      [source, sourceId].filter(Boolean).join(' '),
    ].join('  '),
  delivery: ({ source, sourceId = null }) => (source === 'delivery' ? sourceId : null),
})

/** After a failover another movement may have the number of a lost one. Of the house's accounts the log names no stripe. */
function isSame(one: Movement, stored: StoredMovement | undefined): boolean {
  return (
    stored !== undefined &&
    stored.kind === one.kind &&
    stored.amount === one.amount &&
    stored.source === one.source &&
    (one.sourceId === undefined || stored.sourceId === one.sourceId) &&
    (stored.requestId ?? undefined) === one.requestId
  )
}

const registrationSchema = z.object({
  ...ofRequest,
  event: z.literal('registration.succeeded'),
  userId: text,
  createdAt: text,
})

const registration = kind(registrationSchema, {
  async isStored(db, lines) {
    const stored = await findCreatedAt(
      db,
      lines.map(({ userId }) => userId),
    )
    // After a failover another account may have the number of a lost one.
    return ({ userId, createdAt }) => stored.get(userId)?.toISOString() === createdAt
  },
  name: ({ userId }) => `registration of account ${userId}`,
})

const actSchema = z.object({
  ...ofRequest,
  event: z.literal('audit.appended'),
  seq: text,
  action: text,
  subjectType: text,
  subjectId: text,
})

/** Of operators, and of players on their own account: a changed password, phone, e-mail, second factor. */
const act = kind(actSchema, {
  async isStored(db, lines) {
    const stored = await findTrailRows(
      db,
      lines.map(({ seq }) => seq),
    )
    return ({ seq, action, subjectType, subjectId, requestId }) => {
      const row = stored.get(seq)
      return (
        row?.action === action &&
        row.subjectType === subjectType &&
        row.subjectId === subjectId &&
        (row.requestId ?? undefined) === requestId
      )
    }
  },
  name: ({ action, subjectType, subjectId }) => `act ${action}  on ${subjectType} ${subjectId}`,
})

const orderSchema = z.object({
  ...ofRequest,
  event: z.literal('order.placed'),
  orderCode: text,
  userId: text,
  amount: z.number(),
})

const order = kind(orderSchema, {
  async isStored(db, lines) {
    const stored = await knownOrders(
      db,
      lines.map(({ orderCode }) => orderCode),
    )
    return ({ orderCode }) => stored.has(orderCode)
  },
  name: ({ orderCode, userId, amount }) =>
    `order ${orderCode}  ${formatNumber(amount)} VND  of account ${userId}`,
})

const paymentSchema = z.object({
  ...ofRequest,
  event: z.literal('payment.received'),
  provider: text,
  providerEventId: text,
  bankRef: z.nullable(text),
  amount: z.number(),
})

const payment = kind(paymentSchema, {
  async isStored(db, lines) {
    const stored = new Map<string, ReadonlySet<string>>()
    for (const [provider, events] of Map.groupBy(lines, (line) => line.provider))
      stored.set(
        provider,
        await knownEvents(
          db,
          provider,
          events.map(({ providerEventId }) => providerEventId),
        ),
      )
    return ({ provider, providerEventId }) => stored.get(provider)?.has(providerEventId) === true
  },
  name: ({ provider, providerEventId, bankRef, amount }) =>
    `payment event ${provider} ${providerEventId}  ${bankRef ?? 'no reference'}  ${formatNumber(amount)} VND`,
})

const rewardSchema = z.object({
  ...ofRequest,
  event: z.literal('reward.given'),
  deliveryId: text,
  userId: text,
  givenFor: text,
})

/** Goods that cost nothing leave no movement. */
const reward = kind(rewardSchema, {
  async isStored(db, lines) {
    const stored = await knownDeliveries(
      db,
      lines.map(({ deliveryId }) => deliveryId),
    )
    return ({ deliveryId }) => stored.has(deliveryId)
  },
  name: ({ deliveryId, givenFor, userId }) => `reward ${deliveryId}  for ${givenFor}  of account ${userId}`,
  delivery: ({ deliveryId }) => deliveryId,
})

export const LOG_KINDS: Record<string, Kind> = {
  'ledger.posted': movement,
  'registration.succeeded': registration,
  'audit.appended': act,
  'order.placed': order,
  'payment.received': payment,
  'reward.given': reward,
}
