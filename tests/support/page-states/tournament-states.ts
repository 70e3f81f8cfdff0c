import type { Page } from '@playwright/test'
import type { OwnTeam, TeamInvitation } from '#contract/tournament-teams.ts'
import { answering, main, type PageState, statesAt } from './page-state.ts'

const NAME = 'Song Đấu Trăng Rằm'

async function open(page: Page): Promise<void> {
  // Before the scripts run, a link would bring a whole document along with its data.
  await page.waitForLoadState('networkidle')
  await main(page).getByRole('link', { name: NAME }).click()
  await page.waitForURL(/\/tournament\/\d+$/)
}

const press = (name: string) => async (page: Page) => {
  await open(page)
  await main(page).getByRole('button', { name }).click()
}

const team: OwnTeam = {
  id: '900',
  name: 'Trúc Lâm Song Kiếm',
  state: 'held',
  position: null,
  held_until: '2027-02-01T12:00:00.000Z',
  checked_in_at: null,
  withdrawn_for: null,
  is_captain: true,
  fee: 100,
  members: [
    {
      username: 'hoangtuan',
      character_name: 'TuanKiem',
      state: 'accepted',
      is_captain: true,
      is_substitute: false,
    },
    { username: 'thuylinh', character_name: null, state: 'invited', is_captain: false, is_substitute: false },
  ],
  charges: [{ username: 'hoangtuan', luong: 100, state: 'refused', reason: 'insufficient' }],
}

const invitation: TeamInvitation = {
  tournament_id: '2',
  tournament_name: NAME,
  team_id: '901',
  team_name: 'Gió Bấc',
  invited_by: 'GioBac',
  until: '2027-02-01T12:00:00.000Z',
}

const mine = (answer: OwnTeam | null) => answering('**/api/tournaments/*/mine', 200, answer as object)

/** The own team of a player, and the invitations to others. */
export const tournamentStates: PageState[] = [
  ...statesAt({ route: '/tournament/:id', path: '/tournaments', player: 'hoangtuan' })({
    'tournament-sign-up': { prepare: open, sees: 'Đăng ký đội' },
    'tournament-team': { arrange: mine(team), prepare: open, sees: 'nhân vật không đủ lượng' },
    'tournament-team-edit': { arrange: mine(team), prepare: press('Sửa đội'), sees: 'Tên đội' },
    'tournament-leave': {
      arrange: mine(team),
      prepare: press('Rút đội khỏi giải'),
      sees: 'Chỗ của đội được nhường cho đội khác',
    },
    'tournament-waiting': {
      arrange: mine({ ...team, state: 'waiting', position: 3, held_until: null, charges: [] }),
      prepare: open,
      sees: 'Đội đứng thứ 3 trong danh sách chờ',
    },
    'tournament-put-out': {
      arrange: mine({ ...team, state: 'withdrawn', withdrawn_for: 'expired', held_until: null }),
      prepare: open,
      sees: 'Đội chưa đủ người hoặc chưa đóng lệ phí',
    },
    'tournament-invited': {
      arrange: answering('**/api/tournaments/invitations', 200, [invitation]),
      prepare: open,
      sees: 'Nhận lời',
    },
  }),
  ...statesAt({ route: '/user/profile', player: 'hoangtuan' })({
    'profile-invited': {
      arrange: answering('**/api/tournaments/invitations', 200, [invitation]),
      sees: 'Trả lời ở trang giải',
    },
  }),
  ...statesAt({ route: '/tournaments', player: 'hoangtuan' })({
    'tournaments-invited': {
      arrange: answering('**/api/tournaments/invitations', 200, [invitation]),
      sees: 'Trả lời ở trang giải',
    },
  }),
  ...statesAt({ route: '/tournament/:id/overlay' })({
    'overlay-bracket': { path: '/tournament/4/overlay', sees: 'Tứ kết' },
    'overlay-match': { path: '/tournament/4/overlay?layout=match', sees: 'Tứ kết' },
    'overlay-ticker': { path: '/tournament/4/overlay?layout=ticker', sees: 'Tứ kết' },
  }),
]
