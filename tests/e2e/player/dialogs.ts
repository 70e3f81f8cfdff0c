import { expect, type Page } from '@playwright/test'

/** Dialogs with a form: `first-tap.e2e.ts` opens them, and goes back from each of them too. */
export const FORM_DIALOGS: Record<string, string[]> = {
  'features/accounts/change-contacts.tsx': ['verify-email', 'change-email'],
  'features/accounts/personal-data-section.tsx': ['download-data', 'ask-deletion'],
  'features/accounts/second-factor.tsx': ['second-factor'],
  'features/accounts/security-section.tsx': ['change-password'],
  'shell/modal-host.tsx': [
    'login',
    'register',
    'forgot',
    'forgot-phone-proved',
    'forgot-game',
    'forgot-game-asked',
    'reset-password',
  ],
}

/** It begins with what has to be read, and is scrolled in a small window. */
export const LONG_DIALOG = 'ask-deletion'

/** With the height of a small phone, and as a desktop's window of 1280 × 800 at 200 % has room. */
export const SMALL = { width: 360, height: 640 }
export const ZOOMED = { width: 640, height: 400 }

export const inHistory = (page: Page, depth: number) =>
  page.waitForFunction(
    (expected) => ((history.state as { dialogs?: number } | null)?.dialogs ?? 0) === expected,
    depth,
  )

/** Back closes the one open dialog and stays on its page, and forward opens nothing. */
export async function expectClosedByBack(page: Page): Promise<void> {
  const shown = page.locator('dialog[open]')
  await expect(shown).toHaveCount(1)
  await inHistory(page, 1)
  const { url, title } = { url: page.url(), title: await page.title() }
  await page.goBack()
  await expect(shown).toHaveCount(0)
  await inHistory(page, 0)
  expect([page.url(), await page.title()]).toEqual([url, title])
  await page.goForward()
  await inHistory(page, 0)
  await expect(shown).toHaveCount(0)
  expect(page.url()).toBe(url)
}
