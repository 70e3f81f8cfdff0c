import { readFile } from 'node:fs/promises'
import { pages } from '#contract/pages.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { allStates } from '#tests/support/page-states/all-states.ts'
import { openState, type PageState } from '#tests/support/page-states/page-state.ts'
import { expect, test } from './fixtures.ts'
import { expectVietnamese, foreignTexts } from './vietnamese.ts'
import { expectNoTextsJoined, expectReadableInLargeLetters } from '../layout.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

// Greetings are a state of their own here, and nothing has to be waited for that only moves.
test.use({ isStranger: true, contextOptions: { reducedMotion: 'reduce' } })

const FAILURES = /status of (401|404|409|422|429|500|503)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/

const needsOfflineWorker = ({ name }: PageState) => name.startsWith('offline-')

/**
 * The first state of each modal; the pages themselves are read in `walk.e2e.ts`, and all other states by
 * `npm run test:all`.
 */
const isFirstOfModal = (state: PageState) =>
  state.modal !== undefined && state === allStates.find(({ modal }) => modal === state.modal)

for (const state of allStates.filter((one) => !needsOfflineWorker(one))) lookAt(state)

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' })
  for (const state of allStates.filter(needsOfflineWorker)) lookAt(state)
})

function lookAt(state: PageState): void {
  test(
    `${state.name}: nothing but Vietnamese, and no wider than the screen with large letters`,
    { tag: isFirstOfModal(state) ? [] : ['@long'] },
    async ({ page, callers, consoleErrors }) => {
      consoleErrors.expect(FAILURES)
      await openState(page, state, callers)
      if (state.modal) await expect(page.locator('dialog[open]').first()).toBeVisible()
      await expectVietnamese(page)
      await expectNoTextsJoined(page)
      // Nothing waits for what has failed.
      if (state.name.endsWith('-failed')) await expect(page.locator('.skeleton')).toHaveCount(0)
      if (page.viewportSize()!.width < 400) await expectReadableInLargeLetters(page)
    },
  )
}

test('English would be noticed', () => {
  expect(foreignTexts(['Please try again'])).toHaveLength(1)
  expect(foreignTexts(['Bấm Submit để gửi'])).toHaveLength(1)
  expect(foreignTexts(['Enter six digit code'])).toHaveLength(1)
  expect(foreignTexts(['Mã OTP được gửi đến thư điện tử của bạn'])).toHaveLength(1)
  expect(
    foreignTexts(['Toàn bộ hoạt động trong tháng', 'Giá to nhất', 'Box Zalo 1', 'h***@example.com']),
  ).toEqual([])
})

test('every route and every modal is looked at', async () => {
  const routes = Object.values(pages).map(({ path }) => path)
  const listed = allStates.map(({ route }) => route)
  const where = 'a list of states in tests/support/page-states'
  expect(listProblems({ found: routes, listed }, where)).toEqual([])
  const modalStore = new URL('../../../src/web/parts/modals/modal-store.ts', import.meta.url)
  const names = /type ModalName = ([^\n]+)/.exec(await readFile(modalStore, 'utf8'))?.[1] ?? ''
  const modals = [...names.matchAll(/'([^']+)'/g)].map(([, modal = '']) => modal)
  expect(modals.length).toBeGreaterThan(2)
  const shown = allStates.flatMap(({ modal }) => modal ?? [])
  expect(listProblems({ found: modals, listed: shown }, where)).toEqual([])
})
