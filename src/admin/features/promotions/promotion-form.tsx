import { useState } from 'react'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import { BudgetField } from '#admin/kit/campaign-screen.tsx'
import { ChoiceField, MomentField, typedMoment, typedNumber } from '#admin/kit/fields.tsx'
import { optionsOf } from '#admin/kit/filter-bar.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { useSend } from '#admin/kit/use-send.ts'
import type { AnswerOf, BodyInputOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { DRY_RUN_DAYS, operatorPromotions } from '#contract/operator/promotions.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field, TextArea } from '#ui/field.tsx'
import { promotionsCopy as copy } from './promotions.copy.ts'

const START = {
  title: '',
  budget_id: '',
  starts_at: '',
  ends_at: '',
  kind: 'percent' as 'percent' | 'fixed' | 'steps',
  percent: '',
  amount: '',
  steps: '',
  minimum: '0',
  cap_per_player: '',
  cap_total: '',
  is_first_recharge: 'no',
  channel: '',
}

type Values = typeof START & { reason: string }
type Body = BodyInputOf<typeof operatorPromotions.plan>

/** A typed amount; null where the kind does not use it. */
const amountFor = (isUsed: boolean, typed: string): number | null => (isUsed ? typedNumber(typed) : null)

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

const toBody = ({ kind, percent, amount, steps, channel, is_first_recharge, ...rest }: Values): Body => ({
  ...rest,
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

/** Plans a promotion: its terms, how players read them, and what they would have cost. */
export const PlanDialog = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    title={copy.plan}
    endpoint={operatorPromotions.plan}
    start={START}
    toBody={toBody}
    text={copy.planText}
    onClose={onClose}
  >
    {(form) => (
      <>
        <Fields form={form} />
        <Preview values={form.values} />
      </>
    )}
  </ActDialog>
)

function Fields({ form }: { form: ActForm<typeof START> }) {
  const { kind } = form.values
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <>
      <Field {...form.field('title')} label={copy.title} maxLength={80} />
      <BudgetField {...form.field('budget_id')} />
      <MomentField {...form.field('starts_at')} label={kitCopy.campaign.startsAt} />
      <MomentField {...form.field('ends_at')} label={kitCopy.campaign.endsAt} />
      <ChoiceField {...form.field('kind')} label={copy.kind} options={optionsOf(copy.kinds)} />
      {kind === 'percent' && <Field {...form.field('percent')} label={copy.percent} {...number} />}
      {kind === 'fixed' && <Field {...form.field('amount')} label={copy.amount} {...number} />}
      {kind === 'steps' ? (
        <TextArea {...form.field('steps')} label={copy.steps} hint={copy.stepsHint} rows={4} />
      ) : (
        <Field {...form.field('minimum')} label={copy.minimum} hint={copy.minimumHint} {...number} />
      )}
      <Field {...form.field('cap_per_player')} label={copy.capPerPlayer} {...number} />
      <Field {...form.field('cap_total')} label={copy.capTotal} hint={copy.capTotalHint} {...number} />
      <ChoiceField
        {...form.field('channel')}
        label={copy.channel}
        blank={copy.anyChannel}
        options={optionsOf(kitCopy.channels)}
      />
      <ChoiceField {...form.field('is_first_recharge')} label={copy.who} options={optionsOf(copy.whos)} />
    </>
  )
}

type Previewed = AnswerOf<typeof operatorPromotions.preview>

/** What players would read, and what it would have cost: of the terms as they are when the button is pressed. */
function Preview({ values }: { values: Values }) {
  const [shown, setShown] = useState<Previewed | null>(null)
  const { send, isSending } = useSend(operatorPromotions.preview, {
    onDone: setShown,
    report: () => {},
  })
  const show = () => {
    const { title: _, reason: __, ...terms } = toBody(values)
    void send({ body: terms })
  }
  return (
    <div className="space-y-3">
      <Button kind="plain" isBusy={isSending} onClick={show}>
        {copy.preview}
      </Button>
      {shown && (
        <Alert tone="note">
          <p>{shown.sentence}</p>
          <p className="mt-2 font-bold">{costText(shown.cost)}</p>
        </Alert>
      )}
    </div>
  )
}

function costText(cost: Previewed['cost']): string {
  if (cost === null) return copy.noCost
  const [coins, orders, players] = [cost.coins, cost.orders, cost.players].map(formatNumber)
  return copy.cost({ days: DRY_RUN_DAYS, coins: coins ?? '', orders: orders ?? '', players: players ?? '' })
}
