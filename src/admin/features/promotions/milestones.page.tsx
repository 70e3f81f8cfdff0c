import { useState } from 'react'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import {
  type CampaignValues,
  Conditions,
  DurationField,
  editing,
  type PlanProps,
  startOfSpan,
  submitLabel,
  titleOf,
} from '#admin/kit/campaign-form.tsx'
import { campaignScreen } from '#admin/kit/campaign-screen.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { MomentField, typedMoment, typedNumber } from '#admin/kit/fields.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { GoodsField } from '#admin/kit/goods-field.tsx'
import { goodsInWords } from '#contract/deliveries.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'
import { fieldOfMoment, formatNumber } from '#contract/format.ts'
import { CLAIMS_USUAL, type Milestones, operatorMilestones } from '#contract/operator/promotions.ts'
import { goodsAsTyped, goodsIn } from '#contract/operator/rewards/goods.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'

const copy = {
  intro:
    'Quà theo tổng tiền nạp của mỗi người trong một thời gian. Mỗi lúc chỉ một chương trình chạy. Khoản nạp bị thu hồi làm tiến độ lùi lại, quà đã nhận thì không bị lấy lại.',
  empty: 'Chưa có chương trình nào.',
  title: 'Tên chương trình',
  time: 'Thời gian nạp',
  claimsUntil: 'Nhận quà đến',
  claimsMax: 'Số người mỗi mốc',
  steps: 'Các mốc',
  step: ({ at, goods, claims }: { at: string; goods: string; claims: string }) =>
    `${at} VND: ${goods} (${claims} lượt nhận)`,
  stepsWrong: 'Mỗi mốc cần số tiền và quà, ít nhất một mốc',
  at: 'Nạp đủ (VND)',
  goodsOf: (number: number) => `Quà của mốc ${number}`,
  addStep: 'Thêm mốc',
  removeStep: (number: number) => `Bỏ mốc ${number}`,
  plan: 'Lập mốc nạp',
  planText:
    'Chương trình chưa tặng gì cho đến khi người thứ hai duyệt. Người đó đọc hết những gì dưới đây và duyệt một lần.',
  claimsUntilField: 'Nhận quà đến (giờ Việt Nam)',
  claimsMaxField: 'Số người nhận tối đa của mỗi mốc',
  claimsMaxHint: 'Ai đến sau không còn quà; số này nhân với quà của các mốc là số tối đa chương trình tốn.',
  claimsUntilHint: 'Bỏ trống thì bằng giờ kết thúc.',
  startOf: (title: string) => `Chạy mốc nạp: ${title}`,
  startText: 'Chương trình chạy sau khi người thứ hai duyệt, trong thời gian đã định.',
  stopOf: (title: string) => `Dừng mốc nạp: ${title}`,
  stopText: 'Không ai nhận được quà nữa, kể cả mốc đã đạt. Quà đã nhận thì vẫn được giao.',
} as const

