import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { consoleCall } from '#admin/console-call.ts'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import {
  BudgetFields,
  type BudgetValues,
  Conditions,
  DurationField,
  editing,
  firstBudget,
  NEW_BUDGET,
  planOf,
  type PlanProps,
  startOfSpan,
  submitLabel,
  titleOf,
  useBudgets,
} from '#admin/kit/campaign-form.tsx'
import { ChoiceField, typedMoment, typedNumber } from '#admin/kit/fields.tsx'
import { optionsOf } from '#admin/kit/filter-bar.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import type { AnswerOf, BodyInputOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import {
  type Budget,
  DRY_RUN_DAYS,
  operatorPromotions,
  type Promotion,
} from '#contract/operator/promotions.ts'
import { Alert } from '#ui/alert.tsx'
import { Field, TextArea } from '#ui/field.tsx'
import { promotionsCopy as copy } from './promotions.copy.ts'

type Fields = BudgetValues & {
  kind: Promotion['kind']
  percent: string
  amount: string
  steps: string
  minimum: string
  cap_per_player: string
  cap_total: string
  is_first_recharge: 'yes' | 'no'
  channel: string
}

const typed = (amount: number | null = null): string => (amount === null ? '' : formatNumber(amount))

type DialogProps = PlanProps<Promotion> & { budgets: readonly Budget[] }

/** The fields as they are at first: empty but for what is usual, or as another promotion has them. */
function startOf({ from, isEdit, budgets }: Omit<DialogProps, 'onClose'>): Fields {
  const budget = firstBudget(budgets)
  return {
    ...startOfSpan({ from, isEdit }),
    title: titleOf({ from, isEdit }),
    budget_id: from?.budget_id ?? budget?.id ?? NEW_BUDGET,
    new_budget: '',
    next: 'start',
    kind: from?.kind ?? 'percent',
    percent: typed(from?.percent),
    amount: typed(from?.amount),
    steps: (from?.steps ?? [])
      .map((one) => `${formatNumber(one.from)}: ${formatNumber(one.amount)}`)
      .join('\n'),
    minimum: typed(from?.minimum ?? 0),
    cap_per_player: typed(from?.cap_per_player),
    cap_total: typed(from?.cap_total ?? budget?.balance),
    is_first_recharge: from?.is_first_recharge ? 'yes' : 'no',
    channel: String(from?.channel ?? ''),
  }
}

/** A typed amount; null where the kind does not use it. */
const amountFor = (isUsed: boolean, text: string): number | null => (isUsed ? typedNumber(text) : null)

/** `50,000: 5,000` on each line: from so many VND so many TCoin. */
function stepsIn(text: string): { from: number; amount: number }[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [from = '', amount = ''] = line.split(':')
      return { from: typedNumber(from), amount: typedNumber(amount) }
    })
}

const termsOf = ({ kind, percent, amount, steps, channel, is_first_recharge, ...rest }: Fields) => ({
  kind,
  percent: amountFor(kind === 'percent', percent),
  amount: amountFor(kind === 'fixed', amount),
  steps: kind === 'steps' ? stepsIn(steps) : null,
  minimum: kind === 'steps' ? 0 : typedNumber(rest.minimum),
  cap_per_player: typedNumber(rest.cap_per_player),
  cap_total: typedNumber(rest.cap_total),
  starts_at: typedMoment(rest.starts_at),
  ends_at: typedMoment(rest.ends_at),
  is_first_recharge: is_first_recharge === 'yes',
  channel: channel === '' ? null : (Number(channel) as 1 | 2 | 3),
})

/** Plans a promotion and proposes its start, copies one, or changes one that was never started. */
export function PlanDialog(props: PlanProps<Promotion>) {
  const budgets = useBudgets()
  return budgets === undefined ? null : <PromotionDialog {...props} budgets={budgets} />
}

