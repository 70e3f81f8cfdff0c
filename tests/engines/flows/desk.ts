import { callerOf, drawnTournament } from '#tests/e2e/admin/console-rows.ts'
import { type EngineBrowser, visit } from '../browser.ts'
import type { Person } from '../person.ts'
import { enterConsole, type World } from './world.ts'

const TEAMS = ['Bạch Vân', 'Hắc Phong', 'Thanh Long', 'Xích Diễm']

/** The left side wins a match by so many taps, each of which is shown. */
async function win(person: Person, title: string, games: number): Promise<void> {
  const card = `section[aria-label="${title}"]`
  for (let game = 1; game <= games; game += 1) {
    await person.press(`${card} button`, 'Thêm một ván thắng')
    // The last one ends the match.
    if (game < games) await person.sees(`${card} [role=group] output`, String(game))
  }
}

/** A referee runs a tournament of four teams from its desk to its end. */
export async function desk(browser: EngineBrowser, world: World): Promise<void> {
  const { person, staff } = await enterConsole(browser, world, 'referee')
  const id = await drawnTournament(callerOf(world.request, staff.token).post, { teams: TEAMS })
  await visit(browser, `${world.url}/admin/tournaments/${id}`)
  await person.press('main a', 'Bàn trọng tài')
  await person.press('section[aria-label="Trận 1"] button', 'Gọi trận')
  await person.sees('section[aria-label="Trận 1"] [role=timer]', 'Còn')
  await person.press('section[aria-label="Trận 1"] button', 'có mặt')
  await person.sees('section[aria-label="Trận 1"] button[aria-pressed=true]')
  await win(person, 'Trận 1', 3)
  await person.reads('Đã xong (1)')
  await win(person, 'Trận 2', 3)
  await person.press('main button', 'Mở tranh hạng ba')
  await win(person, 'Tranh hạng ba', 3)
  await person.press('main button', 'Mở chung kết')
  await win(person, 'Chung kết', 5)
  await person.press('main button', 'Kết thúc giải')
  await person.press('dialog button', 'Kết thúc giải')
  await person.reads('Vô địch: ')
}
