import { PAYMENT_VENDORS } from '#server/modules/payment-providers/index.ts'
import { anEmail } from '#tests/support/mail.ts'
import { everyone, type Rows } from './access-rows.ts'
import type { World } from './cast.ts'

const ofTournament = ({ tournamentId }: World) => ({ path: { id: tournamentId } })

/** What needs no session: files, content, the ways into an account, notifications of other servers. */
export const PUBLIC_ACCESS: Rows = {
  'GET /healthz': everyone(200),
  'GET /readyz': everyone(200),
  'GET /robots.txt': everyone(200),
  'GET /sitemap.xml': everyone(200),
  'GET /feed.xml': everyone(200),
  'GET /share/:name.png': everyone(200, () => ({ path: { name: 'page-terms' } })),
  'GET /tournament/:id/calendar.ics': everyone(200, ofTournament),
  'GET /download/qr/:key.svg': everyone(404, () => ({ path: { key: 'khong-co' } })),
  'GET /api/openapi.json': everyone(200),
  'GET /api/docs': everyone(200),

  'GET /api/settings': everyone(200),
  'GET /api/servers': everyone(200),
  'GET /api/game-limits': everyone(200),
  'GET /uploads/:file': everyone(404, () => ({ path: { file: 'khong-co.webp' } })),
  'GET /api/posts': everyone(200),
  'GET /api/posts/:id': everyone(200, async (world) => ({ path: { id: await world.aPost() } })),
  'GET /api/categories': everyone(200),
  'GET /api/legal/:kind': everyone(200, () => ({ path: { kind: 'privacy' } })),
  'GET /api/categories/:id': everyone(200, async (world) => ({ path: { id: await world.aCategory() } })),
  'GET /api/tournaments': everyone(200),
  'GET /api/tournaments/brackets/:id': everyone(200, ofTournament),
  'GET /api/tournaments/characters/:name/results': everyone(200, () => ({ path: { name: 'TuanKiem' } })),
  'GET /api/tournaments/:id/teams': everyone(200, ofTournament),
  'GET /api/tournaments/:id/draw': everyone(200, ofTournament),
  'GET /api/tournaments/:id/events': everyone(200, ofTournament),
  'POST /api/client-errors': everyone(204, () => ({
    body: { site: 'player', release: '', page: '/home', message: 'Error', place: '', engine: 'Chrome/109' },
  })),
  'GET /api/exchange': everyone(200),
  'GET /api/milestones': everyone(200),

  'POST /api/auth/register': everyone(422, ({ player }) => ({
    body: { username: player.username, password: 'mat-khau-12', phone: '0901234567' },
  })),
  'POST /api/auth/login': everyone(422, ({ player }) => ({
    body: { username: player.username, password: 'khong-phai-no' },
  })),
  'POST /api/auth/verify': everyone(401, () => ({ body: { access_token: 'A'.repeat(43) } })),
  'POST /api/password/check-link': everyone(200, () => ({ body: { token: 'A'.repeat(43) } })),
  'POST /api/password/request': everyone(200, ({ player }) => ({
    body: { username: player.username, email: anEmail() },
  })),
  'POST /api/password/reset': everyone(422, () => ({
    body: { token: 'A'.repeat(43), password: 'mat-khau-12' },
  })),
  'POST /api/password/reset-via-phone': everyone(422, ({ player }) => ({
    body: { username: player.username, phone: '0901234567', password: 'mat-khau-12', code: '012345' },
  })),
  // The embedded game shows no sentences to players.
  'POST /api/password/request-game-code': everyone(409, ({ player }) => ({
    body: { username: player.username },
  })),
  'POST /api/password/reset-via-game': everyone(422, ({ player }) => ({
    body: { username: player.username, password: 'mat-khau-12', code: '012345' },
  })),
  'POST /api/help/send-otp': everyone(200, () => ({ body: { email: anEmail() } })),
  'POST /api/help/cases': everyone(422, () => ({
    body: { about_kind: 'account', text: 'Bị khóa', email: anEmail(), code: '012345' },
  })),
  'POST /api/help/cases/list': everyone(422, () => ({ body: { email: anEmail(), code: '012345' } })),
  'POST /api/help/cases/read': everyone(422, () => ({ body: { token: `1.${'A'.repeat(43)}` } })),
  'POST /api/help/cases/messages': everyone(422, () => ({
    body: { token: `1.${'A'.repeat(43)}`, text: 'Vẫn chưa được' },
  })),
  'POST /api/one-time-password/verify': everyone(422, () => ({
    body: { phone: '0901234567', code: '012345' },
  })),
  'POST /api/operator/session': everyone(422, ({ player }) => ({
    body: { username: player.username, password: 'khong-phai-no' },
  })),
  // Beyond its shape it calls the portal's own address, where this one does not listen.
  'POST /api/sandbox/sms': everyone(422, () => ({ body: { phone: 'khong-phai-so', text: 'XIN CHAO' } })),
  // The portal of this test has the embedded game, which signs nothing.
  'POST /api/game/logins': everyone(404, () => ({ body: {} })),
  'POST /api/sms/mo': everyone(401, () => ({ body: {} })),
  'GET /api/sms/mo/esms': everyone(401),
  'GET /api/sms/mo/1pay': everyone(401),
  ...Object.fromEntries(
    PAYMENT_VENDORS.map(({ name }) => [
      `POST /api/webhooks/${name}`,
      everyone(401, () => ({ body: { id: 1 } })),
    ]),
  ),
}
