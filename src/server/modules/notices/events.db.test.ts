import { beforeAll, describe, expect } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { dropSecondFactor } from '#server/modules/second-factor/index.ts'
import { aNotification, anOrder, aTransfer, deliver, openAccounts } from '#tests/support/bank.ts'
import { testWith, useMailingApp, useOperators } from '#tests/support/fixtures.ts'
import { aPhone, anEmail, linkFor, proveEmail, provePhone } from '#tests/support/mail.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { activatePlayer, aPlayer, send, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { aBuyer, workOnce } from '#tests/support/purchases.ts'
import { aClaim } from '#tests/support/uploads.ts'

const { portal, server } = useMailingApp()
const test = testWith(portal)
const { cashier, owner } = useOperators(portal, { cashier: 'cashier', owner: 'owner' })
beforeAll(async () => {
  await openAccounts(portal)
})

const reason = 'Khách gửi ảnh chụp biên lai'
const act = async (path: string, body: object, by = cashier) => {
  const answer = await portal.call('POST', `/api/operator${path}`, {
    token: by.token,
    body: { reason, ...body },
  })
  expect([answer.status, answer.body]).toMatchObject([200, {}])
}

/** What the player reads, the newest first. */
const read = async (player: TestPlayer) =>
  (await noticesOf(portal, player)).map(({ title, text, href }: Notice) => [title, text, href])

describe('money', () => {
  test('that is credited is told once, however often the bank reports it', async ({ player }) => {
    const { code } = await anOrder(portal, player)
    const notification = aNotification({ content: code })
    await Promise.all([deliver(portal, notification), deliver(portal, notification)])
    await deliver(portal, notification)
    expect(await read(player)).toEqual([
      ['Đã cộng 50,000 TCoin', `Đơn nạp ${code} đã được thanh toán.`, `/recharge/${code}`],
    ])
  })

  test('that pays a debt is told with what it paid', async ({ player }) => {
    const id = await aTransfer(portal)
    await act(`/bank-transfers/${id}/credit`, { user_id: player.id })
    await activatePlayer(portal, player)
    const friend = await aPlayer(portal)
    await send(portal, player, { payee: friend.username, amount: 50_000 })
    await act(`/bank-transfers/${id}/reverse-credit`, {}, owner)
    expect((await read(player))[0]?.[1]).toContain('Bạn còn nợ 50,000 TCoin.')
    const { code } = await anOrder(portal, player, { amount: 20_000 })
    await deliver(portal, aNotification({ content: code, transferAmount: 20_000 }))
    expect((await read(player))[0]).toEqual([
      'Đã cộng 20,000 TCoin',
      `Đơn nạp ${code} đã được thanh toán. 20,000 TCoin trong đó đã trả nợ.`,
      `/recharge/${code}`,
    ])
  })

  test('that was credited to a wrong player is told to both, each time', async ({ player }) => {
    const wrong = await aPlayer(portal)
    const id = await aTransfer(portal)
    await act(`/bank-transfers/${id}/credit`, { user_id: wrong.id })
    await act(`/bank-transfers/${id}/reverse-credit`, {}, owner)
    expect((await read(wrong))[0]).toEqual([
      'Đã thu hồi 50,000 TCoin',
      'Khoản này đã được cộng nhầm vào ví của bạn.',
      '/user/transactions',
    ])
    await act(`/bank-transfers/${id}/credit`, { user_id: player.id })
    await act(`/bank-transfers/${id}/reverse-credit`, {}, owner)
    await act(`/bank-transfers/${id}/credit`, { user_id: player.id })
    expect((await read(player)).map(([title]) => title)).toEqual([
      'Đã cộng 50,000 TCoin',
      'Đã thu hồi 50,000 TCoin',
      'Đã cộng 50,000 TCoin',
    ])
  })

  test('that is missing is claimed, and the answer is told once', async ({ player }) => {
    const claim = await aClaim(portal, player)
    const answer = { outcome: 'rejected', message: 'Chưa thấy khoản này.' }
    await act(`/recharge-claims/${claim}/answer`, answer)
    await act(`/recharge-claims/${claim}/answer`, answer)
    expect(await read(player)).toEqual([
      [
        'Yêu cầu kiểm tra đã có câu trả lời',
        'Khoản chuyển 50,000 VND: không được chấp nhận. Mở để đọc câu trả lời.',
        expect.stringMatching(/^\/user\/help\/\d+$/),
      ],
    ])
  })
})

