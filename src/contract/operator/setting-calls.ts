import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { person, reason, storable } from './act-fields.ts'
import { listQuery, oneOrMany } from './list.ts'
import { operatorProposalSchema } from './proposals.ts'
import { permitted } from './roles.ts'
import { SETTING_KINDS } from './setting-kinds.ts'
import { SETTING_SECTIONS } from './settings.ts'

/** Text as the database can hold it. */
const value = z.string('Không được bỏ trống').check(z.maxLength(5000, 'Tối đa 5000 kí tự'), storable)

/** `id` is the key itself, since a console's lists want one. */
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

const CHANGERS = permitted(['settings.content', 'settings.prices', 'settings.money'])
const byKey = z.object({ key: z.string() })

export const operatorSettings = {
  list: endpoint('GET', '/operator/settings', permitted('settings.read'), {
    summary: 'Every setting with its value, how it is typed, and its limits.',
    query: listQuery(['id'], {
      id: z.optional(oneOrMany(z.string())),
      section: z.optional(z.enum(SETTING_SECTIONS)),
    }),
    answer: z.array(operatorSettingSchema),
  }),
  update: endpoint('PUT', '/operator/settings', CHANGERS, {
    summary:
      'Sets values of one section, all or none, by whoever may change it. `updated_at` is the newest among those of the values, as the reader saw them. In sections prices and money it takes a fresh step-up, and each changed value waits for a second person.',
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
    isIdempotent: true,
    errors: ['CONFLICT', 'STEP_UP_REQUIRED', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
  history: endpoint('GET', '/operator/settings/{key}/history', permitted('settings.read'), {
    summary:
      'What was proposed and changed of one setting, the newest first; 50 rows, before the row `before`.',
    params: byKey,
    query: z.object({ before: z.optional(idText) }),
    answer: z.array(settingChangeSchema),
    errors: ['NOT_FOUND'],
  }),
  previewQr: endpoint('POST', '/operator/settings/preview-qr', permitted('settings.money'), {
    summary: 'The QR a player would see of this receiving account, for a test payment. Changes nothing.',
    body: z.object({ value }),
    answer: z.object({
      bin: z.string(),
      number: z.string(),
      name: z.string(),
      /** VND. */
      amount: z.number(),
      memo: z.string(),
      qr: z.string(),
      qr_svg: z.string(),
    }),
  }),
}
