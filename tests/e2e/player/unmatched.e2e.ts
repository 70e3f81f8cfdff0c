import { expect, registerPlayer, signIn, test, order } from './fixtures.ts'
import { arrive } from './arriving-money.ts'
import { aProvedStaffMember } from './staff.ts'

const auth = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

test('money without a code is credited by the cashier', async ({ page, request, portal }) => {
  const { token, username } = await registerPlayer(request)
  await signIn(page, token)
  const made = await order(request, token, { amount: 130_000 })
  await page.goto(`/recharge/${made.code}`)
  await expect(page.getByRole('heading', { name: 'Đang chờ bạn chuyển khoản' })).toBeVisible()
  const id = 40_000_000 + (Date.now() % 10_000_000)
  const memo = `${username} nap tien`
  await arrive(request, portal.dataDir, { id, account: made.account_number, memo, amount: 130_000 })

  const { token: cashier } = await aProvedStaffMember(request, portal.dataDir, 'cashier')
  const filter = encodeURIComponent(JSON.stringify({ q: `FT${id}` }))
  const listed = await request.get(`/api/operator/bank-transfers?filter=${filter}`, auth(cashier))
  const [transfer] = (await listed.json()) as { id: string; state: string; reason: string }[]
  expect(transfer).toMatchObject({ state: 'review', reason: 'no-code' })
  const looked = await request.get(`/api/operator/bank-transfers/${transfer?.id}`, auth(cashier))
  const { suggestions } = (await looked.json()) as { suggestions: { order: { code: string } | null }[] }
  expect(suggestions.map((one) => one.order?.code)).toContain(made.code)
  await expect(page.getByRole('heading', { name: 'Đang chờ bạn chuyển khoản' })).toBeVisible()

  const matched = await request.post(`/api/operator/bank-transfers/${transfer?.id}/match`, {
    ...auth(cashier),
    data: { order_code: made.code, reason: 'Tên tài khoản trong nội dung' },
  })
  expect(matched.status(), await matched.text()).toBe(200)
  await expect(page.getByRole('heading', { name: 'Nạp TCoin thành công' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Số dư ví 130,000')
})
