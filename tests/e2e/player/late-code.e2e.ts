import type { Page } from '@playwright/test'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { type Callers, openState } from '#tests/support/page-states/page-state.ts'
import { delay, lazyFiles, withhold } from '#tests/support/lazy-files.ts'
import { expectClosedByBack, inHistory } from './dialogs.ts'
import { expect, test } from './fixtures.ts'
import { hydrated } from './measures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const lazy = lazyFiles('client')
const fileFrom = (source: string) => lazy.parts.find((part) => part.source === source)?.file

const WAIT = 'Đang mở…'
/** The dialog keeps about its place when its content comes. */
const MOVED_PX_MAX = 24

const dialog = (page: Page) => page.locator('dialog[open]')

const inHeader = (name: string) => async (page: Page) => {
  await page.goto('/community')
  const link = page.getByRole('banner').getByRole('link', { name })
  await hydrated(link)
  await link.click()
}
const toForgot = async (page: Page) => {
  await inHeader('Đăng nhập')(page)
  await dialog(page).getByRole('button', { name: 'Quên mật khẩu?' }).click()
}

type Opening = { sees: string | RegExp; open: (page: Page, callers: Callers) => Promise<void> }

const byState = (name: string): Opening => {
  const state = stateOf(name)
  return { sees: state.sees, open: (page, callers) => openState(page, { ...state, sees: WAIT }, callers) }
}

/** The content of a dialog that a tap fetches, and how each is opened. */
const DIALOGS: Record<string, Opening[]> = {
  'features/accounts/register-modal.tsx': [{ sees: 'Đã có tài khoản?', open: inHeader('Đăng ký') }],
  'features/accounts/personal-data-forms.tsx': [byState('download-data'), byState('ask-deletion')],
  'features/deliveries/purchase-message.tsx': [byState('exchange-done')],
  'features/passwords/password-modals.tsx': [{ sees: 'Gửi liên kết', open: toForgot }],
  'features/sessions/login-modal.tsx': [{ sees: 'Chưa có tài khoản?', open: inHeader('Đăng nhập') }],
  'features/transfers/active-modal.tsx': [byState('activate')],
  'shell/bell-watch.tsx': [byState('notices-panel')],
  'shell/message.tsx': [byState('exchange-field-errors')],
}

const topOf = async (page: Page) => (await dialog(page).boundingBox())?.y ?? Number.NaN

for (const [source, openings] of Object.entries(DIALOGS)) {
  for (const [index, { sees, open }] of openings.entries()) {
    test(
      `a dialog answers before its content has come: ${source} ${index + 1}`,
      { tag: source.includes('register') ? [] : '@long' },
      async ({ page, callers, consoleErrors }) => {
        consoleErrors.expect(/status of 422/)
        const release = await delay(page, (file) => file === fileFrom(`src/web/${source}`))
        await open(page, callers)
        await expect(dialog(page).getByRole('status').filter({ hasText: WAIT })).toBeAttached()
        await expect(dialog(page).locator('.skeleton')).toBeVisible()
        await expect(dialog(page).getByRole('button', { name: 'Đóng' })).toBeFocused()
        await inHistory(page, 1)
        await dialog(page).evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)))
        const before = await topOf(page)
        release()
        await expect(dialog(page).getByText(sees).first()).toBeVisible()
        await expect(dialog(page).getByText(WAIT)).toHaveCount(0)
        expect(Math.abs((await topOf(page)) - before)).toBeLessThanOrEqual(MOVED_PX_MAX)
        const first = dialog(page).locator('[data-autofocus]').first()
        if ((await first.count()) > 0) await expect(first).toBeFocused()
        await expectClosedByBack(page)
      },
    )
  }
}

test('a link answers before the code of its page has come', { tag: '@long' }, async ({ page }) => {
  await page.goto('/community', { waitUntil: 'networkidle' })
  const release = await delay(
    page,
    (file) => file === fileFrom('src/web/features/tournaments/tournaments.page.tsx'),
  )
  await page.getByRole('contentinfo').getByRole('link', { name: 'Giải đấu' }).click()
  const bar = page.locator('.nav-progress')
  await expect(bar).toBeVisible()
  await expect(bar).toHaveText(WAIT)
  release()
  await expect(page).toHaveURL(/\/tournaments$/)
  await expect(bar).toHaveCount(0)
})