function PromotionDialog({ from, isEdit, budgets, onClose }: DialogProps) {
  const [start] = useState(() => startOf({ from, isEdit, budgets }))
  const toBody = (fields: Fields & { reason: string }) => ({
    title: fields.title,
    reason: fields.reason,
    ...termsOf(fields),
    ...planOf(fields, { budgets, cost: typedNumber(fields.cap_total), isEdit }),
  })
  const fieldsOf = (form: ActForm<Fields>) => (
    <>
      <PromotionFields form={form} budgets={budgets} isEdit={isEdit} />
      <Preview fields={form.values} />
    </>
  )
  if (from && isEdit)
    return (
      <ActDialog
        {...editing(from, toBody)}
        endpoint={operatorPromotions.update}
        start={start}
        onClose={onClose}
      >
        {fieldsOf}
      </ActDialog>
    )
  return (
    <ActDialog
      title={copy.plan}
      submitLabel={submitLabel}
      endpoint={operatorPromotions.plan}
      start={start}
      toBody={toBody}
      text={copy.planText}
      onClose={onClose}
    >
      {fieldsOf}
    </ActDialog>
  )
}

type FieldsProps = { form: ActForm<Fields>; budgets: readonly Budget[]; isEdit: boolean | undefined }

function PromotionFields({ form, budgets, isEdit }: FieldsProps) {
  const { kind, cap_total } = form.values
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <>
      <Field {...form.field('title')} label={copy.title} maxLength={80} />
      <ChoiceField {...form.field('kind')} label={copy.kind} options={optionsOf(copy.kinds)} />
      {kind === 'percent' && <Field {...form.field('percent')} label={copy.percent} {...number} />}
      {kind === 'fixed' && <Field {...form.field('amount')} label={copy.amount} {...number} />}
      {kind === 'steps' && (
        <TextArea {...form.field('steps')} label={copy.steps} hint={copy.stepsHint} rows={4} />
      )}
      <Field {...form.field('cap_per_player')} label={copy.capPerPlayer} {...number} />
      <Field {...form.field('cap_total')} label={copy.capTotal} hint={copy.capTotalHint} {...number} />
      <BudgetFields form={form} budgets={budgets} cost={typedNumber(cap_total)} isEdit={isEdit} />
      <DurationField form={form} />
      <Conditions form={form} names={['minimum', 'channel']} isEdit={isEdit}>
        {kind !== 'steps' && (
          <Field {...form.field('minimum')} label={copy.minimum} hint={copy.minimumHint} {...number} />
        )}
        <ChoiceField
          {...form.field('channel')}
          label={copy.channel}
          blank={copy.anyChannel}
          options={optionsOf(kitCopy.channels)}
        />
        <ChoiceField {...form.field('is_first_recharge')} label={copy.who} options={optionsOf(copy.whos)} />
      </Conditions>
    </>
  )
}

const PAUSE_MS = 400

/** A text once it has not changed for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type Body = BodyInputOf<typeof operatorPromotions.preview>

/** What players will read of the terms as they are typed, and what they would have cost; nothing while a field is missing. */
function Preview({ fields }: { fields: Fields }) {
  const settled = useSettled(JSON.stringify(termsOf(fields)))
  const body = JSON.parse(settled) as Body
  const isWhole = z.safeParse(operatorPromotions.preview.body ?? z.never(), body).success
  const { data } = useQuery({
    queryKey: [operatorPromotions.preview.path, settled],
    queryFn: () => consoleCall(operatorPromotions.preview, { body }),
    enabled: isWhole,
    placeholderData: keepPreviousData,
  })
  return (
    <Alert tone="note">
      {isWhole && data ? (
        <>
          <p>{data.sentence}</p>
          <p className="mt-2 font-bold">{costText(data.cost)}</p>
        </>
      ) : (
        <p>{copy.previewWaits}</p>
      )}
    </Alert>
  )
}

function costText(cost: AnswerOf<typeof operatorPromotions.preview>['cost']): string {
  if (cost === null) return copy.noCost
  const [coins, orders, players] = [cost.coins, cost.orders, cost.players].map(formatNumber)
  return copy.cost({ days: DRY_RUN_DAYS, coins: coins ?? '', orders: orders ?? '', players: players ?? '' })
}
