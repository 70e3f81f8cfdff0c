import { shownText } from '#contract/name-texts.ts'
import { goodsInWords, isFree, isUncollected, type DeliveryReceipt } from '#contract/deliveries.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { isTopic, NO_ID, type ReportedKind, type ThingKind, TOPIC_WORDS } from '#contract/help/case-forms.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { TRANSACTION_NAMES, type Transaction } from '#contract/transactions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalidField, orNotFound } from '#server/platform/values/errors.ts'
import type { ReportedState } from './answers.rules.ts'
import type { About } from './cases.queries.ts'

/** How the things of a player are read that a case may be about; each of another module. */
export type ThingReads = {
  findOrderStatus(db: Db, key: { code: string; userId: string }): Promise<RechargeOrder['status'] | undefined>
  /** Throws NOT_FOUND. */
  getDelivery(db: Db, key: { id: string; userId: string }): Promise<DeliveryReceipt>
  findTransaction(db: Db, userId: string, id: string): Promise<Transaction | undefined>
}

type Deps = ThingReads & { db: Db }
type Key = { id: string; userId: string }
type Thing = { about: About; state: ReportedState }

const TITLE_MAX = 200

/** As the schema of the call has it. */
export type Reported = { about_kind: ReportedKind; about_id?: string | null | undefined }

/** A topic, or a thing of the player with its title and its present state; throws NOT_FOUND for anybody else's. */
export async function findReported(
  deps: Deps,
  userId: string,
  { about_kind: kind, about_id: id }: Reported,
): Promise<Thing> {
  if (isTopic(kind))
    return { about: { kind, id: NO_ID, title: TOPIC_WORDS[kind] }, state: { kind: 'topic', topic: kind } }
  if (id === undefined || id === null) throw invalidField('about_id', 'Hãy chọn điều cần báo')
  const { title, state } = await READS[kind](deps, { id, userId })
  return { about: { kind, id, title: title.slice(0, TITLE_MAX) }, state }
}

type Read = (deps: Deps, key: Key) => Promise<{ title: string; state: ReportedState }>

const READS: Record<ThingKind, Read> = {
  order: readOrder,
  delivery: readDelivery,
  transaction: readTransaction,
}

async function readOrder({ db, findOrderStatus }: Deps, { id: code, userId }: Key) {
  const status = orNotFound(await findOrderStatus(db, { code, userId }))
  return { title: `Đơn nạp ${code}`, state: { kind: 'order', code, status } as const }
}

async function readDelivery({ db, getDelivery }: Deps, key: Key) {
  const receipt = await getDelivery(db, key)
  const goods = goodsInWords(receipt.goods)
  const title = `${goods.charAt(0).toUpperCase()}${goods.slice(1)} cho nhân vật ${shownText(receipt.character_name)}`
  const state = {
    kind: 'delivery',
    id: receipt.id,
    status: receipt.status,
    isWithStaff: receipt.is_with_staff,
    isUncollected: isUncollected(receipt),
    waiting: receipt.waiting,
    isPaid: !isFree(receipt.kind),
  } as const
  return { title, state }
}

const isNumber = (text: string) => /^[1-9]\d{0,17}$/.test(text)

/** A line of the statement; of a recharge or a purchase the state is that of its order or delivery. */
async function readTransaction(deps: Deps, { id, userId }: Key) {
  const found = orNotFound(isNumber(id) ? await deps.findTransaction(deps.db, userId, id) : undefined)
  const { type, amount, created_at, reference } = found
  const signed = `${amount < 0 ? '−' : '+'}${formatNumber(Math.abs(amount))} TCoin`
  // Without the other side's name, which is not this player's to keep.
  const title = `${TRANSACTION_NAMES[type]} ${signed}, ${formatMoment(created_at)}`
  if (isNumber(reference)) return { title, state: { kind: 'transaction', type } as const }
  const behind = type === 'recharge' || type === 'bonus' ? readOrder : readDelivery
  return { title, state: (await behind(deps, { id: reference, userId })).state }
}
