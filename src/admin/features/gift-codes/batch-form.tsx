import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
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
import { Dialog } from '#admin/kit/dialog.tsx'
import { ChoiceField, typedMoment, typedNumber } from '#admin/kit/fields.tsx'
import { optionsOf, optionsOfRows } from '#admin/kit/filter-bar.tsx'
import { GoodsField } from '#admin/kit/goods-field.tsx'
import { read } from '#admin/query.ts'
import { saveFile } from '#client/save-file.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import type { Budget } from '#contract/operator/promotions.ts'
import { type GiftCodeBatch, operatorGiftCodes } from '#contract/operator/rewards/gift-codes.ts'
import { operatorServers } from '#contract/operator/servers.ts'
import { goodsAsTyped, goodsIn } from '#contract/operator/rewards/goods.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { giftCodesCopy as copy } from './gift-codes.copy.ts'

type Fields = BudgetValues & {
  kind: 'one' | 'many'
  uses_per_code: string
  codes: string
  per_player: string
  what: 'coins' | 'goods'
  coins: string
  goods: string
  server_id: string
}

type Values = Fields & { reason: string }

type DialogProps = PlanProps<GiftCodeBatch> & { budgets: readonly Budget[] }

/** The fields as they are at first: empty but for what is usual, or as another batch has them. */
const startOf = ({ from, isEdit, budgets }: Omit<DialogProps, 'onClose'>): Fields => ({
  ...startOfSpan({ from, isEdit }),
  title: titleOf({ from, isEdit }),
  next: 'start',
  kind: from && from.codes > 1 ? 'many' : 'one',
  uses_per_code: from && from.codes === 1 ? formatNumber(from.uses_per_code) : '',
  codes: from && from.codes > 1 ? formatNumber(from.codes) : '',
  per_player: formatNumber(from?.per_player ?? 1),
  what: from?.goods ? 'goods' : 'coins',
  coins: from?.coins ? formatNumber(from.coins) : '',
  budget_id: from?.budget_id ?? firstBudget(budgets)?.id ?? NEW_BUDGET,
  new_budget: '',
  goods: from?.goods ? goodsAsTyped(from.goods) : '',
  server_id: from?.server_id ?? '',
})

const sizeOf = ({ kind, codes, uses_per_code }: Fields) => ({
  codes: kind === 'one' ? 1 : typedNumber(codes),
  uses_per_code: kind === 'one' ? typedNumber(uses_per_code) : 1,
})

/** TCoin that all uses of all codes cost. */
function costOf(fields: Fields): number {
  const { codes, uses_per_code } = sizeOf(fields)
  return fields.what === 'coins' ? typedNumber(fields.coins) * codes * uses_per_code : 0
}

const termsOf = ({ what, coins, goods, server_id, ...rest }: Values) => ({
  title: rest.title,
  reason: rest.reason,
  per_player: typedNumber(rest.per_player),
  coins: what === 'coins' ? typedNumber(coins) : null,
  goods: what === 'goods' ? goodsIn(goods) : null,
  server_id: server_id === '' ? null : server_id,
  starts_at: typedMoment(rest.starts_at),
  ends_at: typedMoment(rest.ends_at),
})

/** Makes a batch, shows its codes once and proposes its start; copies one, or changes one that was never started. */
export function MakeDialog(props: PlanProps<GiftCodeBatch>) {
  const budgets = useBudgets()
  return budgets === undefined ? null : <BatchDialog {...props} budgets={budgets} />
}

