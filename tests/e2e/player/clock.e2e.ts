import { formatMoment } from '#contract/format.ts'
import { expect, order, signIn, test } from './fixtures.ts'
import { setDeviceClock, WRONG_CLOCKS } from './device-clock.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

for (const [zone, timezoneId] of [
  ['Los Angeles', 'America/Los_Angeles'],
  ['Auckland', 'Pacific/Auckland'],
] as const) {
  test.describe(`in ${zone}`, () => {
    test.use({ timezoneId })
    for (const { name, off_ms } of WRONG_CLOCKS) {
      const isUsual = name === (zone === 'Auckland' ? 'a day ahead' : 'an hour ahead')
      const tag = isUsual ? [] : '@long'
      test(
        `a phone that is ${name} counts down as the server does`,
        { tag },
        async ({ page, request, trader }) => {
          const { code } = await order(request, trader.token, { amount: 50_000 })
          await setDeviceClock(page, off_ms)
          await signIn(page, trader.token)
          await page.goto('/recharge')
          const pending = page.getByRole('listitem').filter({ hasText: code })
          await expect(pending).toContainText(/(30:00|29:[0-5]\d)/)
          await page.goto(`/recharge/${code}`)
          await expect(page.getByRole('timer')).toContainText(/(30:00|29:[0-5]\d)/)
          await expect(page.getByRole('heading', { name: 'Đang chờ bạn chuyển khoản' })).toBeVisible()

          const headers = { authorization: `Bearer ${trader.token}` }
          await request.post(`/api/recharge/orders/${code}/cancel`, { headers })
          const { data } = (await (await request.get('/api/user/transactions', { headers })).json()) as {
            data: { created_at: string }[]
          }
          await page.goto('/user/transactions')
          await expect(page.getByText(formatMoment(data[0]?.created_at ?? '')).first()).toBeVisible()
        },
      )
    }
  })
}
