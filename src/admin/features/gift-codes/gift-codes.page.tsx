import { Link } from 'react-router'
import { ActButton, DialogButton } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, numberColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { type GiftCodeBatch, operatorGiftCodes } from '#contract/operator/rewards/gift-codes.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { MakeDialog } from './batch-form.tsx'
import { giftCodesCopy as copy } from './gift-codes.copy.ts'

const tones = { planned: 'waiting', running: 'success', stopped: 'note' } as const satisfies Record<
  GiftCodeBatch['state'],
  BadgeTone
>

/** Its time has passed while it ran. */
const isOver = ({ state, ends_at }: GiftCodeBatch): boolean =>
  state === 'running' && Date.parse(ends_at) <= Date.now()

const stateOf = (batch: GiftCodeBatch) =>
  isOver(batch) ? (
    <Badge tone="note">{copy.over}</Badge>
  ) : (
    <Badge tone={tones[batch.state]}>{copy.states[batch.state]}</Badge>
  )

const gift = ({ coins, goods }: GiftCodeBatch): string =>
  coins === null ? goodsInWords(goods ?? []) : copy.coins(formatNumber(coins))

const columns: readonly Column<GiftCodeBatch>[] = [
  column('title', copy.title, ({ title }) => title, { isText: true }),
  column('state', copy.state, stateOf),
  column('gives', copy.gives, gift, { isText: true }),
  column('uses', copy.uses, ({ uses, codes, uses_per_code }) => (
    <span className="whitespace-nowrap tabular-nums">
      {copy.of(formatNumber(uses), formatNumber(codes * uses_per_code))}
    </span>
  )),
  numberColumn('per_player', copy.perPlayer),
  column('server', copy.server, ({ server_name }) => server_name ?? copy.anyServer, { isText: true }),
  column('time', copy.time, plannedTime, { isText: true }),
  column('budget', copy.budget, ({ budget_id, budget_title }) =>
    budget_id === null ? null : <Link to={`/budgets?id=${budget_id}`}>{budget_title}</Link>,
  ),
  numberColumn('held', copy.held),
  column('acts', labels.acts, (batch) => <Acts batch={batch} />),
]

function Acts({ batch }: { batch: GiftCodeBatch }) {
  const { id, title, state } = batch
  return (
    <span className="flex flex-wrap items-center gap-2">
      {state === 'planned' && (
        <ActButton
          label={copy.start}
          aria-label={copy.startOf(title)}
          title={copy.startOf(title)}
          submitLabel={copy.start}
          endpoint={operatorGiftCodes.start}
          params={{ id }}
          text={copy.startText}
        >
          {() => <p>{gift(batch)}</p>}
        </ActButton>
      )}
      {state !== 'stopped' && (
        <ActButton
          label={copy.stop}
          kind="plain"
          aria-label={copy.stopOf(title)}
          title={copy.stopOf(title)}
          submitLabel={copy.stop}
          endpoint={operatorGiftCodes.stop}
          params={{ id }}
          text={copy.stopText}
        />
      )}
      <Link to={`/gift-code-uses?batch_id=${id}`} aria-label={copy.seeUsesOf(title)}>
        {copy.seeUses}
      </Link>
    </span>
  )
}

const filters: readonly Filter[] = [{ name: 'state', label: copy.state, options: optionsOf(copy.states) }]

export const Component = () => (
  <ListPage
    lead={<p className="max-w-3xl">{copy.intro}</p>}
    acts={<DialogButton label={copy.make} renderDialog={(onClose) => <MakeDialog onClose={onClose} />} />}
    endpoint={operatorGiftCodes.list}
    columns={columns}
    filters={filters}
    usualSort={['id', 'DESC']}
    empty={copy.empty}
    refreshMs={60_000}
  />
)
