import { Link } from 'react-router'
import { ActButton } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { typedNumber } from '#admin/kit/fields.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { type Budget, operatorBudgets } from '#contract/operator/promotions.ts'
import { Field } from '#ui/field.tsx'
import { GoodsLimits } from './goods-limits.tsx'

const copy = {
  intro:
    'Mọi TCoin mà cổng tặng người chơi đều lấy từ một ngân sách. Ngân sách hết thì không hứa thêm được gì; phần đã hứa vẫn được giữ riêng cho người chơi.',
  empty: 'Chưa có ngân sách nào. Lập ngân sách đầu tiên rồi cấp TCoin cho nó.',
  number: 'Số',
  title: 'Tên ngân sách',
  funded: 'Đã cấp',
  balance: 'Còn lại',
  held: 'Đã hứa',
  given: 'Đã phát',
  maker: 'Người lập',
  madeAt: 'Lập lúc',
  movements: 'Xem sổ cái',
  movementsOf: (title: string) => `Xem sổ cái của ngân sách ${title}`,
  create: 'Lập ngân sách',
  fund: 'Cấp hoặc rút TCoin',
  fundOf: (title: string) => `Cấp hoặc rút TCoin: ${title}`,
  amount: 'Số TCoin',
  amountHint: 'Số âm là rút về phần chưa phát và chưa hứa.',
  left: (balance: number) => `Ngân sách đang còn ${formatNumber(balance)} TCoin.`,
} as const

const columns: readonly Column<Budget>[] = [
  column('id', copy.number, ({ id }) => id),
  column('title', copy.title, ({ title }) => title, { isText: true }),
  numberColumn('funded', copy.funded),
  numberColumn('balance', copy.balance),
  numberColumn('held', copy.held),
  numberColumn('given', copy.given),
  column('maker', copy.maker, ({ made_by }) => <PersonLink person={made_by} />),
  momentColumn('made_at', copy.madeAt),
  column('acts', labels.acts, (budget) => <Acts budget={budget} />),
]

function Acts({ budget: { id, title, balance } }: { budget: Budget }) {
  const may = useMay()
  return (
    <span className="flex flex-wrap items-center gap-2">
      {may('settings.money') && (
        <ActButton
          label={copy.fund}
          kind="plain"
          aria-label={copy.fundOf(title)}
          endpoint={operatorBudgets.fund}
          params={{ id }}
          start={{ amount: '' }}
          toBody={({ amount, reason }) => ({ amount: typedNumber(amount), reason })}
          text={copy.left(balance)}
        >
          {(form) => (
            <Field
              {...form.field('amount')}
              label={copy.amount}
              hint={copy.amountHint}
              inputMode="text"
              autoComplete="off"
            />
          )}
        </ActButton>
      )}
      <Link to={`/ledger-transfers?budget=${id}`} aria-label={copy.movementsOf(title)}>
        {copy.movements}
      </Link>
    </span>
  )
}

export function Component() {
  const may = useMay()
  return (
    <ListPage
      lead={
        <>
          <p className="max-w-3xl">{copy.intro}</p>
          <GoodsLimits />
        </>
      }
      acts={
        may('settings.money') && (
          <ActButton label={copy.create} endpoint={operatorBudgets.create} start={{ title: '' }}>
            {(form) => <Field {...form.field('title')} label={copy.title} maxLength={80} />}
          </ActButton>
        )
      }
      endpoint={operatorBudgets.list}
      columns={columns}
      usualSort={['id', 'DESC']}
      empty={copy.empty}
    />
  )
}
