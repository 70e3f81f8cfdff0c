import { setTimeout as delay } from 'node:timers/promises'
import type { APIRequestContext, Page, Request, Route } from '@playwright/test'
import { CHANNEL_VIETCOMBANK, HELLO_STORAGE_KEY, SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { seedPlayers } from '#seeds/players.ts'

/**
 * A state of a page of the demo portal. The screenshots show
 * each of them, and a test searches them for untranslated words.
 */
export type PageState = {
  name: string
  /** The page as `routes.ts` names it. */
  route: string
  /** Where the browser goes first, when that is not the route itself. `:code` is an open order of the player. */
  path?: string
  /** The modal that comes up. */
  modal?: 'login' | 'register' | 'forgot' | 'reset-password' | 'active'
  /** A name from the seeds; without one it is a visitor's page. */
  player?: string
  isStranger?: boolean
  /** Replaces answers of calls before the page opens. */
  arrange?: (page: Page) => Promise<void>
  /** Opens what is to be shown. */
  prepare?: (page: Page) => Promise<void>
  /** The text that the page then shows. */
  sees: string | RegExp
}

/** States by their names that share a page, a player or other parts. */
export const statesAt =
  <Shared extends Partial<PageState>>(shared: Shared) =>
  (states: Record<string, Omit<PageState, 'name' | keyof Shared> & Partial<PageState>>): PageState[] =>
    Object.entries(states).map(([name, state]) => ({ name, ...shared, ...state }) as PageState)

export const main = (page: Page) => page.getByRole('main')

/** Opens what a phone's header has no room for; a wide header shows it all the time. */
export async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole('banner').getByRole('button', { name: 'Danh mục', exact: true })
  if (await button.isVisible()) await button.click()
}

/** Goes on by the first link of the page that leads there. */
export const follow = (start: string) => async (page: Page) => {
  // Before the scripts run, a link would bring a whole document along with its data.
  await page.waitForLoadState('networkidle')
  await page
    .locator(`main a[href^="${start}"], footer a[href^="${start}"], nav a[href^="${start}"]`)
    .filter({ visible: true })
    .first()
    .click()
  await page.waitForURL(new RegExp(start))
}

/** The real answer of the demo server, modified. */
export const changing =
  <A extends object>(calls: string | RegExp, change: (answer: A) => object) =>
  async (page: Page) => {
    await page.route(calls, async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: change((await response.json()) as A) })
    })
  }

export const answering = (calls: string | RegExp, status: number, json: object) => async (page: Page) => {
  await page.route(calls, (route) => route.fulfill({ status, json }))
}

/** A game whose names are shorter than the portal's, and whose passwords begin at 8 letters. */
export const gameLimits = answering('**/api/game-limits', 200, {
  name: { most: 12, letters: 'a-z' },
  password: { least: 8, most: 16 },
})

/** Nothing but who is there and how the site is set comes through. */
export const silence = answering(/\/api\/(?!settings|auth\/verify)/, 503, {})

/** A page opened from another one while no call is answered: a first document would contain its data. */
export const silentWay = (start: string) => async (page: Page) => {
  await silence(page)
  await follow(start)(page)
}

/** Calls made before the browser opens anything; each player logs in once. */
export class Callers {
  readonly #request: APIRequestContext
  readonly #tokens = new Map<string, Promise<string>>()
  readonly #orders = new Map<string, Promise<string>>()

  constructor(request: APIRequestContext) {
    this.#request = request
  }

  token(username: string): Promise<string> {
    return remember(this.#tokens, username, async () => {
      const password = seedPlayers.find((player) => player.username === username)?.password
      const { access_token } = await this.#post('/api/auth/login', { username, password })
      return access_token ?? ''
    })
  }

  /** One for all its states: a player has only so many open ones. */
  orderCode(username: string): Promise<string> {
    return remember(this.#orders, username, async () => {
      const token = await this.token(username)
      const { code } = await this.#post(
        '/api/recharge/orders',
        { channel: CHANNEL_VIETCOMBANK, amount: 50_000 },
        token,
      )
      return code ?? ''
    })
  }

  async #post(path: string, data: object, token?: string): Promise<Record<string, string>> {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await this.#request.post(path, { data, headers })
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
    return (await answer.json()) as Record<string, string>
  }
}

function remember(known: Map<string, Promise<string>>, key: string, find: () => Promise<string>) {
  const found = known.get(key) ?? find()
  known.set(key, found)
  return found
}

/** Empties what the portal stored in this tab's browser, then stores the given entries. */
export async function storeOnly(page: Page, stored: Record<string, string>): Promise<void> {
  // A document of the portal without scripts, which could store something themselves.
  await page.goto('/healthz')
  await page.evaluate((entries) => {
    localStorage.clear()
    sessionStorage.clear()
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
}

/** Does what brings a page into the state, whatever the portal stored in its browser before. */
export async function enterState(page: Page, state: PageState, callers: Callers): Promise<void> {
  const { path = state.route, player } = state
  // The state before may have left it without a network.
  await page.context().setOffline(false)
  await storeOnly(page, {
    ...(!state.isStranger && { [HELLO_STORAGE_KEY]: String(Date.now()) }),
    ...(player && { [SESSION_STORAGE_KEY]: JSON.stringify({ access_token: await callers.token(player) }) }),
  })
  await state.arrange?.(page)
  const code = path.includes(':code') ? await callers.orderCode(player ?? '') : ''
  await page.goto(path.replace(':code', code), { waitUntil: 'load' })
  await state.prepare?.(page)
}

export const seen = (page: Page, { sees }: PageState) =>
  page.getByText(sees).filter({ visible: true }).first()

/** A page has loaded when no call was open for so long; an order's event stream never ends. */
const QUIET_MS = 150
const LOADING_MAX_MS = 2_000

/** Waits until the state is visible and has loaded. */
export async function openState(page: Page, state: PageState, callers: Callers): Promise<void> {
  const calls = watchCalls(page)
  try {
    await enterState(page, state, callers)
    await seen(page, state).waitFor()
    await calls.end()
  } finally {
    calls.forget()
  }
}

/** Unlike Playwright's `networkidle`, which is said once for each document, this sees the calls of a step inside the site. */
function watchCalls(page: Page) {
  const open = new Set<Request>()
  let changedAt = performance.now()
  const note = (change: (request: Request) => unknown) => (request: Request) => {
    change(request)
    changedAt = performance.now()
  }
  const begin = note((request) => open.add(request))
  const end = note((request) => open.delete(request))
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  return {
    async end() {
      const until = performance.now() + LOADING_MAX_MS
      while (performance.now() < until && (open.size > 0 || performance.now() - changedAt < QUIET_MS))
        await delay(20)
    },
    forget: () => page.off('request', begin).off('requestfinished', end).off('requestfailed', end),
  }
}
