import { act, type EngineBrowser, visit } from '../browser.ts'
import { enter, type World } from './world.ts'

const PASSWORD = 'matkhau-thu-7'
const digits = (count: number) =>
  String(Math.random())
    .slice(2, 2 + count)
    .padEnd(count, '0')

/** A visitor registers, proves the phone, recharges, activates and exchanges; the statement has it all. Ends on the statement. */
export async function mainLoop(browser: EngineBrowser, world: World): Promise<void> {
  const { url } = world
  const username = `thu${digits(12)}`
  const phone = `03${digits(8)}`
  const post = async (path: string, data: object): Promise<unknown> => {
    const token = await browser.run(`JSON.parse(localStorage.getItem('auth-react-v')).access_token`)
    const answer = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${String(token)}` },
      body: JSON.stringify(data),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  await enter(browser, world, { path: '/home' })
  await register(browser, { username, phone, password: PASSWORD })
  const code = await order(browser)
  await post('/sandbox/pay', { code })
  // By the stream: the page is not loaded anew.
  await act(browser, async ({ reads }) => {
    await reads('Nạp TCoin thành công')
    await reads('50,000')
  })
  await visit(browser, `${url}/user/profile`)
  await act(browser, ({ press }) => press('button', 'Xác thực số điện thoại'))
  const { reply } = (await post('/sandbox/sms', { phone, text: 'THN OTP' })) as { reply: string }
  await proveAndActivate(browser, { phone, code: /\d{6}/.exec(reply)?.[0] ?? '' })
  await visit(browser, `${url}/exchange`)
  await exchange(browser)
  await visit(browser, `${url}/user/transactions`)
  await act(browser, async ({ reads }) => {
    for (const text of ['Đổi lượng', 'Kích hoạt', 'Nạp TCoin', '−20,000']) await reads(text)
  })
}

const register = (browser: EngineBrowser, given: { username: string; phone: string; password: string }) =>
  act(
    browser,
    async ({ press, type, until }, { username, phone, password }) => {
      await press('header a', 'Đăng ký')
      await type('Tên đăng nhập', username)
      await type('Số điện thoại', phone)
      await type('Mật khẩu', password)
      await type('Nhập lại mật khẩu', password)
      await press('dialog button', 'Đăng ký')
      await until(() => document.querySelector('header')?.innerText.includes('Số dư'), 'the balance')
    },
    given,
  )

const order = async (browser: EngineBrowser): Promise<string> =>
  act(browser, async ({ press, until }) => {
    await press('a', 'Nạp TCoin')
    await until(() => location.pathname === '/recharge', 'the page of recharges')
    await press('label', 'Vietcombank')
    await press('button', '50,000')
    await press('button', 'Tạo mã QR')
    return until(() => /^\/recharge\/([A-Z0-9]+)$/.exec(location.pathname)?.[1], 'the order')
  })

const proveAndActivate = (browser: EngineBrowser, given: { phone: string; code: string }) =>
  act(
    browser,
    async ({ press, type, reads, until }, { phone, code }) => {
      await type('Số điện thoại', phone)
      await type('Mã OTP', code)
      await press('dialog button', 'Lưu số điện thoại')
      await reads('Thành công')
      await press('dialog button', 'Xác nhận')
      await until(() => !document.querySelector('dialog[open]'), 'the proof')
      await press('button', 'Kích hoạt')
      await press('dialog button', 'Kích hoạt')
      await reads('Thành công')
      await press('dialog button', 'Xác nhận')
      await until(() => !document.querySelector('dialog[open]'), 'the end of the dialog')
    },
    given,
  )

const exchange = (browser: EngineBrowser) =>
  act(browser, async ({ press, reads }) => {
    await press('label', 'Cấp')
    const offers = [...document.querySelectorAll('label')]
    offers.find(({ textContent }) => /(?:^|\D)20,000/.test(textContent))?.click()
    await press('form button, main button', 'Đổi lượng')
    await reads('Xác nhận đổi lượng')
    await press('dialog button', 'Đổi lượng')
    await reads('Thành công')
    await press('dialog button', 'Xác nhận')
    await reads('Đã giao')
  })
