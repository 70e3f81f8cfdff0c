import { operators, type Probe, type Row } from './access-rows.ts'
import type { World } from './cast.ts'

const REFEREES = ['owner', 'referee'] as const

/** A tournament nobody has drawn yet, whose act is refused for its state: it is stale. */
const stale =
  (body: object = {}) =>
  ({ tournamentId }: World): Probe => ({
    path: { id: tournamentId, team_id: '999999999' },
    body: { updated_at: '2020-01-01T00:00:00.000Z', reason: 'Kiểm tra quyền', ...body },
  })
const fields = {
  name: 'Giải kiểm tra',
  registration_start_at: '2026-03-01T01:00:00Z',
  competition_start_at: '2026-03-10T12:30:00Z',
  mode: 1,
  fee: 0,
  type: 1,
  min_level: 1,
  max_level: 200,
  max_round: 2,
  allowed_classes: [1],
}

/** The rows of the table about the operators’ calls of tournaments. */
export const TOURNAMENT_ACCESS: Record<string, Row> = {
  'GET /api/operator/tournaments': operators(REFEREES, 200),
  'GET /api/operator/tournaments.csv': operators(REFEREES, 200),
  'POST /api/operator/tournaments': operators(REFEREES, 201, () => ({
    body: { ...fields, reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/tournaments/:id': operators(REFEREES, 200, stale()),
  'PUT /api/operator/tournaments/:id': operators(REFEREES, 409, stale(fields)),
  'POST /api/operator/tournaments/:id/cancel': operators(REFEREES, 409, stale()),
  'POST /api/operator/tournaments/:id/teams': operators(
    REFEREES,
    409,
    stale({ teams: [{ name: 'Mây', members: ['Mây'] }] }),
  ),
  'PUT /api/operator/tournaments/:id/teams/:team_id': operators(
    REFEREES,
    409,
    stale({ name: 'Mây', members: ['Mây'] }),
  ),
  'POST /api/operator/tournaments/:id/teams/:team_id/withdraw': operators(REFEREES, 409, stale()),
  'POST /api/operator/tournaments/:id/draw': operators(REFEREES, 409, stale()),
  'PUT /api/operator/tournaments/:id/results': operators(
    REFEREES,
    409,
    stale({
      results: [
        {
          match_id: '1',
          team1_win_count: 1,
          team2_win_count: 0,
          absent_side: null,
          updated_at: '2020-01-01T00:00:00.000Z',
        },
      ],
    }),
  ),
  'POST /api/operator/tournaments/:id/next-round': operators(REFEREES, 409, stale()),
  'POST /api/operator/tournaments/:id/finish': operators(REFEREES, 409, stale()),
}
