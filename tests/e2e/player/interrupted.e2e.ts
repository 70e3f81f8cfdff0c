import type { APIRequestContext, Page, Route } from '@playwright/test'
import { expect, registerTrader, signIn, test } from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const SAFE = 'Đơn của bạn an toàn'

type Purchase = {
  name: string
  path: string
  call: string
  end: RegExp
  list: string
  send: (page: Page) => Promise<void>
}

const choose = async (page: Page, option: RegExp) => {
  await page
    .getByRole('group', { name: /^Nhân vật/ })
    .getByRole('radio')
    .first()
    .check()
  await page.getByRole('radio', { name: option }).check()
}

const confirm = async (page: Page, act: string) => {
  await page.getByRole('main').getByRole('button', { name: act }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: act }).click()
}

const purchases: Purchase[] = [
  {
    name: 'an exchange',
    path: '/exchange',
    call: '**/api/exchange/store',
    end: /\/user\/deliveries\/[0-9a-f-]{36}$/,
    list: '/api/user/deliveries',
    async send(page) {
      await choose(page, /10,000/)
      await confirm(page, 'Đổi lượng')
    },
  },
  {
    name: 'a gift',
    path: '/gift',
    call: '**/api/user/buy-package',
    end: /\/user\/deliveries\/[0-9a-f-]{36}$/,
    list: '/api/user/deliveries',
    async send(page) {
      await choose(page, /Gói 9,999/)
      await confirm(page, 'Mua gói quà')
    },
  },
  {
    name: 'a recharge',
    path: '/recharge',
    call: '**/api/recharge/orders',
    end: /\/recharge\/TCX\w+$/,
    list: '/api/recharge/orders',
    async send(page) {
      await page.getByRole('radio', { name: /Vietcombank/ }).check()
      await page.getByRole('button', { name: '50,000', exact: true }).click()
      await page.getByRole('button', { name: 'Tạo mã QR' }).click()
    },
  },
]

/** The connection breaks at the first call, before or after the server has acted; the second one is held until it is let go. */
async function breakOnce(page: Page, call: string, cut: 'before' | 'after') {
  const keys: (string | undefined)[] = []
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(call, async (route: Route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length === 1) {
      if (cut === 'after') await route.fetch()
      return route.abort('connectionreset')
    }
    await held
    await route.continue().catch(() => null)
  })
  return { keys, letGo }
}

async function countOf(request: APIRequestContext, token: string, list: string): Promise<number> {
  const answer = await request.get(list, { headers: { authorization: `Bearer ${token}` } })
  const { payload } = (await answer.json()) as { payload: { pagination: { total: number } } }
  return payload.pagination.total
}

for (const { name, path, call, end, list, send } of purchases) {
  // The page of a gift and of a recharge does what that of an exchange does.
  const tag = name === 'an exchange' ? [] : '@long'
  for (const cut of ['before', 'after'] as const) {
    const title = `${name} is safe when the line broke ${cut} the act`
    test(title, { tag: cut === 'before' ? '@long' : tag }, async ({ page, request, consoleErrors }) => {
      consoleErrors.expect(/ERR_CONNECTION_RESET/)
      const { token } = await registerTrader(request, 50_000)
      const before = await countOf(request, token, list)
      await signIn(page, token)
      await page.goto(path)
      const { keys, letGo } = await breakOnce(page, call, cut)
      await send(page)
      await expect(page.getByText(SAFE)).toBeVisible()
      letGo()
      await expect(page).toHaveURL(end)
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      expect(keys.length).toBeGreaterThan(1)
      expect(new Set(keys).size).toBe(1)
      expect(await countOf(request, token, list)).toBe(before + 1)
    })
  }

  test(`${name} cut off by a reload is read again`, { tag }, async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/ERR_CONNECTION_RESET|ERR_FAILED/)
    const { token } = await registerTrader(request, 50_000)
    const before = await countOf(request, token, list)
    await signIn(page, token)
    await page.goto(path)
    const { keys, letGo } = await breakOnce(page, call, 'after')
    await send(page)
    await expect(page.getByText(SAFE)).toBeVisible()
    letGo()
    await page.reload()
    await expect(page).toHaveURL(end)
    expect(new Set(keys).size).toBe(1)
    expect(await countOf(request, token, list)).toBe(before + 1)
    expect(await page.evaluate(() => sessionStorage.getItem('open-attempt'))).toBeNull()
  })
}
