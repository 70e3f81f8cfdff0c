import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { APIRequestContext, APIResponse } from '@playwright/test'
import type { Screen } from '#admin/screens.ts'
import { tournamentFields } from '#server/modules/tournaments/testing/referee.ts'
import { OPEN_TO_ALL } from '#server/modules/tournaments/testing/sign-up.ts'
import { promotionFields } from '#tests/support/promotions.ts'
import { appCode } from '#tests/support/players.ts'
import { arrive } from '../player/arriving-money.ts'
import { expect, registerPlayer, registerTrader, type Player } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { aStaffMember, type StaffMember } from '../player/staff.ts'
import { aParkedDelivery } from './parked-delivery.ts'

const DAY_MS = 86_400_000
const VIETNAM_MS = 7 * 3_600_000

type Caller = {
  get(path: string, filter?: object): Promise<{ id: string }[]>
  post(path: string, data: object): Promise<APIResponse>
}

export function callerOf(request: APIRequestContext, token: string): Caller {
  const headers = { authorization: `Bearer ${token}` }
  return {
    async get(path, filter = {}) {
      const params = { filter: JSON.stringify(filter) }
      const answer = await request.get(`/api${path}`, { headers, params })
      expect(answer.status(), await answer.text()).toBe(200)
      return (await answer.json()) as { id: string }[]
    },
    async post(path, data) {
      const answer = await request.post(`/api${path}`, { headers, data })
      expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
      return answer
    },
  }
}

const aReceipt = () =>
  sharp({ create: { width: 360, height: 640, channels: 3, background: '#2e7d32' } })
    .jpeg()
    .toBuffer()

/** Money without an order's code, a notification that came too late, a claim with its picture. */
async function missMoney(
  request: APIRequestContext,
  dataDir: string,
  player: Player,
): Promise<{ code: string; claim: string }> {
  const theirs = callerOf(request, player.token)
  const ordered = await theirs.post('/recharge/orders', { channel: 2, amount: 137_000 })
  const { code, account_number: account } = (await ordered.json()) as { code: string; account_number: string }
  const memo = `${player.username} nap tien vao game ninja`
  await arrive(request, dataDir, { id: 71_000_001, account, memo, amount: 137_000 })
  await arrive(request, dataDir, { id: 71_000_002, account, memo: 'chuyen tien', amount: 52_000 })
  await arrive(request, dataDir, { id: 71_000_003, account, memo: code, amount: 137_000, isLate: true })
  const claimed = await request.post('/api/recharge/claims', {
    headers: { authorization: `Bearer ${player.token}` },
    multipart: {
      amount: '137000',
      paid_at: new Date().toISOString(),
      note: 'Tôi chuyển từ ngân hàng MB lúc trưa, quên ghi mã.',
      picture: { name: 'bien-lai.jpg', mimeType: 'image/jpeg', buffer: await aReceipt() },
    },
  })
  expect(claimed.status(), await claimed.text()).toBe(201)
  const reported = await request.post('/api/cases', {
    headers: { authorization: `Bearer ${player.token}` },
    multipart: { about_kind: 'order', about_id: code, text: 'Tôi đã chuyển mà chưa thấy TCoin.' },
  })
  expect(reported.status(), await reported.text()).toBe(201)
  return { code, claim: ((await claimed.json()) as { id: string }).id }
}

/** An adjustment that waits for a second person; takes the app's next code. */
export async function proposeAdjustment(
  request: APIRequestContext,
  { token, secret }: StaffMember,
  userId: string,
): Promise<void> {
  const { post } = callerOf(request, token)
  await post('/operator/step-up', { otp: appCode(secret, 1) })
  const reason = 'Bù cho sự kiện bị gián đoạn'
  await post(`/operator/users/${userId}/adjustment`, { amount: 2_000_000, reason })
}

