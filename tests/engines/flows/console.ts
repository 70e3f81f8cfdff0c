import { equal } from 'node:assert/strict'
import { arrive } from '#tests/e2e/player/arriving-money.ts'
import { withDatabase } from '#tests/e2e/player/portal-database.ts'
import { order, registerPlayer, whoIs } from '#tests/e2e/player/fixtures.ts'
import { appCode } from '#tests/support/players.ts'
import type { EngineBrowser } from '../browser.ts'
import { enterConsole, type World } from './world.ts'

const AMOUNT = 137_000
let lastTransfer = 80_000_000 + Math.floor(Math.random() * 9_000_000)

/** A cashier sees on the overview what waits, finds the money, and matches it with a reason and a proof. */
export async function inboxAndAct(browser: EngineBrowser, world: World): Promise<void> {
  const { request, dataDir } = world
  const player = await registerPlayer(request)
  const { code, account_number: account } = await order(request, player.token, { amount: AMOUNT })
  const memo = `${player.username} nap tien`
  // One that waits for too long, and one that comes while the overview is open.
  await arrive(request, dataDir, { id: (lastTransfer += 1), account, memo: 'chuyen tien', amount: 52_000 })
  await withDatabase(
    (database) => database.query(`UPDATE bank_transaction SET created_at = created_at - interval '2 hours'`),
    dataDir,
  )
  const { person, staff } = await enterConsole(browser, world, 'cashier')
  await person.sees('main a', 'Khoản chuyển chờ ghép')
  await arrive(request, dataDir, { id: (lastTransfer += 1), account, memo, amount: AMOUNT })
  await person.reads('Có khoản chuyển mới chờ kiểm tra')
  await person.press('main a', 'Khoản chuyển chờ ghép')
  await person.at('^/admin/bank-transfers$')
  await person.sees('main', memo)
  await person.press('[role=combobox]', 'Tìm người chơi')
  await person.keys(player.username)
  await person.press('[role=option]', player.username)
  await person.press('[aria-label="Tiền chưa ghép"] a', 'Xem và ghép')
  await person.press('main button', `Ghép với đơn ${code}`)
  await person.type('Lý do', 'Tên tài khoản trong nội dung')
  await person.press('dialog button[type=submit]', 'Ghép và cộng')
  await person.type('Mã xác thực hai lớp', appCode(staff.secret, 1))
  await person.press('dialog button', 'Xác nhận')
  await person.reads('Khoản này đã xử lý xong')
  equal((await whoIs(request, player.token)).balance, AMOUNT)
}