test('a link is answered by a painted frame before a page whose code is there is rendered', async ({
  page,
}) => {
  await page.goto('/community', { waitUntil: 'networkidle' })
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Giải đấu' })
  await link.click()
  await expect(page).toHaveURL(/\/tournaments$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/community$/)
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const write = history.pushState.bind(history)
    history.pushState = (...given) => {
      seen.push('page')
      write(...given)
    }
    new MutationObserver(() => {
      if (seen.length > 0 || document.querySelector('.nav-progress') === null) return
      seen.push('bar')
      requestAnimationFrame(() => setTimeout(() => seen.push('frame')))
    }).observe(document, { subtree: true, childList: true })
  })
  await link.click()
  await expect(page).toHaveURL(/\/tournaments$/)
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([
    'bar',
    'frame',
    'page',
  ])
})

test(
  'who asks for the question about advertising sees an answer at once, and when it does not come',
  { tag: '@long' },
  async ({ page, callers, consoleErrors }) => {
    consoleErrors.expect(/ERR_CONNECTION_RESET|Failed to fetch/)
    await openState(page, stateOf('consent'), callers)
    await page.getByRole('button', { name: 'Không đồng ý' }).click()
    const isQuestion = (file: string) => file === fileFrom('src/web/parts/pixel/consent-bar.tsx')
    const ask = page.getByRole('contentinfo').getByRole('button', { name: 'Quyền riêng tư quảng cáo' })
    const question = page.getByRole('region', { name: 'Cho phép đo quảng cáo?' })
    await page.reload({ waitUntil: 'networkidle' })
    const files = await withhold(page, isQuestion)
    await ask.click()
    await expect(page.getByText('Chưa mở được phần này')).toBeVisible()
    files.release()
    const release = await delay(page, isQuestion)
    await ask.click()
    await expect(page.locator('.nav-progress')).toBeVisible()
    release()
    await expect(question).toBeVisible()
  },
)

/** Buttons whose work is fetched by the tap. */
const BUTTONS: Record<string, { state: string; name: string }> = {
  'src/web/features/tournaments/tournament-pictures.ts': {
    state: 'tournament-finished',
    name: 'Chia sẻ ảnh nhánh đấu',
  },
  'src/web/parts/progress/progress-picture.ts': { state: 'order-credited', name: 'Chia sẻ ảnh' },
}

for (const [source, { state, name }] of Object.entries(BUTTONS)) {
  test(
    `a button is busy until what it needs has come: ${source}`,
    { tag: '@long' },
    async ({ page, callers }) => {
      await openState(page, stateOf(state), callers)
      const release = await delay(page, (file) => file === fileFrom(source))
      const button = page.getByRole('main').getByRole('button', { name })
      await button.click()
      await expect(button).toHaveAttribute('aria-busy', 'true')
      release()
      await expect(button).not.toHaveAttribute('aria-busy')
    },
  )
}

test(
  'the check of a draw answers before its code has come, and while it repeats the draw',
  { tag: '@long' },
  async ({ page, callers }) => {
    await openState(page, stateOf('tournament-finished'), callers)
    const release = await delay(
      page,
      (file) => file === fileFrom('src/web/features/tournaments/draw-check.tsx'),
    )
    await page.getByText('Kiểm tra bốc thăm').click()
    await expect(page.getByRole('main').locator('.skeleton').filter({ visible: true }).first()).toBeVisible()
    release()
    const repeat = page.getByRole('button', { name: 'Tính lại trên máy này' })
    await expect(repeat).toBeVisible()
    const releaseProof = await delay(page, (file) => file === fileFrom('src/contract/draw-proof.ts'))
    await repeat.click()
    await expect(repeat).toHaveAttribute('aria-busy', 'true')
    releaseProof()
    await expect(repeat).not.toHaveAttribute('aria-busy')
  },
)