/** What another owner did: a note, a proposal, a run of the checks, a picture. */
async function workOf(request: APIRequestContext, staff: StaffMember, userId: string): Promise<void> {
  const theirs = callerOf(request, staff.token)
  await proposeAdjustment(request, staff, userId)
  const budget = await theirs.post('/operator/budgets', {
    title: 'Khuyến mãi tháng này',
    reason: 'Kế hoạch quý',
  })
  const { id: budgetId } = (await budget.json()) as { id: string }
  await theirs.post(`/operator/budgets/${budgetId}/fund`, { amount: 900_000, reason: 'Kế hoạch quý' })
  await theirs.post('/operator/promotions', {
    ...promotionFields({ title: 'Nạp cuối tuần', minimum: 50_000, cap_total: 900_000 }),
    budget_id: budgetId,
    reason: 'Kế hoạch quý',
  })
  await theirs.post('/operator/milestones', {
    title: 'Mốc nạp tháng này',
    starts_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + 2 * DAY_MS).toISOString(),
    claims_until: new Date(Date.now() + 3 * DAY_MS).toISOString(),
    steps: [
      { at: 100_000, goods: [{ kind: 'luong', quantity: 500 }] },
      {
        at: 500_000,
        goods: [
          { kind: 'luong', quantity: 3_000 },
          { kind: 'yen', quantity: 50_000 },
        ],
      },
    ],
    reason: 'Kế hoạch quý',
  })
  await theirs.post('/operator/answer-templates', {
    title: 'Chờ vào game',
    text: 'Món đã tới game, bạn hãy vào game bằng đúng nhân vật để nhận nhé.',
    reason: 'Câu hỏi hay gặp',
  })
  await theirs.post(`/operator/users/${userId}/notes`, { note: 'Đã gọi lại, hẹn trả lời trong ngày.' })
  await theirs.post('/operator/staff/invites', { role: 'referee', reason: 'Giải mùa đông' })
  await theirs.post('/operator/reconciliation', { reason: 'Đối soát đầu tuần' })
  const uploaded = await request.post('/api/operator/pictures', {
    headers: { authorization: `Bearer ${staff.token}` },
    multipart: {
      alt: 'Đèn lồng trong đêm hội',
      reason: 'Ảnh cho bài lễ hội',
      picture: { name: 'den-long.jpg', mimeType: 'image/jpeg', buffer: await aReceipt() },
    },
  })
  expect(uploaded.status(), await uploaded.text()).toBe(201)
}

/** A player with a deletion request. */
async function requestDeletion(request: APIRequestContext): Promise<void> {
  const player = await registerPlayer(request)
  const body = { current_password: player.password, given_up: 0 }
  await callerOf(request, player.token).post('/user/deletion-request', body)
}

/** Refunds at MoMo's gateway, which the demo has none of: one without an answer, one that is done. */
async function refundAtMomo(dataDir: string, transferId: string): Promise<void> {
  await withDatabase(
    (database) =>
      database.query(
        `INSERT INTO gateway_refund
           (bank_transaction_id, refund_order, amount, asked_by, reason, state, decided_at, provider_ref, next_query_at)
         SELECT $1, given.name, 52000, (SELECT min(id) FROM users), 'Khách chuyển nhầm', given.state,
           given.decided_at::timestamptz, given.reference, given.next::timestamptz
         FROM (VALUES ('HTCONSOLE0001', 'done', 'now', '4444', NULL),
           ('HTCONSOLE0002', 'asked', NULL, NULL, 'tomorrow')) AS given (name, state, decided_at, reference, next)`,
        [transferId],
      ),
    dataDir,
  )
}

/** Planned prices in each state; most of them take days to come about. */
async function planPrices(dataDir: string): Promise<void> {
  await withDatabase(
    (database) =>
      database.query(
        `INSERT INTO planned_price (setting, before, after, starts_at, ends_at, state, reason, planned_by, started_at, closed_at)
         SELECT 'exchange_bonus', '10', '20', now() + days * interval '1 day', now() + (days + 2) * interval '1 day', state,
           'Khuyến mãi cuối tuần', (SELECT min(id) FROM users),
           CASE WHEN has_come THEN now() + days * interval '1 day' END,
           CASE WHEN days < -1 THEN now() + (days + 2) * interval '1 day' END
         FROM (VALUES ('done', -30, true), ('not-returned', -20, true), ('not-applied', -10, false),
           ('cancelled', -5, false), ('active', -1, true), ('planned', 6, false)) AS plan (state, days, has_come)`,
      ),
    dataDir,
  )
}

/** Gift codes that run, and somebody who used one. */
async function redeemCodes(dataDir: string): Promise<void> {
  await withDatabase(
    (database) =>
      database.query(
        `WITH batch AS (
           INSERT INTO gift_code_batch (title, goods, starts_at, ends_at, codes, uses_per_code, per_player, state, uses,
               started_at, made_by)
             SELECT 'Mã Tết của hội', '[{"kind": "luong", "quantity": 500}]', now(), now() + interval '9 days', 1, 1000, 1,
                    'running', 1, now(), min(id) FROM users RETURNING id),
         code AS (
           INSERT INTO gift_code (hash, batch_id, uses_max, uses) SELECT sha256('console'), id, 1000, 1 FROM batch
             RETURNING id, batch_id),
         used AS (
           INSERT INTO gift_code_use (batch_id, code_id, user_id, number, per_player)
             SELECT batch_id, code.id, (SELECT min(id) FROM users), 1, 1 FROM code RETURNING id, user_id),
         given AS (
           INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods,
               state, settled_at)
             SELECT gen_random_uuid(), 'reward', id, 0, server_id, username_key, '1', 'kage',
                    '[{"kind": "luong", "quantity": 500}]', 'delivered', now()
               FROM users ORDER BY id LIMIT 1 RETURNING id, user_id)
         INSERT INTO reward (delivery_id, user_id, given_for)
           SELECT given.id, given.user_id, 'gift_code:' || used.id FROM given JOIN used USING (user_id)`,
      ),
    dataDir,
  )
}

