import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { COINS_MAX, idText, moment } from '../fields.ts'
import {
  actOnRow,
  channelFilter,
  growingListQuery,
  idFilter,
  keyed,
  momentChosen,
  newRow,
  onRow,
  person,
  reason,
  reasonBody,
  signedAmount,
  title,
  wholeNumber,
} from './fields.ts'
import { doneOrProposal } from './proposals.ts'
import { permitted } from './roles.ts'
import { PROMOTION_KINDS } from '../constants.ts'
import { goodSchema } from '../deliveries.ts'
import type { PromotionTerms } from '../promotion-rules.ts'
import { rewardGoods } from './rewards/goods.ts'
import { MILESTONE_STEPS_MAX } from '../rewards/milestones.ts'
import { shownName } from '../shown-name.ts'

export const budgetSchema = z.object({
  id: idText,
  title: shownName,
  /** TCoin put in, without those taken back. */
  funded: z.number(),
  /** TCoin that are neither given nor promised. */
  balance: z.number(),
  /** TCoin promised to orders that are not paid yet. */
  held: z.number(),
  /** TCoin given to players. */
  given: z.number(),
  made_by: person,
  made_at: moment,
})

export type Budget = z.output<typeof budgetSchema>

export const operatorBudgets = {
  list: endpoint('GET', '/operator/budgets', permitted('ledger.read'), {
    summary:
      'What the house may give away as TCoin, by budget: what was put in, what is left, what is promised and what was given. The movements of one: the ledger transfers with the filter `budget`. At most 10,000 are counted.',
    query: growingListQuery(['id'], {}),
    answer: z.array(budgetSchema),
  }),
  create: endpoint('POST', '/operator/budgets', permitted('settings.money'), {
    summary: 'Makes an empty budget. Takes a fresh step-up.',
    body: z.object({ title, reason }),
    ...newRow(budgetSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  fund: endpoint('POST', '/operator/budgets/{id}/fund', permitted('settings.money'), {
    summary:
      'Puts TCoin into a budget, or takes back what is neither given nor promised (a negative amount). Takes a fresh step-up, and above manual_credit_limit a second person.',
    body: z.object({ amount: signedAmount, reason }),
    ...doneOrProposal(z.object({ budget: budgetSchema })),
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}

export const PROMOTION_STATES = ['planned', 'running', 'stopped'] as const

const termsShape = {
  budget_id: idText,
  starts_at: moment,
  ends_at: moment,
  kind: z.enum(PROMOTION_KINDS),
  percent: z.nullable(z.number()),
  amount: z.nullable(z.number()),
  steps: z.nullable(z.array(z.object({ from: z.number(), amount: z.number() }))),
  minimum: z.number(),
  cap_per_player: z.number(),
  cap_total: z.number(),
  is_first_recharge: z.boolean(),
  channel: z.nullable(z.number()),
}

/** Who wrote a campaign down, when its terms were changed last, what waits about it, and when it ran. */
export const campaignPast = {
  made_by: person,
  made_at: moment,
  updated_at: moment,
  /** The proposal of its start that waits; terms that change close it. */
  proposal_id: z.nullable(idText),
  started_at: z.nullable(moment),
  stopped_at: z.nullable(moment),
}

export const promotionSchema = z.object({
  id: idText,
  title: shownName,
  ...termsShape,
  budget_title: shownName,
  /** As players read it. */
  sentence: z.string(),
  state: z.enum(PROMOTION_STATES),
  /** TCoin promised or given, without what went back to the budget. */
  given: z.number(),
  /** Of these, what is promised only. */
  held: z.number(),
  /** Orders that were given something, and players who were promised or given something; at most 10,000 are counted. */
  orders: z.number(),
  players: z.number(),
  ...campaignPast,
})

export type Promotion = z.output<typeof promotionSchema>

/** @__NO_SIDE_EFFECTS__ */
const tcoinOf = (missing: string) =>
  wholeNumber(missing, 'Số TCoin phải là số nguyên').check(
    z.gte(1, 'Số TCoin phải lớn hơn 0'),
    z.lte(COINS_MAX, 'Số TCoin quá lớn'),
  )

export const wholeTcoin = tcoinOf('Nhập số TCoin')
const wholeVnd = wholeNumber('Nhập số tiền', 'Số tiền phải là số nguyên').check(
  z.gte(0, 'Số tiền không được âm'),
  z.lte(1_000_000_000, 'Số tiền quá lớn'),
)

export const PROMOTION_STEPS_MAX = 10

const steps = z.array(z.object({ from: wholeVnd, amount: wholeTcoin })).check(
  z.minLength(1, 'Hãy thêm ít nhất một mức'),
  z.maxLength(PROMOTION_STEPS_MAX, `Tối đa ${PROMOTION_STEPS_MAX} mức`),
  z.refine(
    (rows) => rows.every(({ from }, at) => at === 0 || from > (rows[at - 1]?.from ?? 0)),
    'Các mức phải tăng dần theo số tiền nạp',
  ),
)

/** What the kind of the terms requires, beside the field that it misses. */
function assertTerms({ value, issues }: { value: PromotionTerms & Span & Caps; issues: unknown[] }): void {
  const refuse = (field: string, message: string) =>
    issues.push({ code: 'custom', input: value, path: [field], message })
  const { kind, percent, amount, steps: rows, minimum } = value
  if ((kind === 'percent') !== (percent !== null)) refuse('percent', 'Nhập phần trăm, từ 1 đến 100')
  if ((kind === 'fixed') !== (amount !== null)) refuse('amount', 'Nhập số TCoin tặng')
  if ((kind === 'steps') !== (rows !== null)) refuse('steps', 'Hãy thêm ít nhất một mức')
  if (kind === 'steps' && minimum > 0) refuse('minimum', 'Các mức đã có số tiền tối thiểu riêng')
  if (Date.parse(value.ends_at) <= Date.parse(value.starts_at))
    refuse('ends_at', 'Giờ kết thúc phải sau giờ bắt đầu')
  if (value.cap_total < value.cap_per_player)
    refuse('cap_total', 'Tổng tối đa phải từ mức tối đa mỗi người trở lên')
}

type Span = { starts_at: string; ends_at: string }
type Caps = { cap_per_player: number; cap_total: number }

const plannedTerms = {
  starts_at: momentChosen('Chọn giờ bắt đầu'),
  ends_at: momentChosen('Chọn giờ kết thúc'),
  kind: z.enum(PROMOTION_KINDS, 'Hãy chọn cách tặng'),
  percent: z.nullable(
    wholeNumber('Nhập phần trăm, từ 1 đến 100', 'Phần trăm phải là số nguyên').check(
      z.gte(1, 'Phần trăm từ 1 đến 100'),
      z.lte(100, 'Phần trăm từ 1 đến 100'),
    ),
  ),
  amount: z.nullable(wholeTcoin),
  steps: z.nullable(steps),
  minimum: wholeVnd,
  cap_per_player: tcoinOf('Nhập số TCoin tối đa mỗi người'),
  cap_total: tcoinOf('Nhập tổng số TCoin tối đa'),
  is_first_recharge: z.boolean(),
  channel: z.nullable(channelFilter),
}

/** The budget that a campaign takes its TCoin from: one that is there, or the title of one that is made with it. */
const CHOOSE_BUDGET = 'Hãy chọn một ngân sách'
export const chosenBudget = {
  budget_id: z.optional(z.string(CHOOSE_BUDGET).check(z.regex(/^[1-9]\d{0,18}$/, CHOOSE_BUDGET))),
  new_budget: z.optional(title),
}

type ChosenBudget = { budget_id?: string | undefined; new_budget?: string | undefined }

function assertBudget({ value, issues }: { value: ChosenBudget; issues: unknown[] }): void {
  if ((value.budget_id === undefined) === (value.new_budget === undefined))
    issues.push({ code: 'custom', input: value, path: ['budget_id'], message: CHOOSE_BUDGET })
}

/** Whether a campaign is proposed with its plan, and what is put into its budget when it is approved. */
export const startWithPlan = {
  start: z.optional(z.boolean()),
  funding: z.optional(tcoinOf('Nhập số TCoin cấp cho ngân sách')),
}

/** How far back a dry run looks. */
export const DRY_RUN_DAYS = 90

export const startBody = z.object({ funding: startWithPlan.funding, reason })

export const operatorPromotions = {
  list: endpoint('GET', '/operator/promotions', permitted('settings.prices'), {
    summary:
      'Promotions with their terms, as players read them, and what they cost so far. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      state: z.optional(z.enum(PROMOTION_STATES)),
      budget_id: z.optional(idFilter),
    }),
    answer: z.array(promotionSchema),
  }),
  preview: endpoint('POST', '/operator/promotions/preview', permitted('settings.prices'), {
    summary:
      'What players would read of these terms, and what they would have cost over the recharges of the last 90 days; `cost` is null where that took too long. Changes nothing.',
    body: z.object(plannedTerms).check(assertTerms as never),
    answer: z.object({
      sentence: z.string(),
      cost: z.nullable(z.object({ coins: z.number(), orders: z.number(), players: z.number() })),
    }),
  }),
  plan: endpoint('POST', '/operator/promotions', permitted('settings.prices'), {
    summary:
      'Writes down a promotion, with a new budget where it names one (takes settings.money). It promises nothing before it is started. With `start` its start, and putting `funding` into its budget, are proposed as one and wait for a second person. Takes a fresh step-up.',
    body: z
      .object({ title, ...plannedTerms, ...chosenBudget, ...startWithPlan, reason })
      .check(assertTerms as never, assertBudget as never),
    ...doneOrProposal(promotionSchema),
    status: 201,
    ...keyed('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  update: endpoint('PUT', '/operator/promotions/{id}', permitted('settings.prices'), {
    summary:
      'Changes the terms of a promotion that was never started. A proposal of its start that waits is closed. Takes a fresh step-up.',
    body: z
      .object({ title, ...plannedTerms, ...chosenBudget, updated_at: moment, reason })
      .check(assertTerms as never, assertBudget as never),
    answer: promotionSchema,
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  start: endpoint('POST', '/operator/promotions/{id}/start', permitted('settings.prices'), {
    summary:
      'Starts a planned promotion whose budget holds its whole cap, with what `funding` puts into it (takes settings.money); it counts between its times. Takes a fresh step-up and waits for a second person.',
    body: startBody,
    ...doneOrProposal(z.object({ promotion: promotionSchema })),
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  stop: endpoint('POST', '/operator/promotions/{id}/stop', permitted('settings.prices'), {
    summary:
      'Ends a promotion for new orders at once; what was promised stays promised. Takes a fresh step-up.',
    ...actOnRow(promotionSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}

export const operatorCheckIns = {
  days: endpoint('GET', '/operator/check-ins', permitted('settings.read'), {
    summary:
      'How many players checked in on each of the last 31 days in Vietnam, the newest first; at most 10,000 are counted of a day.',
    answer: z.object({ days: z.array(z.object({ day: z.string(), players: z.number() })) }),
  }),
}

export const milestonesSchema = z.object({
  id: idText,
  title: shownName,
  starts_at: moment,
  ends_at: moment,
  claims_until: moment,
  /** As players read it. */
  sentence: z.string(),
  state: z.enum(PROMOTION_STATES),
  /** How many players at most take each step. */
  claims_max: z.number(),
  /** How many players took the goods of each. */
  steps: z.array(z.object({ id: idText, at: z.number(), goods: z.array(goodSchema), claims: z.number() })),
  ...campaignPast,
})

export type Milestones = z.output<typeof milestonesSchema>

const milestoneSteps = z
  .array(z.object({ at: wholeVnd.check(z.gte(1_000, 'Mốc nạp từ 1,000 VND')), goods: rewardGoods }))
  .check(
    z.minLength(1, 'Hãy thêm ít nhất một mốc'),
    z.maxLength(MILESTONE_STEPS_MAX, `Tối đa ${MILESTONE_STEPS_MAX} mốc`),
    z.refine(
      (rows) => rows.every(({ at }, index) => index === 0 || at > (rows[index - 1]?.at ?? 0)),
      'Các mốc phải tăng dần theo số tiền nạp',
    ),
  )

/** How many players may take each step of a programme that does not say it. */
export const CLAIMS_USUAL = 1_000

const milestoneTerms = {
  title,
  starts_at: momentChosen('Chọn giờ bắt đầu'),
  ends_at: momentChosen('Chọn giờ kết thúc'),
  claims_until: momentChosen('Chọn hạn nhận quà'),
  claims_max: z.optional(
    wholeNumber('Nhập số người nhận', 'Số người nhận phải là số nguyên').check(
      z.gte(1, 'Số người nhận từ 1 trở lên'),
      z.lte(1_000_000, 'Số người nhận tối đa 1,000,000'),
    ),
  ),
  steps: milestoneSteps,
  reason,
}

function assertMilestones({
  value,
  issues,
}: {
  value: Span & { claims_until: string }
  issues: unknown[]
}): void {
  const { starts_at, ends_at, claims_until } = value
  const refuse = (field: string, message: string) =>
    issues.push({ code: 'custom', input: undefined, path: [field], message })
  if (Date.parse(ends_at) <= Date.parse(starts_at)) refuse('ends_at', 'Giờ kết thúc phải sau giờ bắt đầu')
  if (Date.parse(claims_until) < Date.parse(ends_at))
    refuse('claims_until', 'Hạn nhận quà phải từ giờ kết thúc trở đi')
}

export const operatorMilestones = {
  list: endpoint('GET', '/operator/milestones', permitted('settings.prices'), {
    summary:
      'Programmes of recharge milestones, as players read them, and how many took each step. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      state: z.optional(z.enum(PROMOTION_STATES)),
    }),
    answer: z.array(milestonesSchema),
  }),
  plan: endpoint('POST', '/operator/milestones', permitted('settings.prices'), {
    summary:
      'Writes down a programme, each step for so many players as `claims_max` says (1,000 by default). It gives nothing before it is started. With `start` its start is proposed with it and waits for a second person. Takes a fresh step-up.',
    body: z.object({ ...milestoneTerms, start: startWithPlan.start }).check(assertMilestones as never),
    ...doneOrProposal(milestonesSchema),
    status: 201,
    ...keyed('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  update: endpoint('PUT', '/operator/milestones/{id}', permitted('settings.prices'), {
    summary:
      'Changes the terms of a programme that was never started. A proposal of its start that waits is closed. Takes a fresh step-up.',
    body: z.object({ ...milestoneTerms, updated_at: moment }).check(assertMilestones as never),
    answer: milestonesSchema,
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  start: endpoint('POST', '/operator/milestones/{id}/start', permitted('settings.prices'), {
    summary:
      'Starts a planned programme; it counts between its times, which no other running one may overlap. Takes a fresh step-up and waits for a second person.',
    body: reasonBody,
    ...doneOrProposal(z.object({ milestones: milestonesSchema })),
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  stop: endpoint('POST', '/operator/milestones/{id}/stop', permitted('settings.prices'), {
    summary: 'Ends a programme at once: nothing more is taken. Takes a fresh step-up.',
    ...actOnRow(milestonesSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}