describe('goods', () => {
  test('that reach the character are told', async () => {
    const { player, id } = await aBuyer(portal)
    await workOnce(portal.deps)
    expect(await read(player)).toEqual([
      [
        'Món đã vào nhân vật',
        expect.stringMatching(/^3,300 lượng đã vào nhân vật .+\.$/),
        `/user/deliveries/${id}`,
      ],
    ])
  })

  test('that the game refuses are told with the reason and the TCoin', async () => {
    const { player } = await aBuyer(portal)
    const refusing = {
      ...portal.deps.game,
      deliver: async () => ({ kind: 'refused', reason: 'no-such-character' }) as const,
    }
    await workOnce({ ...portal.deps, game: refusing })
    expect(await read(player)).toEqual([
      ['Đã hoàn 10,000 TCoin', expect.stringMatching(/không vào được game\. Lý do: ./), expect.any(String)],
    ])
  })
})

describe('security', () => {
  const titles = async (player: TestPlayer) => (await read(player)).map(([title]) => title)

  test('a sign-in on a new device is told, one on a known device is not', async ({ player }) => {
    const login = (agent: string) =>
      portal.call('POST', '/api/auth/login', {
        body: { username: player.username, password: player.password },
        headers: { 'user-agent': agent },
      })
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    await login(firefox)
    await login(firefox)
    const [notice, ...others] = await read(player)
    expect(notice).toEqual([
      'Đăng nhập trên thiết bị mới',
      expect.stringMatching(/^Thiết bị: .*Firefox.*\. Nơi: .+\. Nếu không phải bạn/),
      '/user/sign-ins',
    ])
    expect(others).toEqual([])
  })

  test('a changed and a reset password are told', async ({ player }) => {
    await portal.call('POST', '/api/user/change-password', {
      token: player.token,
      body: { current_password: player.password, password: 'mat-khau-moi-12' },
    })
    expect(await titles(player)).toEqual(['Mật khẩu đã được thay đổi'])
    const email = anEmail()
    await proveEmail(portal, server, { player, email })
    const token = await linkFor(portal, server, { username: player.username, email })
    const reset = await portal.call('POST', '/api/password/reset', {
      body: { token, password: 'mat-khau-khac-12' },
    })
    expect(reset.status).toBe(200)
    const { access_token } = reset.body
    expect(await titles({ ...player, token: access_token })).toContain('Mật khẩu đã được đặt lại')
  })

  test('a changed address and phone are told, also to who loses the phone', async ({ player }) => {
    await proveEmail(portal, server, { player, email: anEmail() })
    const phone = aPhone()
    const holder = await aPlayer(portal, { phone })
    await provePhone(portal, { player, phone })
    expect(await titles(player)).toEqual(['Số điện thoại đã được cập nhật', 'Email đã được thay đổi'])
    expect(await titles(holder)).toEqual(['Tài khoản cần một số điện thoại khác'])
  })

  test('a second factor that is turned on and taken away is told', async ({ player }) => {
    await turnOnSecondFactor(portal, player.token)
    const deps = { ...portal.deps, endConsoleSessionsOf: async () => {} }
    await dropSecondFactor(deps, player.id)
    await dropSecondFactor(deps, player.id)
    expect(await titles(player)).toEqual(['Xác thực hai lớp đã bị tắt', 'Xác thực hai lớp đã được bật'])
  })
})
