import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { campaignScreen } from '#admin/kit/campaign-screen.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import { MomentField, typedMoment, typedNumber } from '#admin/kit/fields.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { type Milestones, operatorMilestones } from '#contract/operator/promotions.ts'
import { goodsIn } from '#contract/operator/rewards/goods.ts'
import { Field, TextArea } from '#ui/field.tsx'

const copy = {
  intro:
    'Quà theo tổng tiền nạp của mỗi người trong một thời gian. Mỗi lúc chỉ một chương trình chạy. Khoản nạp bị thu hồi làm tiến độ lùi lại, quà đã nhận thì không bị lấy lại.',
  empty: 'Chưa có chương trình nào.',
  title: 'Tên chương trình',
  time: 'Thời gian nạp',
  claimsUntil: 'Nhận quà đến',
  steps: 'Các mốc',
  step: ({ at, goods, claims }: { at: string; goods: string; claims: string }) =>
    `${at} VND: ${goods} (${claims} lượt nhận)`,
  stepsHint:
    'Mỗi dòng một mốc, tăng dần, ví dụ “100,000: 500 lượng + 2,000 yên + 1 thu-cung 7 ngày” (vật phẩm viết bằng mã của game).',
  stepsWrong: 'Mỗi dòng cần dạng “100,000: 500 lượng”, ít nhất một dòng',
  plan: 'Lập mốc nạp',
  planText: 'Chương trình chưa tặng gì cho đến khi được chạy. Điều khoản đã lập thì không sửa được.',
  claimsUntilField: 'Nhận quà đến (giờ Việt Nam)',
  claimsUntilHint: 'Bỏ trống thì bằng giờ kết thúc.',
  startOf: (title: string) => `Chạy mốc nạp: ${title}`,
  startText: 'Chương trình chạy sau khi người thứ hai duyệt, trong thời gian đã định.',
  stopOf: (title: string) => `Dừng mốc nạp: ${title}`,
  stopText: 'Không ai nhận được quà nữa, kể cả mốc đã đạt. Quà đã nhận thì vẫn được giao.',
} as const

const columns: readonly Column<Milestones>[] = [
  column('time', copy.time, plannedTime, { isText: true }),
  momentColumn('claims_until', copy.claimsUntil),
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

const PlanDialog = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    title={copy.plan}
    endpoint={operatorMilestones.plan}
    start={START}
    check={({ steps }) => (stepsIn(steps) === null ? { steps: copy.stepsWrong } : {})}
    toBody={({ steps, starts_at, ends_at, claims_until, ...rest }) => ({
      ...rest,
      starts_at: typedMoment(starts_at),
      ends_at: typedMoment(ends_at),
      claims_until: typedMoment(claims_until || ends_at),
      steps: stepsIn(steps) ?? [],
    })}
    text={copy.planText}
    onClose={onClose}
  >
    {(form) => (
      <>
        <Field {...form.field('title')} label={copy.title} maxLength={80} />
        <MomentField {...form.field('starts_at')} label={kitCopy.campaign.startsAt} />
        <MomentField {...form.field('ends_at')} label={kitCopy.campaign.endsAt} />
        <MomentField
          {...form.field('claims_until')}
          label={copy.claimsUntilField}
          hint={copy.claimsUntilHint}
          isOptional
        />
        <TextArea {...form.field('steps')} label={copy.steps} hint={copy.stepsHint} rows={6} />
      </>
    )}
  </ActDialog>
)

export const Component = campaignScreen({
  endpoints: operatorMilestones,
  copy,
  columns,
  PlanDialog,
  givesOf: ({ sentence }) => sentence,
  overAt: ({ claims_until }) => claims_until,
})
