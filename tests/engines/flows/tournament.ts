import { registerTrader } from '#tests/e2e/player/fixtures.ts'
import { openReferee } from '#tests/e2e/player/live-referee.ts'
import type { EngineBrowser } from '../browser.ts'
import { enter, expectSameDocument, markDocument, type World } from './world.ts'

/** A player enters a team, and follows the draw and a match without a reload; the browser itself checks the draw. */
export async function liveTournament(browser: EngineBrowser, world: World): Promise<void> {
  const referee = await openReferee(world.request, world.dataDir)
  const { token } = await registerTrader(world.request, 0)
  const person = await enter(browser, world, { token, path: `/tournament/${referee.id}` })
  await person.press('main label', 'Cấp')
  await person.press('main button', 'Đăng ký đội')
  await person.type('Tên đội', 'Độc Hành')
  await person.press('main button', 'Đăng ký đội')
  await person.reads('Đã vào giải')
  await markDocument(browser)
  await referee.addTeams('Rồng', 'Hổ', 'Rắn')
  await referee.draw()
  await person.reads('Đang đấu Bán kết')
  await referee.atMatch('call')
  await person.sees('[role=timer]', 'Còn')
  await referee.atMatch('result', { games1: 2, games2: 1, absent: [] })
  await person.sees('section', 'Trận đang gọi', 'Đang đấu')
  await referee.atMatch('result', { games1: 3, games2: 1, absent: [] })
  await person.reads('Thắng')
  await person.press('summary', 'Kiểm tra bốc thăm')
  await person.press('main button', 'Tính lại trên máy này')
  await person.reads('Khớp: danh sách, chữ ký')
  await expectSameDocument(browser)
}
