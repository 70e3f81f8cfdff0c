import { FormFields } from '#tests/support/uploads.ts'
import { tournamentFields } from '#server/modules/tournaments/testing/referee.ts'
import {
  acts,
  EDITORS,
  nothingThere,
  operators,
  OWNER,
  REFEREES,
  type Probe,
  type Rows,
} from './access-rows.ts'
import type { World } from './cast.ts'

const LONG_AGO = '2020-01-01T00:00:00.000Z'

const post = { title: 'Bài thử', content: '<p>Thử.</p>' }
const somePost =
  (body?: object) =>
  async (world: World): Promise<Probe> => ({
    path: { id: await world.aPost(), revision: '1' },
    ...(body && { body }),
  })
const someCategory =
  (body?: object) =>
  async (world: World): Promise<Probe> => ({
    path: { id: await world.aCategory() },
    ...(body && { body }),
  })
const terms = (body?: object) => (): Probe => ({ path: { kind: 'terms' }, ...(body && { body }) })
const aPicture = (): Probe => ({
  body: new FormFields({ alt: 'Ảnh', reason: 'Kiểm tra quyền' }),
})

const tournament = tournamentFields()
const result = {
  match_id: '1',
  team1_win_count: 1,
  team2_win_count: 0,
  absent_side: null,
  updated_at: LONG_AGO,
}
const score = { games1: 1, games2: 0, absent: [] }
const team = { name: 'Mây', members: ['Mây'] }
/** Refused for what the operator has read, which is not the newest. */
const outdated =
  (body: object = {}) =>
  ({ tournamentId }: World): Probe => ({
    path: { id: tournamentId, team_id: '999999999', match: '999999999' },
    body: { updated_at: LONG_AGO, ...body },
  })

const rankingGroup = {
  name: 'Thử',
  description: '',
  source: 'recharge',
  board: null,
  value_name: 'TCoin',
  server_id: null,
  position: 9,
}

/** Operators' calls on posts, legal texts, tournaments and rankings. */
export const CONTENT_ACCESS: Rows = {
  'GET /api/operator/posts': operators(EDITORS, 200),
  'POST /api/operator/posts': acts(EDITORS, 201, () => ({ body: post })),
  'GET /api/operator/posts/:id': operators(EDITORS, 200, somePost()),
  'PUT /api/operator/posts/:id': acts(EDITORS, 200, somePost(post)),
  'DELETE /api/operator/posts/:id': acts(EDITORS, 200, somePost()),
  'GET /api/operator/posts.csv': operators(EDITORS, 200),
  'GET /api/operator/posts/:id/draft': operators(EDITORS, 200, somePost()),
  'PUT /api/operator/posts/:id/draft': acts(EDITORS, 409, somePost({ ...post, updated_at: LONG_AGO })),
  'DELETE /api/operator/posts/:id/draft': operators(EDITORS, 204, somePost()),
  'GET /api/operator/posts/:id/revisions': operators(EDITORS, 200, somePost()),
  'POST /api/operator/posts/:id/revisions/:revision/restore': acts(EDITORS, 200, somePost()),
  'GET /api/operator/posts/:id/preview': operators(EDITORS, 200, somePost()),
  'GET /api/operator/pictures': operators(EDITORS, 200),
  // Without its file.
  'POST /api/operator/pictures': operators(EDITORS, 422, aPicture),
  'DELETE /api/operator/pictures/:id': acts(EDITORS, 404, nothingThere),
  'GET /api/operator/categories': operators(EDITORS, 200),
  'POST /api/operator/categories': acts(EDITORS, 201, () => ({ body: { title: 'Thử' } })),
  'GET /api/operator/categories/:id': operators(EDITORS, 200, someCategory()),
  'PUT /api/operator/categories/:id': acts(EDITORS, 200, someCategory({ title: 'Đổi' })),
  'DELETE /api/operator/categories/:id': acts(EDITORS, 200, someCategory()),

  'GET /api/operator/legal': operators(OWNER, 200),
  'GET /api/operator/legal/:kind': operators(OWNER, 200, terms()),
  'GET /api/operator/legal/:kind/versions': operators(OWNER, 200, terms()),
  // Not the version in force.
  'POST /api/operator/legal/:kind/versions': acts(
    OWNER,
    409,
    terms({ content: '<p>Thử.</p>', version: 999 }),
  ),
  'PUT /api/operator/legal/:kind/draft': operators(
    OWNER,
    200,
    terms({ content: '<p>Thử.</p>', based_on: 1 }),
  ),
  'DELETE /api/operator/legal/:kind/draft': operators(OWNER, 204, terms()),

  'GET /api/operator/tournaments': operators(REFEREES, 200),
  'GET /api/operator/tournaments.csv': operators(REFEREES, 200),
  'POST /api/operator/tournaments': acts(REFEREES, 201, () => ({ body: tournament })),
  'GET /api/operator/tournaments/:id': operators(REFEREES, 200, outdated()),
  'PUT /api/operator/tournaments/:id': acts(REFEREES, 409, outdated(tournament)),
  'POST /api/operator/tournaments/:id/cancel': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/teams': acts(REFEREES, 409, outdated({ teams: [team] })),
  'PUT /api/operator/tournaments/:id/teams/:team_id': acts(REFEREES, 409, outdated(team)),
  'POST /api/operator/tournaments/:id/teams/:team_id/withdraw': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/draw': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/open': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/close': acts(REFEREES, 409, outdated()),
  'PUT /api/operator/tournaments/:id/seeds': acts(REFEREES, 409, outdated({ teams: [] })),
  'POST /api/operator/tournaments/:id/draw/next': acts(REFEREES, 409, outdated()),
  // Not drawn yet.
  'POST /api/operator/tournaments/:id/matches/:match/call': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/matches/:match/present': acts(
    REFEREES,
    409,
    outdated({ side: 1, is_present: true }),
  ),
  'POST /api/operator/tournaments/:id/matches/:match/result': acts(REFEREES, 409, outdated(score)),
  'POST /api/operator/tournaments/:id/matches/:match/correct': acts(
    REFEREES,
    409,
    outdated({ ...score, again: [] }),
  ),
  'POST /api/operator/tournaments/:id/undo': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/pause': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/resume': acts(REFEREES, 409, outdated()),
  'PUT /api/operator/tournaments/:id/results': acts(REFEREES, 409, outdated({ results: [result] })),
  'POST /api/operator/tournaments/:id/next-round': acts(REFEREES, 409, outdated()),
  'POST /api/operator/tournaments/:id/finish': acts(REFEREES, 409, outdated()),

  'GET /api/operator/groups': operators(EDITORS, 200),
  'POST /api/operator/groups': acts(EDITORS, 201, () => ({ body: rankingGroup })),
  'PUT /api/operator/groups/:id': acts(EDITORS, 404, () => ({
    ...nothingThere(),
    body: { ...rankingGroup, updated_at: LONG_AGO },
  })),
  'DELETE /api/operator/groups/:id': acts(EDITORS, 404, nothingThere),
}
