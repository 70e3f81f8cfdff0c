import type { Page } from '@playwright/test'
import { changing, openMenu, statesAt, type PageState } from './page-state.ts'

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

/** Strips and hints around the page. */
export const frameStates: PageState[] = [
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
