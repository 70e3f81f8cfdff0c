import type { APIRequestContext, Page } from '@playwright/test'
import { demoLogin } from '#seeds/players.ts'
import { safeHtml } from '#server/platform/html/safe-html.rules.ts'
import vectors from '#server/platform/html/xss.vectors.json' with { type: 'json' }
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { expect, registerTrader, signIn, test, type Player } from './fixtures.ts'
import { useSeparatePortal } from './separate-portal.ts'
import { makeStaff, putSetting, storeSetting } from './staff.ts'

let operator = ''
let victim: Player

// Its content is hostile text.
const portal = useSeparatePortal(async (request, { dataDir }) => {
  operator = (await makeStaff(request, demoLogin, { dataDir, role: 'owner' })).token
  victim = await registerTrader(request, 100_000)
})

const usable = vectors.map((vector) => vector.replaceAll('\u0000', ''))

/** All effects of hostile text: a script that runs, a CSP violation, a call to another host. */
async function watch(page: Page): Promise<string[]> {
  const effects: string[] = []
  page.on('dialog', (dialog) => {
    effects.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${portal.url}/`)) effects.push(`request ${request.url()}`)
    if (/\/api\/auth\/logout/.test(request.url())) effects.push('a log-out')
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(portal.url))
      effects.push(`frame ${frame.url()}`)
  })
  await page.exposeFunction('hostileDone', (what: string) => effects.push(what))
  await page.addInitScript(() => {
    const { hostileDone } = globalThis as unknown as { hostileDone(what: string): void }
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
      Object.assign(globalThis, { [name]: () => hostileDone(`${name} was called`) })
    document.addEventListener('securitypolicyviolation', (event) =>
      hostileDone(`the policy had to stop ${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  return effects
}

/** What is left of event handlers and foreign forms in the document as the browser has it. */
const remains = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => [
      ...[...element.attributes]
        .filter(({ name, value }) => /^on|^srcdoc$/.test(name) || /^\s*(?:javascript|data:text)/i.test(value))
        .map(({ name }) => `${element.tagName} ${name}`),
      ...(/^(?:IFRAME|OBJECT|EMBED|BASE|TEMPLATE|MATH)$/i.test(element.tagName) ? [element.tagName] : []),
    ]),
  )

async function act(request: APIRequestContext, method: string, path: string, data: object) {
  const answer = await request.fetch(`/api/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${operator}` },
    data: { ...data, reason: 'Kiểm thử' },
  })
  return { status: answer.status(), body: (await answer.json()) as { id: string } }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading').first()).toBeVisible()
  expect(await remains(page), path).toEqual([])
}

const OPEN_PAGES = ['/home', '/community', '/download', '/download/ios', '/gem-calculator', '/tournaments']
/** With a session, /login and /register lead home, where the pixel may be: all of these are opened without one. */
const PAGES_OF_CODES = ['/login', '/forgot', '/password/abcdef']
const WALLET_PAGES = [
  '/exchange',
  '/gift',
  '/ranking',
  '/recharge',
  '/user/profile',
  '/user/transactions',
  '/user/transfer',
]
const PRIVATE_PAGES = [...WALLET_PAGES, ...PAGES_OF_CODES]

async function hostsOf(page: Page, paths: readonly string[]): Promise<string[]> {
  const hosts = new Set<string>()
  const note = (address: string) => {
    if (/^(?:https?|wss?):/.test(address)) hosts.add(new URL(address).host)
  }
  page.on('request', (request) => note(request.url()))
  page.on('websocket', (socket) => note(socket.url()))
  for (const path of paths) await page.goto(path, { waitUntil: 'networkidle' })
  return [...hosts].sort()
}

const setPixel = (value: string) => storeSetting(portal.dataDir, { key: 'pixel_id', value })

/** Meta's hosts are faked: the test checks that they are called. */
const standIn = (page: Page) =>
  page
    .context()
    .route(/facebook\.(net|com)/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))

test(
  'security row 29: without a pixel all calls go to the portal',
  { tag: '@long' },
  async ({ page, consoleErrors }) => {
    consoleErrors.expect(/404/)
    await signIn(page, victim.token)
    // Those of the wallet call the portal alone with a pixel too, see below.
    const paths = [...everyNth(OPEN_PAGES, 2), ...(hasAllCases ? PRIVATE_PAGES : PAGES_OF_CODES)]
    expect(await hostsOf(page, paths)).toEqual([new URL(portal.url).host])
  },
)

test(
  'security row 29: with a pixel and consent, also to the pixel’s hosts',
  { tag: '@long' },
  async ({ page }) => {
    await setPixel('123456789012345')
    await standIn(page)
    await page.goto('/home')
    await page.getByRole('button', { name: 'Đồng ý', exact: true }).click()
    const hosts = await hostsOf(page, everyNth(OPEN_PAGES, 2, 1))
    expect(hosts).toContain('connect.facebook.net')
    const allowed = [new URL(portal.url).host, 'connect.facebook.net', 'www.facebook.com']
    expect(hosts.filter((host) => !allowed.includes(host))).toEqual([])
  },
)

