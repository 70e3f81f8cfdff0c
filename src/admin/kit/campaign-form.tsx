import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { serverNow } from '#client/server-clock.ts'
import { fieldOfMoment, formatMoment, formatNumber, momentOfField } from '#contract/format.ts'
import { type Budget, operatorBudgets, type Promotion } from '#contract/operator/promotions.ts'
import { Field } from '#ui/field.tsx'
import type { ActForm } from './act-dialog.tsx'
import { ChoiceField, MomentField } from './fields.tsx'
import { kitCopy, labels } from './kit.copy.ts'
import { ToggleButton } from './toggle-button.tsx'

const words = kitCopy.campaign

/** What the form of a campaign begins with: nothing, the terms of another one, or those that are changed. */
export type PlanProps<Row> = {
  from?: Row | undefined
  isEdit?: boolean | undefined
  onClose: () => void
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const USUAL_DAYS = 7
const SPANS = [3, USUAL_DAYS, 30] as const

const fieldOf = (time_ms: number): string => fieldOfMoment(new Date(time_ms).toISOString())
const timeOf = (typed: string): number => Date.parse(momentOfField(typed))

type Span = Pick<Promotion, 'starts_at' | 'ends_at'>
type Given<Row> = { from: Row | undefined; isEdit: boolean | undefined }

/** From this minute for seven days; of a copy as long as the other one, of a change as it is. */
export function startOfSpan({ from, isEdit }: Given<Span>) {
  if (from && isEdit)
    return { starts_at: fieldOfMoment(from.starts_at), ends_at: fieldOfMoment(from.ends_at) }
  const now_ms = serverNow()
  const length_ms = from ? Date.parse(from.ends_at) - Date.parse(from.starts_at) : USUAL_DAYS * DAY_MS
  return { starts_at: fieldOf(now_ms), ends_at: fieldOf(now_ms + Math.max(length_ms, MINUTE_MS)) }
}

/** `Cuối tuần (2)` after `Cuối tuần`, and `(3)` after that. */
export function nextTitle(title: string, max = 80): string {
  const [, name = title, number = '1'] = /^(.*) \((\d+)\)$/.exec(title) ?? []
  const end = ` (${Number(number) + 1})`
  return name.slice(0, max - end.length) + end
}

export const titleOf = ({ from, isEdit }: Given<Pick<Promotion, 'title'>>): string =>
  from === undefined ? '' : isEdit ? from.title : nextTitle(from.title)

/** How the dialog that changes a campaign differs from the one that plans it; `bodyOf` makes the terms of the fields. */
export const editing = <V, Body>(
  { id, title, updated_at, proposal_id }: Pick<Promotion, 'id' | 'title' | 'updated_at' | 'proposal_id'>,
  bodyOf: (fields: V) => Body,
) => ({
  title: words.editOf(title),
  submitLabel: labels.save,
  params: { id },
  toBody: (fields: V) => ({ ...bodyOf(fields), updated_at }),
  text: proposal_id === null ? words.editText : words.editProposed,
})

/** What forms of all campaigns hold. */
export type CampaignValues = {
  title: string
  starts_at: string
  ends_at: string
  next: 'start' | 'plan'
}

/** And those of campaigns that give TCoin. */
export type BudgetValues = CampaignValues & { budget_id: string; new_budget: string }

/** The form of a campaign that has at least these fields. */
type FormOf<V extends CampaignValues> = Pick<ActForm<V>, 'values' | 'set'> & {
  field: (name: keyof V & string) => Omit<ReturnType<ActForm<V>['field']>, 'name'> & { name: string }
}
type Form = FormOf<CampaignValues>

/** How long it runs, by one press; the exact times are among the conditions. */
export function DurationField({ form }: { form: Form }) {
  const { starts_at, ends_at } = form.values
  const length_ms = timeOf(ends_at) - timeOf(starts_at)
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-bold">{words.duration}</legend>
      <div className="flex flex-wrap gap-2">
        {SPANS.map((days) => (
          <ToggleButton
            key={days}
            isPressed={length_ms === days * DAY_MS}
            onClick={() => form.set('ends_at', fieldOf(timeOf(starts_at) + days * DAY_MS))}
          >
            {kitCopy.time.days(days)}
          </ToggleButton>
        ))}
      </div>
      {length_ms > 0 && (
        <p className="mt-1 text-sm text-soft">
          {kitCopy.planned.between(
            formatMoment(momentOfField(starts_at)),
            formatMoment(momentOfField(ends_at)),
          )}
        </p>
      )}
    </fieldset>
  )
}

