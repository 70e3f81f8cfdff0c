import { readdirSync, readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { listProblems } from '#tests/support/hand-lists.ts'
import { openState, type PageState } from '#tests/support/page-states/page-state.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { expectNothingUnderBars, expectNotesAtTheirFields } from '../layout.ts'
import { expectClosedByBack, FORM_DIALOGS, LONG_DIALOG, SMALL, ZOOMED } from './dialogs.ts'
import { expect, freshPhone, freshUsername, PASSWORD, test } from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const SLOWER = 4

type Case = {
  state: PageState
  /** The form, where the page has several. */
  form?: (page: Page) => Locator
  /** What is typed into its last field, which leaves it wrong wherever anything can be: its message then comes. */
  typed?: string
}

const inMain = (page: Page) => page.getByRole('main').locator('form:has([type=submit])')

/** The forms of the player site, by their files, and where each is shown. */
const forms: Record<string, Case[]> = {
  'accounts/change-contacts.tsx': [{ state: stateOf('verify-email') }, { state: stateOf('change-email') }],
  'accounts/personal-data-forms.tsx': [
    { state: stateOf('download-data'), typed: '' },
    { state: stateOf('ask-deletion'), typed: '' },
  ],
  'accounts/ranking-name.tsx': [{ state: stateOf('profile-ranking-name'), form: (page) => inMain(page) }],
  'accounts/register-modal.tsx': [{ state: stateOf('register') }],
  'accounts/second-factor.tsx': [
    { state: stateOf('second-factor') },
    { state: stateOf('second-factor-off') },
  ],
  'accounts/security-section.tsx': [{ state: stateOf('change-password') }],
  'gems/gem-calculator.page.tsx': [{ state: stateOf('gem-calculator'), form: (page) => inMain(page) }],
  'gifts/gift-code-form.tsx': [{ state: stateOf('gift-taken'), form: (page) => inMain(page), typed: '' }],
  'help/ask-form.tsx': [{ state: stateOf('ask'), form: (page) => inMain(page).first() }],
  'help/case-form.tsx': [{ state: stateOf('report'), typed: '' }],
  'help/find-cases.tsx': [{ state: stateOf('ask-again'), form: (page) => inMain(page).last() }],
  'help/visitor-case.tsx': [{ state: stateOf('ask-case'), typed: '' }],
  'passwords/forgot-forms.tsx': [
    { state: stateOf('forgot') },
    { state: stateOf('forgot-phone-proved') },
    { state: stateOf('forgot-game') },
    { state: stateOf('forgot-game-asked') },
  ],
  'passwords/password-modals.tsx': [{ state: stateOf('reset-password') }],
  'posts/news-filter.tsx': [{ state: stateOf('home'), form: (page) => page.getByRole('search') }],
  'recharge/claim-form.tsx': [{ state: stateOf('claim') }],
  'recharge/recharge-form.tsx': [{ state: stateOf('recharge') }],
  'sandbox/sandbox.page.tsx': [
    { state: stateOf('sandbox'), form: (page) => inMain(page).first() },
    { state: stateOf('sandbox'), form: (page) => inMain(page).last() },
  ],
  'sessions/login-modal.tsx': [{ state: stateOf('login') }],
  'statements/statement-tools.tsx': [{ state: stateOf('transactions-filters') }],
  'tournaments/team-forms.tsx': [
    { state: stateOf('tournament-sign-up') },
    { state: stateOf('tournament-team-edit') },
  ],
  'transfers/transfer-sheet.tsx': [{ state: stateOf('transfer') }],
}
const cases = Object.values(forms).flat()

test('every form of the site is listed here', () => {
  const where = '`forms` of tests/e2e/player/first-tap.e2e.ts, with the page state that shows it'
  const counts: Record<string, number> = {}
  for (const file of readdirSync('src/web/features', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx')) continue
    const count = readFileSync(`src/web/features/${file}`, 'utf8').match(/<(Form|form)\b/g)?.length
    if (count) counts[file] = count
  }
  expect(listProblems({ found: Object.keys(counts), listed: Object.keys(forms) }, where)).toEqual([])
  for (const [file, count] of Object.entries(counts))
    expect(forms[file], `forms of ${file} in ${where}`).toHaveLength(count)
  const names = cases.map(({ state }) => state.name)
  expect(names).toEqual(expect.arrayContaining(Object.values(FORM_DIALOGS).flat()))
})

/** While something is typed and tapped, as on a cheap phone. */
async function slowly(page: Page, act: () => Promise<void>): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  try {
    await act()
  } finally {
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
}

/** Where the button was when the finger came, and when its click did; `submits` counts what the form got. */
type Tap = { touchedAt: number | null; clickedAt: number | null; submits: number }

async function watchTap(button: Locator): Promise<() => Promise<Tap>> {
  await button.evaluate((element) => {
    const tap: Tap = { touchedAt: null, clickedAt: null, submits: 0 }
    Object.assign(globalThis, { tap })
    const place = () => Math.round(element.getBoundingClientRect().top)
    addEventListener('touchstart', () => (tap.touchedAt = place()), { capture: true })
    addEventListener('click', () => (tap.clickedAt = place()), { capture: true })
    addEventListener('submit', () => (tap.submits += 1), { capture: true })
  })
  return () => button.page().evaluate(() => (globalThis as unknown as { tap: Tap }).tap)
}

/** A finger on the middle of the button, wherever that is now; below the screen it is scrolled to first. */
async function tap(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await button.boundingBox())!
  await button.page().touchscreen.tap(x + width / 2, y + height / 2)
}

for (const [index, { state, form = formOf, typed = 'a' }] of everyNth([...cases.entries()], 8, 5)) {
  const isDialog = Object.values(FORM_DIALOGS).flat().includes(state.name)
  const more = isDialog ? ', and back closes its dialog' : ''
  test(`the first tap after the last field sends the form${more}: ${index + 1}, ${state.name}`, async ({
    page,
    callers,
  }) => {
    await openState(page, state, callers)
    const shown = form(page)
    const button = shown.locator('[type=submit]').filter({ visible: true })
    if (isDialog && state.name !== LONG_DIALOG) await expectInView(page, button)
    await expectNothingUnderBars(page, shown)
    await expectNotesAtTheirFields(page)
    await button.scrollIntoViewIfNeeded()
    const last = shown.locator('input:not([type=radio],[type=checkbox],[type=file]),textarea').last()
    await last.focus()
    await last.fill('')
    const observed = await watchTap(button)
    await slowly(page, async () => {
      await last.pressSequentially(typed)
      await tap(button)
      await expect.poll(async () => (await observed()).submits).toBe(1)
    })
    const { touchedAt, clickedAt } = await observed()
    expect(clickedAt).toBe(touchedAt)
    await expectNotesAtTheirFields(page)
    if (isDialog) await expectClosedByBack(page)
  })
}

/** As long as nothing of the form has the focus; while something has, the button stands at its end. */
async function expectInView(page: Page, button: Locator): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const usual = page.viewportSize()!
  for (const window of [ZOOMED, SMALL]) {
    await page.setViewportSize(window)
    await expect(button).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize(usual)
}

function formOf(page: Page): Locator {
  return page
    .locator('dialog form, main form:has([type=submit]):not([role=search])')
    .filter({ visible: true })
}

test('one tap registers, also with an agreement and a message between field and button', async ({ page }) => {
  await page.goto('/register', { waitUntil: 'networkidle' })
  const dialog = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
  await dialog.getByLabel('Tên đăng nhập').fill(freshUsername())
  await dialog.getByLabel('Số điện thoại').fill(freshPhone())
  await dialog.getByLabel('Mật khẩu', { exact: true }).fill(PASSWORD)
  await slowly(page, async () => {
    await dialog.getByLabel('Nhập lại mật khẩu').pressSequentially(PASSWORD)
    await tap(dialog.getByRole('button', { name: 'Đăng ký', exact: true }))
    await expect(dialog).toBeHidden()
  })
})

test('the message of a field does not move the fields below it', async ({ page }) => {
  await page.goto('/register', { waitUntil: 'networkidle' })
  const dialog = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
  const phone = dialog.getByLabel('Số điện thoại')
  await phone.fill('12')
  const email = dialog.getByLabel('Email')
  const before = await email.boundingBox()
  await tap(email)
  await expect(dialog.getByText('Số điện thoại không hợp lệ')).toBeVisible()
  expect(await email.boundingBox()).toEqual(before)
})
