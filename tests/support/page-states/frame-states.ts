import type { Page } from '@playwright/test'
import type { Notice } from '#contract/notices.ts'
import { answering, changing, openMenu, statesAt, type PageState } from './page-state.ts'

/** Somebody who comes again; the page stands at a document of the portal. */
async function beSecondVisit(page: Page): Promise<void> {
  await page.evaluate(() =>
    localStorage.setItem('visits', JSON.stringify({ count: 3, last_ms: Date.now() - 86_400_000 })),
  )
}

/** What Chromium sends when the site can be installed. */
async function offerInstall(page: Page): Promise<void> {
  // What waits for the offer comes after the page, and notes the visit when it is there.
  await page.waitForFunction(() => {
    const { last_ms = 0 } = JSON.parse(localStorage.getItem('visits') ?? '{}') as Record<string, number>
    return last_ms >= performance.timeOrigin
  })
  await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt', { cancelable: true })))
  await openMenu(page)
  // A wide header has no menu, and so no place for the hint.
  const menu = page.getByRole('banner').getByRole('button', { name: 'Danh mục', exact: true })
  if (await menu.isVisible()) await page.getByText(/^Đưa cổng ra màn hình chính/).waitFor()
}

const notice = (id: number, parts: Partial<Notice>): Notice => ({
  id: String(id),
  kind: 'delivery',
  title: 'Món đã vào nhân vật',
  text: '35,000 lượng, thú cưng và bạn đồng hành 7 ngày đã vào nhân vật kiemgiatramlang.',
  href: '/user/deliveries/0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1',
  created_at: new Date(Date.UTC(2026, 10, 20, 8, id)).toISOString(),
  read: false,
  ...parts,
})

const unread = (unread: number, after: string | null = null) =>
  answering(/\/api\/notices(\?|$)/, 200, {
    data: [
      notice(47, {
        kind: 'recharge',
        title: 'Đã cộng 1,250,000 TCoin',
        text: 'Đơn nạp TCX7K2QF9XAMM đã được thanh toán. 20,000 TCoin trong đó đã trả nợ.',
        href: '/recharge/TCX7K2QF9XAMM',
      }),
      notice(46, {}),
      notice(45, {
        title: 'Món đang chờ trong game',
        text: '3,300 lượng cho nhân vật kiemgiatramlang. Hành trang đầy: dọn chỗ trong hành trang rồi món sẽ vào nhân vật.',
      }),
      notice(44, {
        kind: 'tournament',
        title: 'Đội của bạn đã thắng',
        text: 'Tứ kết ở giải “Song Đấu Mùa Thu”: 3–1.',
        href: '/tournament/1',
      }),
      notice(43, {
        kind: 'claim',
        title: 'Yêu cầu kiểm tra đã có câu trả lời',
        text: 'Khoản chuyển 50,000 VND: đã xử lý xong. Mở để đọc câu trả lời.',
        href: '/recharge/claim',
        read: true,
      }),
      notice(42, {
        kind: 'security',
        title: 'Đăng nhập trên thiết bị mới',
        text: 'Thiết bị: Firefox trên Windows. Nơi: Việt Nam. Nếu không phải bạn, hãy đổi mật khẩu ngay và báo cho ban quản trị.',
        href: '/user/sign-ins',
        read: true,
      }),
    ],
    payload: { unread, after },
  })

const openBell = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Thông báo' }).click()

/** The bell, its panel and its page. */
const notices: PageState[] = [
  ...statesAt({ player: 'hoangtuan', arrange: unread(4, '42') })({
    'notices-panel': { route: '/home', prepare: openBell, sees: 'Xem tất cả' },
    notices: { route: '/user/notices', sees: 'Nhận thông báo về' },
  }),
  {
    name: 'notices-panel-empty',
    route: '/home',
    player: 'thuylinh',
    arrange: answering(/\/api\/notices(\?|$)/, 200, { data: [], payload: { unread: 0, after: null } }),
    prepare: openBell,
    sees: 'Chưa có thông báo nào',
  },
]

/** Strips and hints around the page. */
export const frameStates: PageState[] = [
  ...notices,
  ...statesAt({ route: '/home' })({
    maintenance: {
      arrange: changing('**/api/settings', (known) => ({
        ...known,
        maintenance:
          'Nạp TCoin tạm đóng: ngân hàng bảo trì. Mở lại lúc 23/11/2026 23:00.\nĐổi lượng tạm đóng: máy chủ game đang nâng cấp.',
      })),
      sees: /ngân hàng bảo trì/,
    },
    'install-hint': { arrange: beSecondVisit, prepare: offerInstall, sees: /Chào bạn/ },
  }),
]
