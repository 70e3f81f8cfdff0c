import * as z from 'zod/mini'
import type { Good } from '#contract/deliveries.ts'
import { HELD_MAX } from './collecting.ts'
import type { AccountChange } from './journal.ts'
import { BOARDS, type Board, type Charge, type Delivery, type Notice } from './world.ts'

const name = z.string().check(z.minLength(1), z.maxLength(64))
const good = z.object({
  kind: z.enum(['luong', 'yen', 'item']),
  code: z.optional(name),
  quantity: z.number(),
  days: z.optional(z.number()),
})
const deliverySchema = z.object({
  server_id: name,
  account: name,
  character_id: name,
  goods: z.array(good).check(z.maxLength(50)),
})

/** As much as the portal takes at once. */
const CHARGE_MAX = 1_000_000_000
const chargeSchema = z.object({
  server_id: name,
  account: name,
  character_id: name,
  luong: z.int().check(z.gte(1), z.lte(CHARGE_MAX)),
})

type Read<Value> = { value: Value } | { field: string }

const moment = z.iso.datetime({ offset: true })
const accountSchema = z.object({
  account: name,
  activated: z.boolean(),
  banned_until: z.nullable(moment),
  password_changed_at: z.nullable(moment),
  version: z.int().check(z.gte(1)),
})

const noticeSchema = z.object({
  account: name,
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  expires_at: moment,
})

/** A body of this shape, or the first field of it that is not as in the contract. */
function readBody<Schema extends z.ZodMiniType>(schema: Schema, body: Buffer): Read<z.output<Schema>> {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    return { field: 'body' } // not JSON
  }
  const read = z.safeParse(schema, json)
  return read.success ? { value: read.data } : { field: read.error.issues[0]?.path.join('.') || 'body' }
}

export function readDelivery(body: Buffer): Read<Delivery> {
  const read = readBody(deliverySchema, body)
  if (!('value' in read)) return read
  const { server_id, account, character_id, goods } = read.value
  return { value: { serverId: server_id, account, characterId: character_id, goods } }
}

export function readCharge(body: Buffer): Read<Charge> {
  const read = readBody(chargeSchema, body)
  if (!('value' in read)) return read
  const { server_id, account, character_id, luong } = read.value
  return { value: { serverId: server_id, account, characterId: character_id, luong } }
}

export const readAccount = (body: Buffer): Read<AccountChange> => readBody(accountSchema, body)

export const readNotice = (body: Buffer): Read<Notice> => readBody(noticeSchema, body)

/** The id of the notice that an address names. */
export const noticeIn = (url: string): string | null => /^\/v1\/notices\/([^/?]+)$/.exec(url)?.[1] ?? null

export const isMoment = (text: string) => z.safeParse(moment, text).success

const QUANTITY_MAX = 1_000_000_000_000
const DAYS_MAX = 3_650

const isWhole = (value: number, max: number) => Number.isSafeInteger(value) && value >= 1 && value <= max

/** Why these goods can never be delivered to a character that may hold so much; null when they can. */
export function reasonAgainst(goods: readonly Good[], max = HELD_MAX): string | null {
  if (goods.length === 0) return 'no-goods'
  const isGood = ({ kind, code, quantity, days }: Good) =>
    isWhole(quantity, QUANTITY_MAX) &&
    (kind !== 'item' || code !== undefined) &&
    (days === undefined || isWhole(days, DAYS_MAX))
  if (!goods.every(isGood)) return 'bad-goods'
  // Applied, such goods would wait for ever.
  return goods.some(({ kind, quantity }) => kind !== 'item' && quantity > max[kind]) ? 'over-limit' : null
}

/** Of deliveries and charges: a UUID. */
export const isGameId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The delivery that an address names. */
export function deliveryIn(url: string): { id: string; isCancel: boolean } | null {
  const [, id = '', cancel] = /^\/v1\/deliveries\/([^/?]+)(\/cancel)?$/.exec(url) ?? []
  return id === '' ? null : { id, isCancel: cancel !== undefined }
}

/** The charge that an address names. */
export type ChargeCall = { id: string; isRefund: boolean }

export function chargeIn(url: string): ChargeCall | null {
  const [, id = '', refund] = /^\/v1\/charges\/([^/?]+)(\/refund)?$/.exec(url) ?? []
  return id === '' ? null : { id, isRefund: refund !== undefined }
}

export const isBoard = (text: string): text is Board => (BOARDS as readonly string[]).includes(text)

/** A value of the query that has to be there. */
export function readName(query: URLSearchParams, field: string): Read<string> {
  const value = query.get(field)
  return value !== null && value !== '' && value.length <= 64 ? { value } : { field }
}

const LIMIT_MAX = 1_000

export function readLimit(query: URLSearchParams): Read<number> {
  const text = query.get('limit') ?? '100'
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return value >= 1 && value <= LIMIT_MAX ? { value } : { field: 'limit' }
}

const OFFSET_MAX = 100_000

/** How many of the first are left out. */
export function readOffset(query: URLSearchParams): Read<number> {
  const text = query.get('offset') ?? '0'
  const value = /^\d{1,6}$/.test(text) ? Number(text) : OFFSET_MAX + 1
  return value <= OFFSET_MAX ? { value } : { field: 'offset' }
}

/** One text for equal bodies, whatever the order of their fields. */
export const promised = ({ serverId, account, characterId, goods }: Delivery) =>
  JSON.stringify([
    serverId,
    account,
    characterId,
    goods.map(({ kind, code = null, quantity, days = null }) => [kind, code, quantity, days]),
  ])

/** What goes back over the wire. */
export type Answer = { status: number; body: unknown }

export const ok = (body: unknown): Answer => ({ status: 200, body })

export const refused = (reason: string): Answer => ({ status: 422, body: { status: 'refused', reason } })

/** A call that is not as in the contract; `field` says where. */
export const wrong = (status: number, error: string, field?: string): Answer => ({
  status,
  body: { error, ...(field === undefined ? {} : { field }) },
})