/** An invitation that waits for an operator. */
async function inviteFriends(dataDir: string): Promise<void> {
  await withDatabase(
    (database) =>
      database.query(
        `INSERT INTO invitation_reward (invited_id, inviter_id, state, reasons)
         SELECT max(id), min(id), 'review', '{device,bank-account}' FROM users`,
      ),
    dataDir,
  )
}

/** What browsers of players reported, and what one release had too much of. */
async function breakPages(dataDir: string): Promise<void> {
  await withDatabase(
    (database) =>
      database.query(
        `INSERT INTO client_error (fingerprint, site, release, kind, message, place, is_new, times, pages, engines)
         VALUES (sha256('1'), 'player', 'BeSG5ZUg', 'part', 'TypeError: Cannot read properties of undefined (reading …)',
             E'src/web/features/ranking/ranking.page.tsx:88:12\\nnode_modules/react-dom/cjs/react-dom-client.production.js:4021:18',
             true, 37, '{/ranking}', '{"Chrome 109 (Android)": 25, "Safari 15 (iOS)": 12}'),
           (sha256('2'), 'console', 'BeSG5ZUg', 'code', 'TypeError: Failed to fetch dynamically imported module: users.page.js', '',
             true, 2, '{/users}', '{"Edge 128": 2}'),
           (sha256('3'), 'player', 'BeSG5ZUg', 'script', '', '', false, 1204, '{/home,/exchange}', '{"khác": 1204}')`,
      ),
    dataDir,
  )
}

/** What the portal could not do yet, and tries again in an hour. */
async function failAtWork(dataDir: string): Promise<void> {
  await withDatabase(
    (database) =>
      database.query(
        `INSERT INTO failed_work (job, subject, failures, error, retry_at)
         VALUES ('gateway refunds', '12', 31, 'canceling statement due to lock timeout', now() + interval '1 hour'),
           ('old notices', 'notice (0,1)', 2, 'permission denied for table notice', now() + interval '1 hour')`,
      ),
    dataDir,
  )
}

/** Compares yesterday with the bank, as the portal does each night. */
async function closeYesterday(dataDir: string): Promise<void> {
  const yesterday = new Date(Date.now() + VIETNAM_MS - DAY_MS).toISOString().slice(0, 10)
  await promisify(execFile)(process.execPath, ['src/server/cli/cli.ts', 'close', yesterday], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, DEMO: '1' },
  })
}

/** What a game that was set back does not know: found by a comparison, and not given again. */
async function loseGoods(dataDir: string): Promise<void> {
  await withDatabase(
    (database) =>
      database.query(
        `WITH compared AS (
           INSERT INTO game_comparison (started_by, since, until, reached_at, reached_id, asked, missing, state, finished_at)
           SELECT (SELECT min(id) FROM users), now() - interval '30 days', now(), created_at, id, 2, 2, 'done', now()
             FROM delivery ORDER BY created_at DESC LIMIT 1 RETURNING id)
         INSERT INTO missing_delivery (comparison_id, delivery_id, server_id, bought_at)
         SELECT compared.id, d.id, d.server_id, d.created_at
           FROM compared, (SELECT * FROM delivery ORDER BY created_at DESC LIMIT 2) d`,
      ),
    dataDir,
  )
}

/** Semi-finals: one is played, to the other its teams are called. */
async function aRunningTournament({ post, get }: Caller): Promise<string> {
  const id = await drawnTournament(post, { teams: ['Bạch Vân', 'Hắc Phong', 'Thanh Long', 'Xích Diễm'] })
  const read = async () =>
    (await get(`/operator/tournaments/${id}`)) as unknown as { matches: { id: string; updated_at: string }[] }
  const [one, two] = (await read()).matches as [Versioned, Versioned]
  const reason = 'Ghi tại bàn trọng tài'
  const at = ({ id: match }: Versioned, act: string) => `/operator/tournaments/${id}/matches/${match}/${act}`
  await post(at(one, 'result'), { games1: 3, games2: 1, absent: [], updated_at: one.updated_at, reason })
  await post(at(two, 'call'), { updated_at: two.updated_at, reason })
  return id
}

type Versioned = { id: string; updated_at: string }

