import * as z from 'zod/mini'
import type { AnswerOf } from '#contract/endpoint.ts'
import {
  operatorPlannedPrices,
  PLANNED_DAYS_MAX,
  type PlannedPrice,
  PRICE_KEYS,
} from '#contract/operator/setting-calls.ts'
import { changeFactor, settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { formatMoment, formatSpan } from '#contract/format.ts'
import { actAsOperator, type Recorded } from '#server/modules/audit/index.ts'
import {
  type Proposed,
  type ProposalsDeps,
  propose,
  type ProposedChange,
} from '#server/modules/proposals/index.ts'
import {
  lockSettingText,
  readSettingTexts,
  titleOfSetting,
  settingTerms,
  type SettingValues,
} from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { conflict, orNotFound, invalidField } from '#server/platform/values/errors.ts'
import { getPlan, insertPlan, listOpen, lockPlan, markPlan, type NewPlan } from './planned-prices.queries.ts'

const overlapping = (other: { starts_at: string; ends_at: string | null }) =>
  conflict(
    other.ends_at === null
      ? `Giá này đã có lịch đổi hẳn từ ${formatMoment(other.starts_at)}, hãy hủy lịch đó trước`
      : `Giá này đã có lịch từ ${formatMoment(other.starts_at)} đến ${formatMoment(other.ends_at)}, hãy chọn thời gian khác`,
  )

const tooManyPlans = (most: number) =>
  conflict(`Chỉ giữ được ${most} lịch đang mở, hãy hủy bớt trước khi thêm`)

const notPlanned = (present: object) =>
  conflict('Lịch này đã bắt đầu hoặc đã đóng nên không hủy được, vui lòng tải lại trang', present)

const sameValue = () => invalidField('value', 'Giá đang là giá trị này')

const wrongValue = (message: string) => invalidField('value', message)

const startPassed = () => invalidField('starts_at', 'Giờ bắt đầu phải ở sau lúc này')

const endTooEarly = () => invalidField('ends_at', 'Giờ kết thúc phải sau giờ bắt đầu')

const tooFar = (field: 'starts_at' | 'ends_at', days: number) =>
  invalidField(field, `Chỉ hẹn trước được tối đa ${days} ngày`)

const startsBeforeDecision = (decidedAt: string) =>
  invalidField(
    'starts_at',
    `Không có người thứ hai nên lịch này chỉ có hiệu lực từ ${formatMoment(decidedAt)}, hãy hẹn sau lúc đó`,
  )

/** Of all settings together. */
const OPEN_MAX = 100
const DAY_MS = 86_400_000

type PlanCall = UserCall<typeof operatorPlannedPrices.plan>
type PlanAnswer = AnswerOf<typeof operatorPlannedPrices.plan>

/** Plans a change of one price; it waits for a second person, unless the installation has switched that off. */
export async function planPrice(deps: ProposalsDeps, call: PlanCall): Promise<PlanAnswer> {
  const { body, identity, request } = call
  const { setting, reason, starts_at, ends_at } = body
  return actAsOperator<PlanAnswer>(deps, call, {
    action: 'planned-prices.plan',
    async work(tx) {
      const after = readValue(setting, body.value)
      assertTimes(body, deps.clock.now())
      const before = await lockFree(tx, setting, body)
      if (before === after) throw sameValue()
      const operatorId = identity.userId
      const factor = changeFactor(setting, before, after) ?? undefined
      const change = { before, after, starts_at, ends_at }
      const proposal = await propose(deps, tx, {
        kind: 'planned-price',
        subject: setting,
        payload: { ...change, factor },
        reason,
        operatorId,
        requestId: request.id,
      })
      if (proposal === null) {
        const by = { plannedBy: operatorId, approvedBy: null }
        const plan = await insertPlan(tx, { setting, reason, ...change, ...by })
        if (plan === undefined) throw startPassed()
        return { answer: { planned_price: plan }, audit: recordedPlan(plan) }
      }
      const { takes_effect_at } = proposal
      if (takes_effect_at !== null && Date.parse(takes_effect_at) >= Date.parse(starts_at))
        throw startsBeforeDecision(takes_effect_at)
      return { answer: { proposal }, audit: null }
    },
  })
}

function readValue(setting: SettingKey, value: string): string {
  const read = z.safeParse(settingDefinitions[setting].schema, value)
  if (!read.success) throw wrongValue(read.error.issues[0]?.message ?? '')
  return read.data
}

function assertTimes({ starts_at, ends_at }: Pick<NewPlan, 'starts_at' | 'ends_at'>, now: Date): void {
  const most = now.getTime() + PLANNED_DAYS_MAX * DAY_MS
  const [start, end] = [Date.parse(starts_at), ends_at === null ? null : Date.parse(ends_at)]
  if (start <= now.getTime()) throw startPassed()
  if (start > most) throw tooFar('starts_at', PLANNED_DAYS_MAX)
  if (end !== null && end <= start) throw endTooEarly()
  if (end !== null && end > most) throw tooFar('ends_at', PLANNED_DAYS_MAX)
}

/** The text that a plan would change; refuses one whose time another plan has. No other is made until the transaction ends. */
async function lockFree(
  tx: Tx,
  setting: SettingKey,
  time: Pick<NewPlan, 'starts_at' | 'ends_at'>,
): Promise<string> {
  const present = await lockSettingText(tx, setting)
  const open = await listOpen(tx)
  const ofSetting = open.filter((one) => one.setting === setting)
  const other = ofSetting.find((one) => overlaps(one, time))
  if (other !== undefined) throw overlapping(other)
  if (open.length >= OPEN_MAX) throw tooManyPlans(OPEN_MAX)
  return lastingText(present, ofSetting)
}

/** The trail has a plan under the key of its setting. */
const recordedPlan = ({ id, setting, before, after, starts_at, ends_at }: PlannedPrice): Recorded => ({
  subject: { type: 'planned-price', id: setting },
  details: { plan_id: id, before, after, starts_at, ends_at },
})

export { selectPlans as listPlans } from './planned-prices.queries.ts'

/** Cancels a plan that has not come yet. */
export const cancelPlan = (deps: ProposalsDeps, call: UserCall<typeof operatorPlannedPrices.cancel>) =>
  actAsOperator<PlannedPrice>(deps, call, {
    action: 'planned-prices.cancel',
    async work(tx) {
      const plan = orNotFound(await lockPlan(tx, call.params.id))
      if (plan.state !== 'planned') throw notPlanned({ planned_price: plan })
      await markPlan(tx, plan, 'cancelled')
      return { answer: await getPlan(tx, plan.id), audit: recordedPlan(plan) }
    },
  })

const isPriceKey = (key: string): key is SettingKey => (PRICE_KEYS as string[]).includes(key)

/** How a plan that a second person approved is made. */
export const plannedPriceProposals = {
  titleOf: (key: string): string => `${titleOfSetting(key)} theo lịch`,
  /** The current values, without what a plan does to them for some time. */
  async readMany(db: Db, keys: readonly string[]): Promise<Map<string, string | null>> {
    const [present, open] = await Promise.all([readSettingTexts(db, keys), listOpen(db, keys)])
    return new Map(
      keys.map((key) => {
        const text = present.get(key) ?? null
        const ofKey = open.filter(({ setting }) => setting === key)
        return [key, text === null ? null : lastingText(text, ofKey)]
      }),
    )
  },
  termsOf: (_db: Db | Tx, changes: readonly Proposed[], settings: SettingValues) =>
    Promise.resolve(
      changes.map((change) => {
        const { lines, worst } = settingTerms(change, settings)
        const { starts_at = '', ends_at = null } = change.payload
        return {
          lines: [...lines, { label: 'Thời gian', before: null, after: formatSpan(starts_at, ends_at) }],
          worst,
        }
      }),
    ),
  /** False when its start has passed, another plan has its time, or the price or its rule has changed. */
  async apply(tx: Tx, change: ProposedChange): Promise<boolean> {
    const { subject: setting, before, after, starts_at, ends_at = null, reason, proposedBy, by } = change
    if (!isPriceKey(setting) || starts_at === undefined) return false
    if (!z.safeParse(settingDefinitions[setting].schema, after).success) return false
    const present = await lockSettingText(tx, setting)
    const open = await listOpen(tx, [setting])
    if (open.some((one) => overlaps(one, { starts_at, ends_at }))) return false
    if (lastingText(present, open) !== before) return false
    const plan = await insertPlan(tx, {
      setting,
      before,
      after,
      starts_at,
      ends_at,
      reason,
      plannedBy: proposedBy,
      approvedBy: by.operatorId === proposedBy ? null : by.operatorId,
    })
    return plan !== undefined
  },
} as const

type Span = { starts_at: string; ends_at: string | null }

/** Whether two plans touch each other's time; one without an end lasts for good. */
export const overlaps = (one: Span, other: Span): boolean =>
  Date.parse(one.starts_at) < endOf(other) && Date.parse(other.starts_at) < endOf(one)

const endOf = ({ ends_at }: Span): number => (ends_at === null ? Infinity : Date.parse(ends_at))

/** The text of a setting without what a plan does to it for some time. */
export function lastingText(present: string, open: readonly PlannedPrice[]): string {
  return open.find(({ state }) => state === 'active')?.before ?? present
}