function BatchDialog({ from, isEdit, budgets, onClose }: DialogProps) {
  const [start] = useState(() => startOf({ from, isEdit, budgets }))
  const [made, setMade] = useState<AnswerOf<typeof operatorGiftCodes.make> | null>(null)
  const isMade = useRef(false)
  if (made !== null) return <MadeCodes made={made} onClose={onClose} />
  const planned = (fields: Values) => {
    const plan = planOf(fields, { budgets, cost: costOf(fields), isEdit })
    if (fields.what === 'coins') return { budget_id: null, ...plan }
    const { start: isStarted } = plan
    return { budget_id: null, ...(isStarted && { start: isStarted }) }
  }
  const common = {
    start,
    check: ({ what, goods }: Fields): { goods?: string } =>
      what === 'goods' && goodsIn(goods) === null ? { goods: copy.goodsWrong } : {},
  }
  const fieldsOf = (form: ActForm<Fields>) => <BatchFields form={form} budgets={budgets} isEdit={isEdit} />
  if (from && isEdit)
    return (
      <ActDialog
        {...common}
        {...editing(from, (fields: Values) => ({ ...termsOf(fields), ...planned(fields) }))}
        endpoint={operatorGiftCodes.update}
        onClose={onClose}
      >
        {fieldsOf}
      </ActDialog>
    )
  return (
    <ActDialog
      {...common}
      title={copy.plan}
      submitLabel={submitLabel}
      endpoint={operatorGiftCodes.make}
      toBody={(fields) => ({ ...termsOf(fields), ...sizeOf(fields), ...planned(fields) })}
      text={copy.planText}
      onDone={(answer) => {
        isMade.current = true
        setMade(answer)
      }}
      // Once they are made, the codes are shown in its place.
      onClose={() => isMade.current || onClose()}
    >
      {fieldsOf}
    </ActDialog>
  )
}

type FieldsProps = { form: ActForm<Fields>; budgets: readonly Budget[]; isEdit: boolean | undefined }

function BatchFields({ form, budgets, isEdit }: FieldsProps) {
  const { data: servers = [] } = useQuery(read(operatorServers.list, { query: { range: '[0,99]' } }))
  const { kind, what } = form.values
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <>
      <Field {...form.field('title')} label={copy.title} hint={copy.titleHint} maxLength={80} />
      {isEdit ? (
        <p className="text-sm text-soft">{copy.codesStay}</p>
      ) : (
        <>
          <ChoiceField {...form.field('kind')} label={copy.kind} options={optionsOf(copy.kinds)} />
          {kind === 'one' ? (
            <Field {...form.field('uses_per_code')} label={copy.total} {...number} />
          ) : (
            <Field {...form.field('codes')} label={copy.codes} {...number} />
          )}
        </>
      )}
      <ChoiceField {...form.field('what')} label={copy.what} options={optionsOf(copy.whats)} />
      {what === 'coins' ? (
        <>
          <Field {...form.field('coins')} label={copy.coinsField} {...number} />
          <BudgetFields form={form} budgets={budgets} cost={costOf(form.values)} isEdit={isEdit} />
        </>
      ) : (
        <GoodsField
          label={copy.goods}
          value={form.values.goods}
          error={form.field('goods').error}
          onText={(text) => form.set('goods', text)}
        />
      )}
      <DurationField form={form} />
      <Conditions form={form} names={['per_player', 'server_id']} isEdit={isEdit}>
        <Field {...form.field('per_player')} label={copy.perPlayerField} {...number} />
        <ChoiceField
          {...form.field('server_id')}
          label={copy.server}
          blank={copy.anyServer}
          options={optionsOfRows(servers)}
        />
      </Conditions>
    </>
  )
}

/** So many are on the screen; all of them are in the file. */
const SHOWN = 10

type Made = { made: AnswerOf<typeof operatorGiftCodes.make>; onClose: () => void }

function MadeCodes({ made: { batch, csv }, onClose }: Made) {
  const codes = csv?.trim().split('\n') ?? []
  return (
    <Dialog title={copy.made} onClose={onClose}>
      <p>{csv === null ? copy.notShown : copy.madeText}</p>
      <ul className="my-3 font-mono text-lg">
        {codes.slice(0, SHOWN).map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {codes.length > SHOWN && <p className="mb-3">{copy.more(formatNumber(codes.length - SHOWN))}</p>}
      <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        {csv !== null && (
          <Button
            onClick={() => void saveFile(new File([csv], `ma-qua-${batch.id}.csv`, { type: 'text/csv' }))}
          >
            {copy.save}
          </Button>
        )}
        <Button kind="plain" onClick={onClose}>
          {copy.close}
        </Button>
      </div>
    </Dialog>
  )
}
