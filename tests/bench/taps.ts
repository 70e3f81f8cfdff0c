import { randomUUID } from 'node:crypto'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { buildIfNeeded } from '#scripts/build.ts'
import { contextOf, openBrowser } from '#scripts/screenshot-run.ts'
import { median } from '../harness/numbers.ts'
import { withBenchPortal } from './bench-portal.ts'
import { openSlowPhone } from './visit.ts'

const PASSWORD = 'matkhau-thu-1'
const BANK_MS_MAX = 30_000

type Tap = (what: string, locator: Locator) => Promise<void>

/** A page that does nothing but change a word at each tap: what the measurement itself takes on this machine. */
const BARE = 'data:text/html,<meta name=viewport content=width=device-width><button>0</button>'

/**
 * The player's main loop on a phone four times slower than this machine: from each tap to the first change of the page that
 * follows, painted. In milliseconds, medians of all runs.
 */
export async function benchTaps({ runs }: { runs: number }) {
  await buildIfNeeded()
  return await withBenchPortal(async ({ url }) => {
    await using browser = await openBrowser()
    const times = new Map<string, number[]>()
    for (let run = 0; run < runs; run += 1) {
      await using context = await browser.newContext({
        ...contextOf({ size: 'phone', colorScheme: 'light' }),
        reducedMotion: 'no-preference',
        baseURL: url,
      })
      await context.addInitScript(watchTaps)
      const page = await openSlowPhone(context)
      const tap: Tap = async (what, locator) => {
        await locator.scrollIntoViewIfNeeded()
        await page.evaluate(() => Object.assign(globalThis, { tapAnsweredMs: undefined }))
        await locator.tap()
        const handle = await page.waitForFunction(
          () => (globalThis as { tapAnsweredMs?: number }).tapAnsweredMs,
        )
        times.set(what, [...(times.get(what) ?? []), (await handle.jsonValue()) ?? Number.NaN])
      }
      await page.goto(BARE)
      await tapBarePage(page, tap)
      await playMainLoop(context, page, tap)
    }
    const taps = Object.fromEntries([...times].map(([what, all]) => [what, Math.round(median(all))]))
    return { taps, slowestMs: Math.max(...Object.values(taps)) }
  })
}

/** Runs in the browser: the time from a tap to the frame that shows the first change after it. */
function watchTaps(): void {
  let tappedMs: number | null = null
  addEventListener('pointerup', ({ timeStamp }) => (tappedMs = timeStamp), { capture: true })
  new MutationObserver(() => {
    if (tappedMs === null) return
    const since = tappedMs
    tappedMs = null
    // The task after the callbacks of a frame comes when that frame is done.
    requestAnimationFrame(() => {
      setTimeout(() => Object.assign(globalThis, { tapAnsweredMs: performance.now() - since }))
    })
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}

async function tapBarePage(page: Page, tap: Tap): Promise<void> {
  await page.evaluate(() => {
    const button = document.querySelector('button')
    button?.addEventListener('click', () => (button.textContent = '1'))
  })
  await tap('a bare page', page.locator('button'))
}

/** From a stranger on the home page to goods that are delivered. */
async function playMainLoop(context: BrowserContext, page: Page, tap: Tap): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const menu = (name: string) =>
    page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name, exact: true })
  const success = page.getByRole('alertdialog', { name: 'Thành công' })

  await page.goto('/home', { waitUntil: 'networkidle' })
  // The greeting, which a stranger closes first.
  await tap('close the greeting', page.getByRole('dialog').getByRole('button').first())
  await tap('Đăng ký', page.getByRole('banner').getByRole('link', { name: 'Đăng ký' }))
  const form = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
  await form.getByLabel('Tên đăng nhập').fill(`cham${randomUUID().slice(0, 8)}`)
  await form.getByLabel('Số điện thoại').fill(`09${String(Math.random()).slice(2, 10)}`)
  await form.getByLabel('Mật khẩu', { exact: true }).fill(PASSWORD)
  await form.getByLabel('Nhập lại mật khẩu').fill(PASSWORD)
  await tap('register', form.getByRole('button', { name: 'Đăng ký' }))
  await form.waitFor({ state: 'hidden' })

  await tap('Nạp TCoin', menu('Nạp TCoin'))
  await tap('choose a bank', page.locator('label', { has: page.getByRole('radio', { name: /Vietcombank/ }) }))
  await tap('choose 50,000 đ', button('50,000'))
  await tap('make the QR code', button('Tạo mã QR'))
  await page.waitForURL(/\/recharge\/[A-Z0-9]+$/)
  const bank = await context.newPage()
  await bank.goto(`/sandbox?code=${new URL(page.url()).pathname.split('/').at(-1)}`)
  await bank.getByRole('button', { name: 'Chuyển khoản thử' }).click()
  await page.getByRole('heading', { name: 'Nạp TCoin thành công' }).waitFor({ timeout: BANK_MS_MAX })
  await bank.close()

  await tap('back to Nạp TCoin', page.getByRole('link', { name: '← Nạp TCoin' }))
  await tap('Kích hoạt', button('Kích hoạt').first())
  await tap(
    'activate',
    page
      .getByRole('dialog', { name: 'Kích hoạt tài khoản' })
      .getByRole('button', { name: 'Kích hoạt', exact: true }),
  )
  await tap('close the message', success.getByRole('button', { name: 'Xác nhận' }))

  await tap('Đổi lượng', menu('Đổi lượng'))
  const characters = page.getByRole('group', { name: 'Nhân vật nhận lượng' })
  await tap('choose a character', characters.locator('label').first())
  await tap(
    'choose 20,000 TCoin',
    page.locator('label', { has: page.getByRole('radio', { name: /20,000/ }) }),
  )
  await tap('exchange', button('Đổi lượng').last())
  const question = page.getByRole('alertdialog', { name: 'Xác nhận đổi lượng' })
  await tap('confirm', question.getByRole('button', { name: 'Đổi lượng' }))
  await tap('close the second message', success.getByRole('button', { name: 'Xác nhận' }))
  await page.getByText('Đã giao', { exact: true }).waitFor({ timeout: BANK_MS_MAX })
  await tap('the balance', page.getByRole('link', { name: /Số dư/ }).first())
}