/** The start is proposed with the plan unless somebody chose otherwise. */
export const submitLabel = ({ next }: Pick<CampaignValues, 'next'>): string =>
  next === 'start' ? words.submit : words.planOnly

/** What an owner seldom changes, folded until it is opened or something in it is wrong. */
export function Conditions({
  form,
  names = [],
  isEdit,
  children,
}: {
  form: Form
  /** The fields among the children. */
  names?: readonly string[]
  isEdit: boolean | undefined
  children?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const isWrong = ['starts_at', 'ends_at', ...names].some(
    (name) => form.field(name as 'title').error !== undefined,
  )
  return (
    <details
      className="rounded-lg border border-line p-3"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer font-bold">{words.conditions}</summary>
      <div className="mt-3 space-y-4">
        <MomentField {...form.field('starts_at')} label={words.startsAt} />
        <MomentField {...form.field('ends_at')} label={words.endsAt} />
        {children}
        {!isEdit && (
          <ChoiceField
            {...form.field('next')}
            label={words.next}
            options={[
              { value: 'start', label: words.nextStart },
              { value: 'plan', label: words.nextPlan },
            ]}
          />
        )}
      </div>
    </details>
  )
}

/** The budget that is made together with the campaign. */
export const NEW_BUDGET = 'new'

/** Undefined while they are read. */
export function useBudgets(): readonly Budget[] | undefined {
  const { data, isPending } = useQuery(read(operatorBudgets.list, { query: { range: '[0,99]' } }))
  return isPending ? undefined : (data ?? [])
}

/** The budget that a new campaign begins with: one that holds something, else a new one. */
export const firstBudget = (budgets: readonly Budget[]): Budget | undefined =>
  budgets.find(({ balance }) => balance > 0)

/** TCoin that the chosen budget lacks for so many; of a new one all of them. */
export function lackOf(budgets: readonly Budget[], id: string, cost: number): number {
  const balance = budgets.find((one) => one.id === id)?.balance ?? 0
  return Number.isSafeInteger(cost) ? Math.max(0, cost - balance) : 0
}

/** What a campaign takes its TCoin from and whether its start is proposed, as its call has them. */
export function planOf(
  { budget_id, new_budget, title, next }: BudgetValues,
  { budgets, cost, isEdit }: { budgets: readonly Budget[]; cost: number; isEdit: boolean | undefined },
) {
  const funding = lackOf(budgets, budget_id, cost)
  return {
    ...(budget_id === NEW_BUDGET ? { new_budget: new_budget.trim() || title } : { budget_id }),
    ...(!isEdit && next === 'start' && { start: true, ...(funding > 0 && { funding }) }),
  }
}

type BudgetProps = {
  form: FormOf<BudgetValues>
  budgets: readonly Budget[]
  cost: number
  isEdit: boolean | undefined
}

/** The budget by its name, or the name of a new one, and what is put into it with the start. */
export function BudgetFields({ form, budgets, cost, isEdit }: BudgetProps) {
  const may = useMay()
  const { budget_id, title, new_budget, next } = form.values
  const lack = lackOf(budgets, budget_id, cost)
  const newField = form.field('new_budget')
  return (
    <>
      <ChoiceField
        {...form.field('budget_id')}
        label={words.budget}
        {...(budget_id === '' && { blank: words.chooseBudget })}
        options={[
          ...(may('settings.money') ? [{ value: NEW_BUDGET, label: words.newBudget }] : []),
          ...budgets.map((budget) => ({
            value: budget.id,
            label: words.budgetOption(budget.title, formatNumber(budget.balance)),
          })),
        ]}
      />
      {budget_id === NEW_BUDGET && (
        <Field
          {...newField}
          // Left blank it has the title of the campaign, which is judged beside that.
          error={new_budget === '' && title === '' ? undefined : newField.error}
          label={words.newBudgetTitle}
          placeholder={title || undefined}
          hint={words.newBudgetHint}
          maxLength={80}
          isOptional
        />
      )}
      {lack > 0 && !isEdit && next === 'start' && (
        <p className="text-sm text-soft">{words.fundedWith(formatNumber(lack))}</p>
      )}
    </>
  )
}