test(
  'security row 29: but not on pages with a wallet or code',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/404/)
    await setPixel('123456789012345')
    await standIn(page)
    await page.goto('/home')
    await page.getByRole('button', { name: 'Đồng ý', exact: true }).click()
    await page.evaluate(
      (token) => localStorage.setItem('auth-react-v', JSON.stringify({ access_token: token })),
      victim.token,
    )
    // What the page that was left had under way is not the next one's.
    await page.goto('about:blank')
    expect(await hostsOf(page, everyNth(WALLET_PAGES, 2))).toEqual([new URL(portal.url).host])
    const open = await request.get('/home')
    expect(open.headers()['content-security-policy']).toContain('connect.facebook.net')
    for (const path of PRIVATE_PAGES) {
      const policy = (await request.get(path)).headers()['content-security-policy']
      expect(policy, path).not.toMatch(/facebook|https?:/)
    }
    // The consent bar would cover what follows.
    await setPixel('')
  },
)

test('security row 26: posts of hostile HTML run nothing', async ({ page, request, consoleErrors }) => {
  test.setTimeout(180_000)
  // Some name pictures of ours that do not exist.
  consoleErrors.expect(/404/)
  const effects = await watch(page)
  const perPost = 30
  // Posts with links to strangers' sites are refused; what such links become is tested with the sanitiser.
  const taken = usable.filter((vector) => !/<a href="https?:/.test(safeHtml(vector)))
  expect(taken.length).toBeGreaterThan(usable.length - 5)
  for (let from = 0; from < taken.length; from += perPost) {
    const some = taken.slice(from, from + perPost)
    const post = await act(request, 'POST', '/posts', {
      title: `x ${some[0]}`.slice(0, 200),
      excerpt: some.join(' ').slice(0, 400),
      content: some.map((vector) => `<p>Đoạn</p>${vector}`).join(''),
      pinned: true,
    })
    expect(post.status).toBe(201)
    await open(page, `/post/${post.body.id}`)
  }
  await open(page, '/home')
  // A title without a space would push everything that is fixed to the screen out of reach.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    await page.evaluate(() => document.documentElement.clientWidth),
  )
  expect(effects).toEqual([])
})

test(
  'security row 26: hostile settings and categories are inert',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    test.setTimeout(120_000)
    consoleErrors.expect(/404/)
    const effects = await watch(page)
    const category = await act(request, 'POST', '/categories', { title: 'Thử' })
    for (const vector of everyNth(usable, 120)) {
      const title = `x ${vector}`.slice(0, 200)
      const described = { title, description: title }
      expect((await act(request, 'PUT', `/categories/${category.body.id}`, described)).status).toBe(200)
      for (const key of ['site_name', 'site_description', 'home_intro'])
        expect((await putSetting(request, { token: operator, key, value: title })).status()).toBe(200)
      for (const key of ['fanpage_link', 'android_auto', 'zalo_box_link_1'])
        await storeSetting(portal.dataDir, { key, value: `https://example.com/${vector}` })
      for (const path of ['/home', `/category/${category.body.id}`]) await open(page, path)
    }
    for (const path of ['/community', '/download']) await open(page, path)
    expect(effects).toEqual([])
  },
)

/** Puts hostile text in place of every text of an answer, as a game server or an old row might. */
function poison(value: unknown, next: () => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => poison(entry, next))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' && /name|description|counterparty|reason|reference|memo/.test(name)
        ? next()
        : poison(field, next),
    ]),
  )
}

test(
  'security row 26: hostile names of the game and bans run nothing',
  { tag: '@long' },
  async ({ page, consoleErrors }) => {
    test.setTimeout(120_000)
    consoleErrors.expect(/404/)
    const effects = await watch(page)
    let given = 0
    const next = () => usable[given++ % usable.length] as string
    await page.route(/\/api\/(exchange|groups|tournaments|user|recharge|auth\/verify)/, async (route) => {
      const answer = await route.fetch()
      const body = poison(await answer.json(), next) as Record<string, unknown>
      if (route.request().url().endsWith('/exchange')) {
        body.characters = usable.map((name, index) => ({
          id: String(index + 1),
          name,
          info: { head: 1, headName: null, classId: 1, className: 'Kiếm', level: 9 },
        }))
      }
      if (route.request().url().endsWith('/verify'))
        Object.assign(body, { ban_until: new Date(Date.now() + 3_600_000).toISOString(), ban_reason: next() })
      await route.fulfill({ response: answer, json: body })
    })
    await signIn(page, victim.token)
    const paths = ['/gift', '/ranking', '/tournaments', '/tournament/1', '/user/profile']
    const more = [...paths, '/user/transactions', '/recharge', '/home']
    for (const path of everyNth(more, 2)) await open(page, path)
    await open(page, '/exchange')
    // It is there to be read, as the text that it is.
    await expect(page.getByRole('main')).toContainText('<script>alert(1)</script>')
    expect(given).toBeGreaterThan(50)
    expect(effects).toEqual([])
  },
)
