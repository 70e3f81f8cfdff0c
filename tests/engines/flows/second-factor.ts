import { equal } from 'node:assert/strict'
import { registerPlayer } from '#tests/e2e/player/fixtures.ts'
import { appCode } from '#tests/support/players.ts'
import { act, type EngineBrowser } from '../browser.ts'
import { enter, savedFile, type World } from './world.ts'

/** A player turns the second factor on, saves the recovery codes, and signs in with it. */
export async function secondFactor(browser: EngineBrowser, world: World): Promise<void> {
  const { token, username, password } = await registerPlayer(world.request)
  const person = await enter(browser, world, { token, path: '/user/profile' })
  await person.press('main button', 'Bật xác thực hai lớp')
  // Hidden where a mouse is; the key follows from it.
  const uri = await act(browser, ({ until }) =>
    until(() => document.querySelector<HTMLAnchorElement>('dialog a[href^="otpauth:"]')?.href, 'the key'),
  )
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  await person.type('Mã 6 số', appCode(secret))
  await person.press('dialog button', 'Bật xác thực')
  await person.press('dialog button', 'Tải về')
  const codes = (await savedFile(browser, /^ma-khoi-phuc\.txt$/)).match(/\b[0-9a-z]{5}-[0-9a-z]{5}\b/gi)
  equal(codes?.length, 10)
  await person.press('dialog button', 'Tôi đã lưu mã')
  await person.reads('Còn 10 mã khôi phục.')

  const again = await enter(browser, world, { path: '/login' })
  await again.type('Tên đăng nhập', username)
  await again.type('Mật khẩu', password)
  await again.press('dialog button', 'Đăng nhập')
  await again.sees('dialog', 'Vui lòng nhập mã xác thực hai lớp')
  await again.type('Mã xác thực hai lớp', appCode(secret, 1))
  await again.press('dialog button', 'Đăng nhập')
  await again.sees('header', 'Số dư')
}
