import type { Page } from '@playwright/test'
import type { CheckIn } from '#contract/rewards/check-in.ts'
import { milestoneSentence } from '#contract/rewards/milestone-rules.ts'
import type { MilestoneProgram } from '#contract/rewards/milestones.ts'
import { answering, silence, statesAt, type PageState } from './page-state.ts'

/** November 2026, of which the 27th is today. */
const november = (taken: readonly number[]): CheckIn => ({
  is_open: true,
  month: '2026-11',
  today: '2026-11-27',
  since: '2026-11-04',
  days: Array.from({ length: 30 }, (_, index) => ({
    date: `2026-11-${String(index + 1).padStart(2, '0')}`,
    goods:
      (index + 1) % 7 === 0
        ? [
            { kind: 'luong', quantity: 100 },
            { kind: 'item', code: 'pet', name: 'thú cưng', quantity: 1, days: 3 },
          ]
        : [{ kind: 'luong', quantity: 20 + 5 * (index % 7) }],
    claimed: taken.includes(index + 1),
  })),
})

const checkIn = (answer: object) => answering('**/api/check-in', 200, answer)
const TAKEN = [1, 2, 3, 5, 8, 9, 12, 20, 25, 26]

const STEPS = [50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000]

function milestones(recharged: number, taken: number, amounts = STEPS): MilestoneProgram {
  const terms = {
    starts_at: '2026-11-20T17:00:00.000Z',
    ends_at: '2099-11-30T17:00:00.000Z',
    claims_until: '2099-12-03T17:00:00.000Z',
    claims_max: 1_000,
    steps: amounts.map((at, index) => ({
      id: String(index + 1),
      at,
      goods: [
        { kind: 'luong' as const, quantity: at / 50 },
        ...(index % 3 === 2
          ? [{ kind: 'item' as const, code: 'pet', name: 'thú cưng', quantity: 1, days: 7 }]
          : []),
      ],
      claimed: index < taken,
      left: index === 5 ? 0 : 900,
    })),
  }
  const { claims_max: _, ...shown } = terms
  return { id: '1', title: 'Mốc nạp mùa lễ hội', sentence: milestoneSentence(terms), ...shown, recharged }
}

const programme = (answer: MilestoneProgram | null) => answering('**/api/milestones', 200, answer as object)
const MANY = Array.from({ length: 31 }, (_, index) => 50_000 * (index + 1))

export const rewardStates: PageState[] = [
  ...statesAt({ route: '/check-in', player: 'hoangtuan' })({
    'check-in': { arrange: checkIn(november(TAKEN)), sees: 'Điểm danh nhận quà' },
    'check-in-taken': { arrange: checkIn(november([...TAKEN, 27])), sees: 'Bạn đã điểm danh hôm nay' },
    'check-in-not-activated': {
      player: 'thuylinh',
      arrange: checkIn(november([])),
      sees: 'Kích hoạt ngay',
    },
    'check-in-closed': {
      arrange: checkIn({ is_open: false, month: '2026-11', today: '2026-11-27', days: [] }),
      sees: 'Điểm danh đang tạm đóng',
    },
    'check-in-failed': { arrange: silence, sees: 'Thử lại' },
  }),
  ...statesAt({ route: '/milestones', player: 'hoangtuan' })({
    milestones: { arrange: programme(milestones(320_000, 2)), sees: 'Nhận quà' },
    'milestones-nothing-yet': { arrange: programme(milestones(0, 0)), sees: 'Còn 50,000 VND nữa tới mốc' },
    'milestones-all': { arrange: programme(milestones(7_000_000, 7)), sees: 'Bạn đã đạt mọi mốc' },
    'milestones-many': { arrange: programme(milestones(620_000, 11, MANY)), sees: '1,550,000 VND' },
    'milestones-visitor': {
      player: undefined,
      arrange: programme(milestones(0, 0)),
      sees: 'Đăng nhập để chọn nhân vật',
    },
    'milestones-none': { arrange: programme(null), sees: 'Hiện chưa có chương trình mốc nạp' },
    'milestones-failed': { arrange: silence, sees: 'Thử lại' },
  }),
  ...statesAt({
    player: 'hoangtuan',
    arrange: programme(milestones(320_000, 2)),
    // It is read when it comes near the screen.
    prepare: (page: Page) => page.getByRole('contentinfo').scrollIntoViewIfNeeded(),
  })({
    'recharge-milestones': { route: '/recharge', sees: 'Mốc nạp mùa lễ hội' },
    'profile-milestones': {
      route: '/user/profile',
      prepare: (page: Page) => page.getByRole('link', { name: 'Mốc nạp →' }).scrollIntoViewIfNeeded(),
      sees: 'Mốc nạp mùa lễ hội',
    },
  }),
]
