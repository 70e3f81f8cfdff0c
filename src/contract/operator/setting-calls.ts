import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../fields.ts'
import {
  actOnRow,
  beforeId,
  chosenMoment,
  growingListQuery,
  keyed,
  listQuery,
  person,
  reason,
  storable,
} from './fields.ts'
import { doneOrProposal, operatorProposalSchema } from './proposals.ts'
import { permitted } from './roles.ts'
import { SETTING_KINDS } from './setting-kinds.ts'
import { SETTING_SECTIONS, settingDefinitions, type SettingKey } from './settings.ts'
import { shownName } from '../shown-name.ts'

/** Text as the database can hold it. */
const value = z.string('Không được bỏ trống').check(z.maxLength(5000, 'Tối đa 5000 ký tự'), storable)

/** `id` is the key itself, since a console's lists need one. */
export const operatorSettingSchema = z.object({
  id: z.string(),
  section: z.enum(SETTING_SECTIONS),
  kind: z.enum(SETTING_KINDS),
  value: z.string(),
  label: z.string(),
  description: z.string(),
  /** Of a number its value, of several amounts each of them, of a text its length. */
  limits: z.nullable(z.object({ min: z.number(), max: z.number() })),
  /** Of a choice its values, else none. */
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  is_public: z.boolean(),
  /** Null while nobody has set it. */
  updated_at: z.nullable(moment),
})

export type OperatorSetting = z.output<typeof operatorSettingSchema>

/** One row of a setting's past, from the audit trail. */
export const settingChangeSchema = z.object({
  id: idText,
  at: moment,
  /** Null: the portal itself, when a proposal's time had come. */
  actor: z.nullable(person),
  action: z.string(),
  reason: z.nullable(z.string()),
  before: z.string(),
  after: z.string(),
})

const CHANGERS = permitted(SETTING_SECTIONS.map((section) => `settings.${section}` as const))
const byKey = z.object({ key: z.string() })

export const operatorSettings = {
  list: endpoint('GET', '/operator/settings', permitted('settings.read'), {
    summary: 'Every setting with its value, how it is typed, and its limits.',
    query: listQuery(['id'], { section: z.optional(z.enum(SETTING_SECTIONS)) }, z.string()),
    answer: z.array(operatorSettingSchema),
  }),
  update: endpoint('PUT', '/operator/settings', CHANGERS, {
    summary:
      'Sets values of one section, all or none, by whoever may change it. `updated_at` is the newest among those of the values, as the reader saw them. In sections links, prices and money it takes a fresh step-up, and each changed value waits for a second person.',
    body: z.object({
      values: z
        .record(z.string().check(z.maxLength(100)), value)
        .check(
          z.refine(
            (values) => Object.keys(values).length >= 1 && Object.keys(values).length <= 100,
            'Mỗi lần thay đổi từ 1 đến 100 cài đặt',
          ),
        ),
      updated_at: z.nullable(moment),
      reason,
    }),
    answer: z.union([
      z.object({ settings: z.array(operatorSettingSchema) }),
      z.object({ proposals: z.array(operatorProposalSchema) }),
    ]),
    mayWait: true,
    ...keyed('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  history: endpoint('GET', '/operator/settings/{key}/history', permitted('settings.read'), {
    summary:
      'What was proposed and changed of one setting, the newest first; 50 rows, before the row `before`.',
    params: byKey,
    query: beforeId,
    answer: z.array(settingChangeSchema),
    errors: ['NOT_FOUND'],
  }),
  previewQr: endpoint('POST', '/operator/settings/preview-qr', permitted('settings.money'), {
    summary: 'The QR a player would see of this receiving account, for a test payment. Changes nothing.',
    body: z.object({ value }),
    answer: z.object({
      bin: z.string(),
      /** The bank of the BIN, as a payer's own bank shows it. */
      bank: z.string(),
      number: z.string(),
      name: shownName,
      /** VND. */
      amount: z.number(),
      memo: z.string(),
      qr: z.string(),
      qr_svg: z.string(),
    }),
  }),
}

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
  /** Null where no second person was needed. */
  approved_by: z.nullable(person),
  /** When the price was changed. */
  started_at: z.nullable(moment),
  /** When it went back, came for good, was given up or cancelled. */
  closed_at: z.nullable(moment),
})

export type PlannedPrice = z.output<typeof plannedPriceSchema>

export const operatorPlannedPrices = {
  list: endpoint('GET', '/operator/planned-prices', permitted('settings.read'), {
    summary:
      'Planned changes of prices. `open` leaves those that are planned or active. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
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
      value,
      starts_at: chosenMoment,
      ends_at: z.nullable(chosenMoment),
      reason,
    }),
    ...doneOrProposal(z.object({ planned_price: plannedPriceSchema })),
    ...keyed('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  cancel: endpoint('POST', '/operator/planned-prices/{id}/cancel', permitted('settings.prices'), {
    summary: 'Cancels a planned price that has not come yet. Takes a fresh step-up.',
    ...actOnRow(plannedPriceSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}
