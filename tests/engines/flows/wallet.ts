import { equal, match } from 'node:assert/strict'
import { openDatabase } from '#server/platform/db/database.ts'
import { openVault } from '#server/platform/db/vault.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { registerTrader, whoIs } from '#tests/e2e/player/fixtures.ts'
import { runningBatch } from '#tests/support/gift-codes.ts'
import { type EngineBrowser, visit } from '../browser.ts'
import { KEY } from '../person.ts'
import { enter, savedFile, type World } from './world.ts'

async function aGiftCode(dataDir: string): Promise<string> {
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  const db = openDatabase({ url: embedded.url, log: openLog('warn'), connectionsMax: 1 })
  try {
    const portal = { db, ownerUrl: embedded.url, deps: { vault: openVault(db) } }
    const { codes } = await runningBatch(portal, { coins: null })
    return codes[0] ?? ''
  } finally {
    await db.destroy()
    await embedded.stop()
  }
}

/** A gift code is taken and a starter gift bought, which both arrive in the game; the next visit begins at the wallet. */
export async function gifts(browser: EngineBrowser, world: World): Promise<void> {
  const { token } = await registerTrader(world.request, 30_000)
  const code = await aGiftCode(world.dataDir)
  const person = await enter(browser, world, { token, path: '/gift' })
  await person.type('Mã quà', code.toLowerCase())
  await person.choose('Nhân vật nhận quà', 'thu')
  await person.press('#gift-code button', 'Nhận quà')
  await person.sees('dialog', 'Bạn đã nhận 300 lượng')
  await person.keys(KEY.escape)
  await person.sees('#gift-code', 'Bạn đã nhận 300 lượng')

  await person.press('main label', 'Cấp')
  await person.press('main label span', 'Gói 19,999')
  await person.press('main button', 'Mua gói quà')
  await person.sees('dialog', '19,999,999 yên')
  await person.press('dialog button', 'Mua gói quà')
  await person.sees('dialog', 'Món đã vào game.')
  await person.press('dialog button', 'Xác nhận')
  await person.sees('main', 'Đã giao')
  await person.sees('header', '10,001')
}

/** TCoin is sent to another player; the statement has it, and so has its file. */
export async function transferAndStatement(browser: EngineBrowser, world: World): Promise<void> {
  const [payer, payee] = [await registerTrader(world.request, 60_000), await registerTrader(world.request, 0)]
  const person = await enter(browser, world, { token: payer.token, path: '/user/transfer' })
  await person.type('Tên đăng nhập người nhận', payee.username)
  await person.type('Số TCoin', '25000')
  // The field writes the number as it is typed.
  equal(await browser.run('document.activeElement.value'), '25,000')
  await person.keys(KEY.enter)
  await person.sees('dialog', payee.username)
  await person.press('dialog button', 'Chuyển TCoin')
  await person.sees('dialog', 'Thành công')
  await person.press('dialog button', 'Xác nhận')
  await person.reads(`Đã chuyển 25,000 TCoin cho ${payee.username}.`)
  await person.sees('header', '35,000')
  equal((await whoIs(world.request, payee.token)).balance, 25_000)

  await visit(browser, `${world.url}/user/transactions`)
  await person.sees('main', '−25,000')
  await person.press('main button', 'Tải tệp CSV')
  const file = await savedFile(browser, /^lich-su-giao-dich-\d{4}-\d\d-\d\d\.csv$/)
  const lines = file.trim().split('\r\n')
  match(file, /^\uFEFF/)
  match(lines[1] ?? '', new RegExp(`-25000.*${payee.username}|${payee.username}.*-25000`))
  match(file, /Phí kích hoạt tài khoản/)
  equal(lines.at(-1), `Hết tệp: ${lines.length - 2} dòng,,,,,,,`)
}
