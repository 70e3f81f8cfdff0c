import { ActButton, ActDialog, DialogButton, typedNumber } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'
import { formatNumber, momentOfField } from '#contract/format.ts'
import { type Milestones, operatorMilestones } from '#contract/operator/promotions.ts'
import { goodsIn } from '#contract/operator/rewards/goods.ts'
import { Field, TextArea } from '#ui/field.tsx'
import { milestonesCopy as copy } from './milestones.copy.ts'
import { PromotionState } from './promotion-state.tsx'

const columns: readonly Column<Milestones>[] = [
  column('title', copy.title, ({ title }) => title, { isText: true }),
  column('state', copy.state, ({ state, claims_until }) => (
    <PromotionState state={state} endsAt={claims_until} />
  )),
  column('time', copy.time, plannedTime, { isText: true }),
  momentColumn('claims_until', copy.claimsUntil),
  column('steps', copy.steps, ({ steps }) => <Steps steps={steps} />, { isText: true }),
  column('acts', labels.acts, (milestones) => <Acts milestones={milestones} />),
]

/** What each step brings, and how many took it. */
const Steps = ({ steps }: Pick<Milestones, 'steps'>) => (
  <ul className="space-y-1">
    {steps.map(({ id, at, goods, claims }) => (
      <li key={id}>
        {copy.step({ at: formatNumber(at), goods: goodsInWords(goods), claims: formatNumber(claims) })}
      </li>
    ))}
  </ul>
)

function Acts({ milestones: { id, title, state, sentence } }: { milestones: Milestones }) {
  return (
    <span className="flex flex-wrap gap-2">
      {state === 'planned' && (
        <ActButton
          label={copy.start}
          aria-label={copy.startOf(title)}
          title={copy.startOf(title)}
          submitLabel={copy.start}
          endpoint={operatorMilestones.start}
          params={{ id }}
          text={copy.startText}
        >
          {() => <p>{sentence}</p>}
        </ActButton>
      )}
      {state !== 'stopped' && (
        <ActButton
          label={copy.stop}
          kind="plain"
          aria-label={copy.stopOf(title)}
          title={copy.stopOf(title)}
          submitLabel={copy.stop}
          endpoint={operatorMilestones.stop}
          params={{ id }}
          text={copy.stopText}
        />
      )}
    </span>
  )
}

const START = { title: '', starts_at: '', ends_at: '', claims_until: '', steps: '' }

/** `100,000: 500 lượng + 1 thu-cung 7 ngày` on each line. Null where a line is something else. */
function stepsIn(text: string): BodyInputOf<typeof operatorMilestones.plan>['steps'] | null {
  const steps = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [at = '', ...goods] = line.split(':')
      return { at: typedNumber(at), goods: goodsIn(goods.join(':')) }
    })
  const isWhole = steps.every(({ at, goods }) => Number.isSafeInteger(at) && goods !== null)
  return steps.length > 0 && isWhole ? (steps as BodyInputOf<typeof operatorMilestones.plan>['steps']) : null
}

const momentOf = (typed: string): string => (typed === '' ? '' : momentOfField(typed))

const PlanDialog = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    title={copy.plan}
    endpoint={operatorMilestones.plan}
    start={START}
    check={({ steps }) => (stepsIn(steps) === null ? { steps: copy.stepsWrong } : {})}
    toBody={({ steps, starts_at, ends_at, claims_until, ...rest }) => ({
      ...rest,
      starts_at: momentOf(starts_at),
      ends_at: momentOf(ends_at),
      claims_until: momentOf(claims_until === '' ? ends_at : claims_until),
      steps: stepsIn(steps) ?? [],
    })}
    text={copy.planText}
    onClose={onClose}
  >
    {(form) => (
      <>
        <Field {...form.field('title')} label={copy.title} maxLength={80} />
        <Field {...form.field('starts_at')} type="datetime-local" label={copy.startsAt} />
        <Field {...form.field('ends_at')} type="datetime-local" label={copy.endsAt} />
        <Field
          {...form.field('claims_until')}
          type="datetime-local"
          label={copy.claimsUntilField}
          hint={copy.claimsUntilHint}
          isOptional
        />
        <TextArea {...form.field('steps')} label={copy.steps} hint={copy.stepsHint} rows={6} />
      </>
    )}
  </ActDialog>
)

const filters: readonly Filter[] = [{ name: 'state', label: copy.state, options: optionsOf(copy.states) }]

export const Component = () => (
  <ListPage
    lead={<p className="max-w-3xl">{copy.intro}</p>}
    acts={<DialogButton label={copy.plan} renderDialog={(onClose) => <PlanDialog onClose={onClose} />} />}
    endpoint={operatorMilestones.list}
    columns={columns}
    filters={filters}
    usualSort={['id', 'DESC']}
    empty={copy.empty}
    refreshMs={60_000}
  />
)
