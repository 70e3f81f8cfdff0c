import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ActDialog, type ActForm, typedNumber } from '#admin/kit/act-dialog.tsx'
import { read } from '#admin/query.ts'
import { saveFile } from '#client/save-file.ts'
import type { AnswerOf, BodyInputOf } from '#contract/endpoint.ts'
import { formatNumber, momentOfField } from '#contract/format.ts'
import { operatorBudgets } from '#contract/operator/promotions.ts'
import { operatorGiftCodes } from '#contract/operator/rewards/gift-codes.ts'
import { operatorServers } from '#contract/operator/servers.ts'
import { goodsIn } from '#contract/operator/rewards/goods.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import { giftCodesCopy as copy } from './gift-codes.copy.ts'

const START = {
  title: '',
  kind: 'one' as 'one' | 'many',
  uses_per_code: '',
  codes: '',
  per_player: '1',
  what: 'coins' as 'coins' | 'goods',
  coins: '',
  budget_id: '',
  goods: '',
  server_id: '',
  starts_at: '',
  ends_at: '',
}

type Values = typeof START & { reason: string }
type Body = BodyInputOf<typeof operatorGiftCodes.make>

const momentOf = (typed: string): string => (typed === '' ? '' : momentOfField(typed))

const toBody = ({ kind, what, coins, goods, budget_id, server_id, ...rest }: Values): Body => ({
  title: rest.title,
  reason: rest.reason,
  codes: kind === 'one' ? 1 : typedNumber(rest.codes),
  uses_per_code: kind === 'one' ? typedNumber(rest.uses_per_code) : 1,
  per_player: typedNumber(rest.per_player),
  coins: what === 'coins' ? typedNumber(coins) : null,
  budget_id: what === 'coins' && budget_id !== '' ? budget_id : null,
  goods: what === 'goods' ? goodsIn(goods) : null,
  server_id: server_id === '' ? null : server_id,
  starts_at: momentOf(rest.starts_at),
  ends_at: momentOf(rest.ends_at),
})

/** Makes a batch, and shows its codes once. */
export function MakeDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<AnswerOf<typeof operatorGiftCodes.make> | null>(null)
  const isMade = useRef(false)
  if (made !== null) return <MadeCodes made={made} onClose={onClose} />
  return (
    <ActDialog
      title={copy.plan}
      endpoint={operatorGiftCodes.make}
      start={START}
      check={({ what, goods }) =>
        what === 'goods' && goodsIn(goods) === null ? { goods: copy.goodsWrong } : {}
      }
      toBody={toBody}
      text={copy.planText}
      onDone={(answer) => {
        isMade.current = true
        setMade(answer)
      }}
      // Once they are made, the codes are shown in its place.
      onClose={() => isMade.current || onClose()}
    >
      {(form) => <Fields form={form} />}
    </ActDialog>
  )
}

function Fields({ form }: { form: ActForm<typeof START> }) {
  const { kind, what } = form.values
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <>
      <Field {...form.field('title')} label={copy.title} hint={copy.titleHint} maxLength={80} />
      <Choices field={form.field('kind')} label={copy.kind} options={copy.kinds} />
      {kind === 'one' ? (
        <Field {...form.field('uses_per_code')} label={copy.total} {...number} />
      ) : (
        <Field {...form.field('codes')} label={copy.codes} {...number} />
      )}
      <Field {...form.field('per_player')} label={copy.perPlayerField} {...number} />
      <Choices field={form.field('what')} label={copy.what} options={copy.whats} />
      {what === 'coins' ? (
        <CoinFields form={form} />
      ) : (
        <Field {...form.field('goods')} label={copy.goods} hint={copy.goodsHint} />
      )}
      <ServerField form={form} />
      <Field {...form.field('starts_at')} type="datetime-local" label={copy.startsAt} />
      <Field {...form.field('ends_at')} type="datetime-local" label={copy.endsAt} />
    </>
  )
}

type Choice = {
  field: ReturnType<ActForm<typeof START>['field']>
  label: string
  options: Record<string, string>
}

const Choices = ({ field, label, options }: Choice) => (
  <SelectField {...field} label={label}>
    {Object.entries(options).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </SelectField>
)

function CoinFields({ form }: { form: ActForm<typeof START> }) {
  const { data: budgets = [] } = useQuery(read(operatorBudgets.list, { query: { range: '[0,99]' } }))
  return (
    <>
      <Field {...form.field('coins')} label={copy.coinsField} inputMode="numeric" autoComplete="off" />
      <SelectField {...form.field('budget_id')} label={copy.budget}>
        <option value="">{copy.choose}</option>
        {budgets.map(({ id, title, balance }) => (
          <option key={id} value={id}>
            {copy.budgetOption(title, formatNumber(balance))}
          </option>
        ))}
      </SelectField>
    </>
  )
}

function ServerField({ form }: { form: ActForm<typeof START> }) {
  const { data: servers = [] } = useQuery(read(operatorServers.list, { query: { range: '[0,99]' } }))
  return (
    <SelectField {...form.field('server_id')} label={copy.server}>
      <option value="">{copy.anyServer}</option>
      {servers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
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
          <Button onClick={() => saveFile(new Blob([csv], { type: 'text/csv' }), `ma-qua-${batch.id}.csv`)}>
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