/** A tournament whose bracket is public, by these teams of one. */
export async function drawnTournament(
  post: Caller['post'],
  { teams, ...change }: { teams: readonly string[]; mode?: number },
): Promise<string> {
  const reason = 'Giải tháng này'
  const fields = { name: 'Giải tối thứ bảy', ...OPEN_TO_ALL, max_round: 2, check_in_minutes: 0, reason }
  const made = await post('/operator/tournaments', tournamentFields({ ...fields, ...change }))
  const { id } = (await made.json()) as { id: string }
  const entered = await post(`/operator/tournaments/${id}/teams`, {
    teams: teams.map((name) => ({ name, members: [`${name} 1`] })),
    reason,
  })
  const { updated_at } = (await entered.json()) as Versioned
  await closeAndDraw(
    (path, body) => post(`/operator/tournaments/${id}${path}`, { ...body, reason }),
    updated_at,
  )
  return id
}

type Closed = Versioned & { draw_from: string }

/** The closed list is drawn by a number that comes with its round, at most a second later in a demo. */
export async function untilRound(request: APIRequestContext, id: string): Promise<void> {
  await expect(async () => {
    const { tournament } = await (await request.get(`/api/tournaments/brackets/${id}`)).json()
    expect(Date.parse(tournament.draw_from)).toBeLessThanOrEqual(Date.now())
  }).toPass()
}

/** Closes the list, waits for the random number of its round, at most a second in a demo, and draws. */
export async function closeAndDraw(
  act: (path: string, body: { updated_at: string }) => Promise<APIResponse>,
  updated_at: string,
): Promise<APIResponse> {
  const closed = (await (await act('/close', { updated_at })).json()) as Closed
  await setTimeout(Math.max(0, Date.parse(closed.draw_from) - Date.now()))
  return act('/draw', { updated_at: closed.updated_at })
}

export type ConsoleRows = {
  /** The signed-in operator: an owner, for whom a proposal waits. */
  viewer: StaffMember
  /** The last part of the address of a screen about one thing. */
  samples: Record<string, string>
}

/** Rows for every list of the console, made as they come about. */
export async function makeConsoleRows(request: APIRequestContext, dataDir: string): Promise<ConsoleRows> {
  const viewer = await aStaffMember(request, dataDir, 'owner')
  const colleague = await aStaffMember(request, dataDir, 'owner')
  const player = await registerTrader(request, 300_000)
  const { code, claim } = await missMoney(request, dataDir, player)
  const delivery = await aParkedDelivery(request, player, dataDir)
  await aParkedDelivery(request, player, dataDir)
  const { get } = callerOf(request, viewer.token)
  const [user] = await get('/operator/users', { q: player.username })
  await workOf(request, colleague, user?.id ?? '')
  await requestDeletion(request)
  await callerOf(request, viewer.token).post(`/operator/recharge-orders/${code}/notes`, {
    note: 'Khách báo đã chuyển từ ví của vợ, chờ ảnh biên lai.',
  })
  await closeYesterday(dataDir)
  const first = async (list: string, filter?: object) => (await get(`/operator/${list}`, filter))[0]?.id ?? ''
  const transfer = await first('bank-transfers', { state: 'review' })
  await refundAtMomo(dataDir, transfer)
  await planPrices(dataDir)
  await redeemCodes(dataDir)
  await inviteFriends(dataDir)
  await loseGoods(dataDir)
  await breakPages(dataDir)
  await failAtWork(dataDir)
  // The oldest one has all its rounds.
  const tournament = (await get('/operator/tournaments')).at(-1)?.id ?? ''
  return {
    viewer,
    samples: {
      '/users/:id': user?.id ?? '',
      '/recharge-orders/:code': code,
      '/bank-transfers/:id': transfer,
      '/payment-events/:id': await first('payment-events'),
      '/recharge-claims/:id': claim,
      '/cases/:id': await first('cases', { about_kind: 'order' }),
      '/client-errors/:id': await first('client-errors'),
      '/deletion-requests/:id': await first('deletion-requests'),
      '/deliveries/:id': delivery,
      '/ledger-transfers/:id': await first('ledger-transfers'),
      '/daily-closes/:id': await first('daily-closes'),
      '/settings/:section': 'money',
      '/campaign-reports/:kind/:id': `tournaments/${tournament}`,
      '/runbooks/:name': 'daily-close',
      '/legal/:kind': 'terms',
      '/tournaments/:id': tournament,
      '/tournaments/:id/desk': await aRunningTournament(callerOf(request, viewer.token)),
      '/posts/:id': await first('posts'),
    },
  }
}

/** A screen's address, about a thing that is there. */
export function addressOf({ path }: Screen, { samples }: ConsoleRows): string {
  if (!path.includes(':')) return path
  const sample = samples[path]
  if (!sample) throw new Error(`${path} needs a row in console-rows.ts`)
  return path.replace(/:\w+(?:\/:\w+)*/, sample)
}
