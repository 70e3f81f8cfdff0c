import type { Page } from '@playwright/test'
import type { OwnTeam, TeamInvitation } from '#contract/tournament-teams.ts'
import type { Tournament, TournamentResult } from '#contract/tournaments.ts'
import { answering, changing, main, type PageState, statesAt } from './page-state.ts'

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
  moves_up: null,
  check_in: null,
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

const results: TournamentResult[] = (['champion', 'fourth', 'next'] as const).map((standing, index) => ({
  tournament_id: String(index + 1),
  tournament_name: ['Võ Đài Mùa Thu', NAME, 'Tứ Đại Môn Phái tranh ngôi đầu bảng'][index] ?? '',
  type: index + 1,
  competition_start_at: `2026-0${9 - index}-12T12:00:00.000Z`,
  team_id: String(900 + index),
  team_name: 'Trúc Lâm Song Kiếm',
  character_name: 'TuanKiem',
  server_name: index === 2 ? null : 'Trúc Lâm',
  standing,
  round: 4 - index,
  max_round: 3,
  won: 3 - index,
  lost: index === 1 ? 1 : 0,
}))

const page = (data: TournamentResult[]) => ({
  data,
  payload: { pagination: { page: 1, items_per_page: 20, total: data.length, last_page: 1 } },
})

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
    'tournament-list-being-closed': {
      arrange: changing<{ tournament: Tournament }>('**/api/tournaments/brackets/*', (answer) => ({
        ...answer,
        tournament: { ...answer.tournament, closed_at: '2026-01-01T12:00:00.000Z' },
      })),
      prepare: open,
      sees: 'danh sách đội đang được chốt',
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
  ...statesAt({ route: '/tournaments/results', player: 'hoangtuan' })({
    'results-own': {
      arrange: answering(/\/api\/tournaments\/results/, 200, page(results)),
      sees: 'Thắng 3 trận, thua 0 trận',
    },
    'results-own-none': {
      arrange: answering(/\/api\/tournaments\/results/, 200, page([])),
      sees: 'Bạn chưa thi đấu ở giải nào',
    },
  }),
  ...statesAt({ route: '/tournaments/results' })({
    'results-visitor': { sees: 'Đăng nhập để xem kết quả của bạn' },
    'results-character': {
      path: '/tournaments/results?name=TuanKiem',
      arrange: answering(/\/characters\/TuanKiem\/results/, 200, page(results)),
      sees: 'Kết quả thi đấu của TuanKiem',
    },
    'results-nobody': { path: '/tournaments/results?name=Khong%20Ai', sees: 'Chưa có giải nào' },
  }),
  ...statesAt({ route: '/tournament/:id/overlay' })({
    'overlay-bracket': { path: '/tournament/4/overlay', sees: 'Tứ kết' },
    'overlay-match': { path: '/tournament/4/overlay?layout=match', sees: 'Tứ kết' },
    'overlay-ticker': { path: '/tournament/4/overlay?layout=ticker', sees: 'Tứ kết' },
  }),
]
