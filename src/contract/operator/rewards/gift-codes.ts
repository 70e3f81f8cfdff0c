import * as z from 'zod/mini'
import { DELIVERY_STATES } from '../deliveries.ts'
import {
  actOnRow,
  growingListQuery,
  idFilter,
  momentChosen,
  newRow,
  onRow,
  person,
  reason,
  title,
  wholeNumber,
} from '../fields.ts'
import {
  campaignPast,
  chosenBudget,
  PROMOTION_STATES,
  startBody,
  startWithPlan,
  wholeTcoin,
} from '../promotions.ts'
import { doneOrProposal, operatorProposalSchema } from '../proposals.ts'
import { permitted } from '../roles.ts'
import { goodSchema } from '../../deliveries.ts'
import { endpoint } from '../../endpoint.ts'
import { COINS_MAX, idText, moment } from '../../fields.ts'
import { rewardGoods } from './goods.ts'
import { shownName } from '../../shown-name.ts'

const giftCodeTerms = {
  /** For each use; null where it gives goods. */
  coins: z.nullable(z.number()),
  budget_id: z.nullable(idText),
  goods: z.nullable(z.array(goodSchema)),
  starts_at: moment,
  ends_at: moment,
  codes: z.number(),
  uses_per_code: z.number(),
  /** How many codes of the batch, or uses of its one code, a player has. */
  per_player: z.number(),
  /** Null: players of all servers. */
  server_id: z.nullable(z.string()),
}

export const giftCodeBatchSchema = z.object({
  id: idText,
  title: shownName,
  ...giftCodeTerms,
  budget_title: z.nullable(shownName),
  server_name: z.nullable(shownName),
  state: z.enum(PROMOTION_STATES),
  uses: z.number(),
  /** TCoin held for uses to come. */
  held: z.number(),
  ...campaignPast,
})

export type GiftCodeBatch = z.output<typeof giftCodeBatchSchema>

const giftCodeUseSchema = z.object({
  id: idText,
  batch_id: idText,
  user: person,
  used_at: moment,
  /** Of goods: the last delivery. */
  delivery: z.nullable(z.object({ id: z.string(), state: z.enum(DELIVERY_STATES) })),
})

export type GiftCodeUse = z.output<typeof giftCodeUseSchema>

const wholeBetween = (words: string, min: number, max: number) =>
  wholeNumber(`Nhập ${words.toLowerCase()}`, `${words} phải là số nguyên`).check(
    z.gte(min, `${words} từ ${min.toLocaleString('en')} trở lên`),
    z.lte(max, `${words} tối đa ${max.toLocaleString('en')}`),
  )

export const CODES_MAX = 10_000

type BatchTerms = {
  coins: number | null
  budget_id: string | null
  new_budget?: string | undefined
  goods: unknown[] | null
  starts_at: string
  ends_at: string
}

type BatchSize = { coins: number | null; codes: number; uses_per_code: number }

type Issues = { issues: unknown[] }

const refusing = (value: unknown, issues: unknown[]) => (field: string, message: string) =>
  issues.push({ code: 'custom', input: value, path: [field], message })

function assertGiftCodes({ value, issues }: { value: BatchTerms } & Issues): void {
  const refuse = refusing(value, issues)
  const { coins, goods } = value
  const budgets = (value.budget_id === null ? 0 : 1) + (value.new_budget === undefined ? 0 : 1)
  if ((coins === null) === (goods === null))
    refuse('coins', 'Hãy nhập TCoin hoặc quà trong game, một trong hai')
  if (coins !== null && budgets !== 1) refuse('budget_id', 'Hãy chọn một ngân sách')
  if (coins === null && budgets > 0) refuse('budget_id', 'Quà trong game không dùng ngân sách')
  if (Date.parse(value.ends_at) <= Date.parse(value.starts_at))
    refuse('ends_at', 'Giờ kết thúc phải sau giờ bắt đầu')
}

function assertSize({ value, issues }: { value: BatchSize } & Issues): void {
  const refuse = refusing(value, issues)
  const { coins, codes, uses_per_code } = value
  if (codes > 1 && uses_per_code > 1) refuse('uses_per_code', 'Đợt nhiều mã thì mỗi mã dùng một lần')
  if ((coins ?? 0) * codes * uses_per_code > COINS_MAX) refuse('coins', 'Tổng số TCoin quá lớn')
}

const batchFields = {
  title,
  coins: z.nullable(wholeTcoin),
  budget_id: z.nullable(idText),
  new_budget: chosenBudget.new_budget,
  goods: z.nullable(rewardGoods),
  starts_at: momentChosen('Chọn giờ bắt đầu'),
  ends_at: momentChosen('Chọn giờ kết thúc'),
  per_player: wholeBetween('Số lượt mỗi người', 1, 100),
  server_id: z.nullable(z.string().check(z.maxLength(16))),
  reason,
}

export const operatorGiftCodes = {
  list: endpoint('GET', '/operator/gift-code-batches', permitted('settings.prices'), {
    summary:
      'Batches of gift codes: what they give, to whom, and how often they were used. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      state: z.optional(z.enum(PROMOTION_STATES)),
    }),
    answer: z.array(giftCodeBatchSchema),
  }),
  make: endpoint('POST', '/operator/gift-code-batches', permitted('settings.prices'), {
    summary:
      'Makes a batch: one code for many players, or many codes for one use each. Its codes are in this answer and nowhere else, one a line; `csv` is null when the key is repeated. They give nothing before the batch is started. `new_budget` makes a budget with it (takes settings.money). With `start` its start, and putting `funding` into its budget, are proposed as one and wait for a second person. Takes a fresh step-up.',
    body: z
      .object({
        ...batchFields,
        codes: wholeBetween('Số mã', 1, CODES_MAX),
        uses_per_code: wholeBetween('Số lượt của mỗi mã', 1, 1_000_000),
        ...startWithPlan,
      })
      .check(assertGiftCodes as never, assertSize as never),
    ...newRow(
      z.object({
        batch: giftCodeBatchSchema,
        csv: z.nullable(z.string()),
        proposal: z.nullable(operatorProposalSchema),
      }),
      'CONFLICT',
      'STEP_UP_REQUIRED',
    ),
    mayWait: true,
  }),
  update: endpoint('PUT', '/operator/gift-code-batches/{id}', permitted('settings.prices'), {
    summary:
      'Changes the terms of a batch that was never started; its codes and how often each counts stay. A proposal of its start that waits is closed. Takes a fresh step-up.',
    body: z.object({ ...batchFields, updated_at: moment }).check(assertGiftCodes as never),
    answer: giftCodeBatchSchema,
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  start: endpoint('POST', '/operator/gift-code-batches/{id}/start', permitted('settings.prices'), {
    summary:
      'Starts a planned batch, whose whole cost in TCoin is held from then on, out of its budget with what `funding` puts into it (takes settings.money); its codes count between its times. Takes a fresh step-up and waits for a second person.',
    body: startBody,
    ...doneOrProposal(z.object({ batch: giftCodeBatchSchema })),
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  stop: endpoint('POST', '/operator/gift-code-batches/{id}/stop', permitted('settings.prices'), {
    summary: 'Ends a batch at once; what was held for it goes back to its budget. Takes a fresh step-up.',
    ...actOnRow(giftCodeBatchSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}

export const operatorGiftCodeUses = {
  list: endpoint('GET', '/operator/gift-code-uses', permitted('settings.prices'), {
    summary: 'Who was given what by gift codes. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      batch_id: z.optional(idFilter),
      user_id: z.optional(idFilter),
    }),
    answer: z.array(giftCodeUseSchema),
  }),
}
