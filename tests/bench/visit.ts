import type { Browser, BrowserContext, Page } from '@playwright/test'
import { SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { buildIfNeeded } from '#scripts/build.ts'
import { contextOf, openBrowser } from '#scripts/screenshot-run.ts'
import { demoLogin } from '#seeds/players.ts'
import { fetchOk } from '../harness/client.ts'
import { withBenchPortal } from './bench-portal.ts'
import { mediansOf } from './rounds.ts'

const CPU_SLOWDOWN = 4
const FORM_MS_MAX = 20_000

type Way = {
  /** What is tapped, on the home page. */
  tapped: string
  /** The first field of the form. */
  field: string
  isOfPlayers: boolean
  /** Fills the form in and sends it. */
  send: (page: Page) => Promise<void>
  call: string
}

const WAYS: Record<string, Way> = {
  login: {
    tapped: 'header >> text=Đăng nhập',
    field: 'dialog input[name="username"]',
    isOfPlayers: false,
    async send(page) {
      await page.locator('dialog input[name="username"]').fill('mucdong')
      await page.locator('dialog input[name="password"]').fill('matkhau1')
      await page.locator('dialog button[type="submit"]').click()
    },
    call: '**/api/auth/login',
  },
  recharge: {
    tapped: 'nav >> text=Nạp TCoin',
    field: 'main form input[type="radio"]',
    isOfPlayers: true,
    async send(page) {
      await page.locator('main form label:has(input[type="radio"])').first().click()
      await page.locator('main form fieldset button').first().click()
      await page.locator('main form button[type="submit"]').click()
    },
    call: '**/api/recharge/*',
  },
}

/** When the document is tapped: as soon as what is tapped is there, or when everything has come. */
const MOMENTS = ['early', 'settled'] as const

/** To the form: from the tap, and from the opening of the document that was tapped. */
type Times = { tapMs: number; openMs: number }

/** First visits on a phone: from a tap to a form that takes input, as medians. */
export async function benchVisit({ runs }: { runs: number }) {
  await buildIfNeeded()
  return await withBenchPortal(async ({ url }) => {
    const login = await fetchOk(url, { path: '/api/auth/login', body: demoLogin })
    const token = login.body.access_token as string
    await using browser = await openBrowser()
    const taps: Record<string, ReturnType<typeof figuresOf>> = {}
    for (const [name, way] of Object.entries(WAYS))
      for (const moment of MOMENTS) {
        const times: (Times | null)[] = []
        while (times.length < runs) times.push(await timeTap({ browser, url, token }, way, moment))
        taps[`${name}, ${moment}`] = figuresOf(times)
      }
    return { taps }
  })
}

function figuresOf(runs: readonly (Times | null)[]) {
  const worked = runs.filter((times) => times !== null)
  return { ...mediansOf(worked), isOpenedMostly: worked.length * 2 > runs.length }
}

type Visit = { browser: Browser; url: string; token: string }

async function timeTap(
  { browser, url, token }: Visit,
  way: Way,
  moment: (typeof MOMENTS)[number],
): Promise<Times | null> {
  await using context = await browser.newContext(contextOf({ size: 'phone', colorScheme: 'light' }))
  const page = await openSlowPhone(context)
  await context.addInitScript(prepareVisit, {
    session: way.isOfPlayers ? { key: SESSION_STORAGE_KEY, token } : null,
    field: way.field,
  })
  // Nothing is changed: what counts is that the form is sent.
  await page.route(way.call, async (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.goto(`${url}/home`, { waitUntil: moment === 'early' ? 'commit' : 'networkidle' })
  await page.locator(way.tapped).first().tap({ noWaitAfter: true })
  return await timeOfForm(page, way)
}

export async function openSlowPhone(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return page
}

type Prepared = { session: { key: string; token: string } | null; field: string }

/** Runs in the browser before each document: a session, no greeting, and the times of the tap and of the form. */
function prepareVisit({ session, field }: Prepared): void {
  if (location.protocol === 'about:') return
  localStorage.setItem('lastSeenHello', String(Date.now()))
  if (session) localStorage.setItem(session.key, JSON.stringify({ access_token: session.token }))
  // The form may come in another document than the one that was tapped.
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => sessionStorage.setItem('tapped', JSON.stringify([timeStamp, performance.timeOrigin])),
    { capture: true, once: true },
  )
  const watch = new MutationObserver(() => {
    const found = document.querySelector<HTMLInputElement>(field)
    if (!found || found.disabled || !sessionStorage.getItem('tapped')) return
    watch.disconnect()
    requestAnimationFrame(() => {
      const [tappedAfter, opened] = JSON.parse(sessionStorage.getItem('tapped') ?? '') as [number, number]
      const openMs = performance.timeOrigin + performance.now() - opened
      document.documentElement.dataset.formTimes = JSON.stringify({ openMs, tapMs: openMs - tappedAfter })
    })
  })
  watch.observe(document, { childList: true, subtree: true })
}

/** Null when the tap came to nothing. A form that is there must also send. */
async function timeOfForm(page: Page, way: Way): Promise<Times | null> {
  const html = page.locator('html[data-form-times]')
  const isThere = await html.waitFor({ state: 'attached', timeout: FORM_MS_MAX }).then(
    () => true,
    () => false,
  )
  if (!isThere) return null
  const times = JSON.parse((await html.getAttribute('data-form-times')) ?? '') as Times
  const sent = page.waitForRequest((request) => request.method() === 'POST' && !/verify/.test(request.url()))
  await way.send(page)
  await sent
  return { tapMs: Math.round(times.tapMs), openMs: Math.round(times.openMs) }
}
