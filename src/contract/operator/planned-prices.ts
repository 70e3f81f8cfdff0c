import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment } from '../envelope.ts'
import { person, reason, storable } from './act-fields.ts'
import { growingListQuery, idFilter, oneOrMany } from './list.ts'
import { operatorProposalSchema } from './proposals.ts'
import { permitted } from './roles.ts'
import { settingDefinitions, type SettingKey } from './settings.ts'

/** A price is planned at most this long ahead, start and end. */
export const PLANNED_DAYS_MAX = 90

/**
 * `active`: it has come and goes back at its end. `done`: it has come, and gone back where it should. `not-applied`: at its
 * start the price was another than planned, or its whole time had passed; `not-returned`: at its end the price was another.
 */
export const PLANNED_PRICE_STATES = [
  'planned',
  'active',
  'done',
  'not-applied',
  'not-returned',
  'cancelled',
] as const

/** The settings that can be planned. */
export const PRICE_KEYS = (Object.keys(settingDefinitions) as SettingKey[]).filter(
  (key) => settingDefinitions[key].section === 'prices',
)

export const plannedPriceSchema = z.object({
  id: idText,
  /** The key of a setting. */
  setting: z.string(),
  before: z.string(),
  after: z.string(),
  starts_at: moment,
  /** When the price goes back; null where it stays. */
  ends_at: z.nullable(moment),
  state: z.enum(PLANNED_PRICE_STATES),
  reason: z.string(),
  planned_by: person,
  planned_at: moment,
  /** Null where no second person was asked. */
  approved_by: z.nullable(person),
  /** When the price was changed. */
  started_at: z.nullable(moment),
  /** When it went back, came for good, was given up or cancelled. */
  closed_at: z.nullable(moment),
})

export type PlannedPrice = z.output<typeof plannedPriceSchema>

const momentOfDay = z.iso.datetime({ offset: true, error: 'Thời điểm không hợp lệ' })

export const operatorPlannedPrices = {
  list: endpoint('GET', '/operator/planned-prices', permitted('settings.read'), {
    summary:
      'Planned changes of prices. `open` leaves those that are planned or active. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      id: z.optional(oneOrMany(idFilter)),
      state: z.optional(z.enum(PLANNED_PRICE_STATES)),
      open: z.optional(z.literal(true)),
    }),
    answer: z.array(plannedPriceSchema),
  }),
  plan: endpoint('POST', '/operator/planned-prices', permitted('settings.prices'), {
    summary:
      'Plans a change of one price up to 90 days ahead, for good or until `ends_at`. Takes a fresh step-up and waits for a second person. What is open of one setting never overlaps.',
    body: z.object({
      setting: z.enum(PRICE_KEYS as [SettingKey, ...SettingKey[]], 'Hãy chọn một giá hoặc hạn mức'),
      value: z.string('Không được bỏ trống').check(z.maxLength(5000, 'Tối đa 5000 kí tự'), storable),
      starts_at: momentOfDay,
      ends_at: z.nullable(momentOfDay),
      reason,
    }),
    answer: z.union([
      z.object({ planned_price: plannedPriceSchema }),
      z.object({ proposal: operatorProposalSchema }),
    ]),
    mayWait: true,
    isIdempotent: true,
    errors: ['CONFLICT', 'STEP_UP_REQUIRED', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
  cancel: endpoint('POST', '/operator/planned-prices/{id}/cancel', permitted('settings.prices'), {
    summary: 'Cancels a planned price that has not come yet. Takes a fresh step-up.',
    params: byId,
    body: z.object({ reason }),
    answer: plannedPriceSchema,
    isIdempotent: true,
    errors: ['NOT_FOUND', 'CONFLICT', 'STEP_UP_REQUIRED', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
}
