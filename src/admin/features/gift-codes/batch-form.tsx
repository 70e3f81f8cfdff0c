import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import { BudgetField } from '#admin/kit/campaign-screen.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { ChoiceField, MomentField, typedMoment, typedNumber } from '#admin/kit/fields.tsx'
import { optionsOf, optionsOfRows } from '#admin/kit/filter-bar.tsx'
import { GoodsField } from '#admin/kit/goods-field.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { read } from '#admin/query.ts'
import { saveFile } from '#client/save-file.ts'
import type { AnswerOf, BodyInputOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { operatorGiftCodes } from '#contract/operator/rewards/gift-codes.ts'
import { operatorServers } from '#contract/operator/servers.ts'
import { goodsIn } from '#contract/operator/rewards/goods.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
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
  starts_at: typedMoment(rest.starts_at),
  ends_at: typedMoment(rest.ends_at),
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
  const { data: servers = [] } = useQuery(read(operatorServers.list, { query: { range: '[0,99]' } }))
  const { kind, what } = form.values
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <>
      <Field {...form.field('title')} label={copy.title} hint={copy.titleHint} maxLength={80} />
      <ChoiceField {...form.field('kind')} label={copy.kind} options={optionsOf(copy.kinds)} />
      {kind === 'one' ? (
        <Field {...form.field('uses_per_code')} label={copy.total} {...number} />
      ) : (
        <Field {...form.field('codes')} label={copy.codes} {...number} />
      )}
      <Field {...form.field('per_player')} label={copy.perPlayerField} {...number} />
      <ChoiceField {...form.field('what')} label={copy.what} options={optionsOf(copy.whats)} />
      {what === 'coins' ? (
        <>
          <Field {...form.field('coins')} label={copy.coinsField} {...number} />
          <BudgetField {...form.field('budget_id')} />
        </>
      ) : (
        <GoodsField
          label={copy.goods}
          value={form.values.goods}
          error={form.field('goods').error}
          onText={(text) => form.set('goods', text)}
        />
      )}
      <ChoiceField
        {...form.field('server_id')}
        label={copy.server}
        blank={copy.anyServer}
        options={optionsOfRows(servers)}
      />
      <MomentField {...form.field('starts_at')} label={kitCopy.campaign.startsAt} />
      <MomentField {...form.field('ends_at')} label={kitCopy.campaign.endsAt} />
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