const columns: readonly Column<Milestones>[] = [
  column('time', copy.time, plannedTime, { isText: true }),
  momentColumn('claims_until', copy.claimsUntil),
  numberColumn('claims_max', copy.claimsMax),
  column('steps', copy.steps, ({ steps }) => <Steps steps={steps} />, { isText: true }),
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

type Fields = CampaignValues & { claims_until: string; claims_max: string; steps: string }

/** The fields as they are at first: empty but for what is usual, or as another programme has them. */
function startOf({ from, isEdit }: Pick<PlanProps<Milestones>, 'from' | 'isEdit'>): Fields {
  const span = startOfSpan({ from, isEdit })
  const later_ms = from ? Date.parse(from.claims_until) - Date.parse(from.ends_at) : 0
  const until_ms = Date.parse(typedMoment(span.ends_at)) + later_ms
  return {
    ...span,
    title: titleOf({ from, isEdit }),
    next: 'start',
    claims_until: later_ms === 0 ? '' : fieldOfMoment(new Date(until_ms).toISOString()),
    claims_max: formatNumber(from?.claims_max ?? CLAIMS_USUAL),
    steps: stepsAsTyped(
      (from?.steps ?? []).map(({ at, goods }) => ({ at: formatNumber(at), goods: goodsAsTyped(goods) })),
    ),
  }
}

type TypedStep = { at: string; goods: string }

const stepsAsTyped = (steps: readonly TypedStep[]): string =>
  steps.map(({ at, goods }) => `${at}: ${goods}`).join('\n')

/** Each line of `stepsAsTyped`; one empty step of none. */
function typedSteps(text: string): TypedStep[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return [{ at: '', goods: '' }]
  return lines.map((line) => {
    const [at = '', ...goods] = line.split(':')
    return { at, goods: goods.join(':').trim() }
  })
}

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

type Step = TypedStep & { key: number }

type StepsProps = { value: string; error: string | undefined; onText: (text: string) => void }

/** The steps as `stepsIn` reads them, each with its goods chosen from the game's list. */
function StepsField({ value, error, onText }: StepsProps) {
  const [steps, setSteps] = useState<Step[]>(() => typedSteps(value).map((step, key) => ({ ...step, key })))
  const change = (next: Step[]) => {
    setSteps(next)
    onText(stepsAsTyped(next))
  }
  const setStep = (key: number, part: Partial<Step>) =>
    change(steps.map((step) => (step.key === key ? { ...step, ...part } : step)))
  return (
    <div className="space-y-4">
      {steps.map(({ key, at, goods }, index) => (
        <div key={key} className="space-y-3 rounded-lg bg-sunken p-3">
          <Field
            label={copy.at}
            inputMode="numeric"
            autoComplete="off"
            value={at}
            error={index === 0 ? error : undefined}
            onChange={({ target }) => setStep(key, { at: target.value })}
          />
          <GoodsField
            label={copy.goodsOf(index + 1)}
            value={goods}
            onText={(text) => setStep(key, { goods: text })}
          />
          {steps.length > 1 && (
            <Button kind="plain" onClick={() => change(steps.filter((step) => step.key !== key))}>
              {copy.removeStep(index + 1)}
            </Button>
          )}
        </div>
      ))}
      <Button
        kind="plain"
        onClick={() =>
          change([...steps, { key: Math.max(...steps.map(({ key }) => key)) + 1, at: '', goods: '' }])
        }
      >
        {copy.addStep}
      </Button>
    </div>
  )
}

const bodyOf = ({
  steps,
  starts_at,
  ends_at,
  claims_until,
  claims_max,
  title,
  reason,
}: Fields & { reason: string }) => ({
  title,
  reason,
  starts_at: typedMoment(starts_at),
  ends_at: typedMoment(ends_at),
  claims_until: typedMoment(claims_until || ends_at),
  claims_max: typedNumber(claims_max),
  steps: stepsIn(steps) ?? [],
})

function PlanDialog({ from, isEdit, onClose }: PlanProps<Milestones>) {
  const [start] = useState(() => startOf({ from, isEdit }))
  const common = {
    start,
    check: ({ steps }: Fields) => (stepsIn(steps) === null ? { steps: copy.stepsWrong } : {}),
    onClose,
  }
  const fieldsOf = (form: ActForm<Fields>) => <ProgramFields form={form} isEdit={isEdit} />
  if (from && isEdit)
    return (
      <ActDialog {...common} {...editing(from, bodyOf)} endpoint={operatorMilestones.update}>
        {fieldsOf}
      </ActDialog>
    )
  return (
    <ActDialog
      {...common}
      title={copy.plan}
      submitLabel={submitLabel}
      endpoint={operatorMilestones.plan}
      toBody={(fields) => ({ ...bodyOf(fields), start: fields.next === 'start' })}
      text={copy.planText}
    >
      {fieldsOf}
    </ActDialog>
  )
}

const ProgramFields = ({ form, isEdit }: { form: ActForm<Fields>; isEdit: boolean | undefined }) => (
  <>
    <Field {...form.field('title')} label={copy.title} maxLength={80} />
    <StepsField
      value={form.values.steps}
      error={form.field('steps').error}
      onText={(text) => form.set('steps', text)}
    />
    <Field
      {...form.field('claims_max')}
      label={copy.claimsMaxField}
      hint={copy.claimsMaxHint}
      inputMode="numeric"
      autoComplete="off"
    />
    <DurationField form={form} />
    <Conditions form={form} names={['claims_until']} isEdit={isEdit}>
      <MomentField
        {...form.field('claims_until')}
        label={copy.claimsUntilField}
        hint={copy.claimsUntilHint}
        isOptional
      />
    </Conditions>
  </>
)

export const Component = campaignScreen({
  endpoints: operatorMilestones,
  copy,
  columns,
  PlanDialog,
  givesOf: ({ sentence }) => sentence,
  overAt: ({ claims_until }) => claims_until,
})
