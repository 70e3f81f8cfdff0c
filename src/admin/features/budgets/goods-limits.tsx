import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { FoldedPanel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { formatNumber } from '#contract/format.ts'
import { type GoodsUse, operatorGoodsLimits } from '#contract/operator/rewards/goods-limits.ts'

type Limit = GoodsUse['limits'][number]

const copy = {
  title: 'Quà trong game',
  intro:
    'Mã quà, mốc nạp, điểm danh và giao lại không tốn TCoin, nên có hạn mức riêng, đổi ở Cài đặt. Phần đã hứa được tính đủ cho đến khi đợt quà kết thúc, sau đó chỉ tính phần đã phát.',
  names: {
    act: 'Một lần',
    alone: 'Bạn tự quyết, 24 giờ',
    operator: 'Bạn đề xuất, 24 giờ',
    day: 'Cả ban vận hành, 24 giờ',
    budget: 'Ngân sách quà, 30 ngày',
  } satisfies Record<Limit['name'], string>,
  limit: 'Hạn mức',
  luong: 'Lượng',
  loads: 'Vật phẩm và yên (lần mức tối đa game nhận)',
  used: ([used = '', limit = '', left = '']: readonly string[]) => `${used} / ${limit} (còn ${left})`,
  most: (limit: string) => `tối đa ${limit}`,
} as const

const columns: readonly Column<Limit & { id: string }>[] = [
  column('name', copy.limit, ({ name }) => copy.names[name], { isText: true }),
  column('luong', copy.luong, ({ name, luong }) => figures(name, luong), { isText: true }),
  column('loads', copy.loads, ({ name, loads }) => figures(name, loads), { isText: true }),
]

const figures = (name: Limit['name'], { limit, used, left }: Limit['luong']): string =>
  name === 'act'
    ? copy.most(formatNumber(limit))
    : copy.used([used, limit, left].map((number) => formatNumber(number)))

/** What goods that cost nothing were promised within the limits, and what is left. */
export const GoodsLimits = () => (
  <FoldedPanel title={copy.title}>
    <p className="mb-3 max-w-3xl">{copy.intro}</p>
    <Loaded query={read(operatorGoodsLimits.read, {})}>
      {({ limits }) => (
        <DataTable
          label={copy.title}
          columns={columns}
          rows={limits.map((limit) => ({ ...limit, id: limit.name }))}
        />
      )}
    </Loaded>
  </FoldedPanel>
)
