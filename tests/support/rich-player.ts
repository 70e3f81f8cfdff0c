import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { canonicalPhone } from '#contract/fields.ts'
import { importGroups } from '#server/modules/ranking/index.ts'
import { makeCode, VISITOR } from '#server/modules/otp/index.ts'
import { refreshRankings } from '#server/modules/ranking/refresh.service.ts'
import { inDays, openReferee, type Referee } from '#server/modules/tournaments/testing/referee.ts'
import { type Entrant, OPEN_TO_ALL, signUp, takeFees } from '#server/modules/tournaments/testing/sign-up.ts'
import { remindOfCheckIn } from '#server/modules/tournaments/notices/reminders.service.ts'
import { findTrader } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestAnswer, TestApp, TestCall } from '#tests/support/app.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { sendCase } from '#tests/support/cases.ts'
import type { Dump } from '#tests/support/databases.ts'
import { aReceipt, sendClaim } from '#tests/support/uploads.ts'
import { buyLuongFor, charactersOf, workOnce } from '#tests/support/purchases.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { browserKeys } from '#tests/support/push-service.ts'
import { provePhone, giveVerifiedEmail } from '#tests/support/mail.ts'
import { receiveCode } from '#tests/support/phones.ts'
import { runningBatch } from '#tests/support/gift-codes.ts'
import { runningPromotion, stopPromotions } from '#tests/support/promotions.ts'
import { openCheckIn, runningMilestones, stopMilestones } from '#tests/support/rewards.ts'
import { aPlayer, creditPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'

/** Others of whom everything stays: who the player deals with. */
export type Company = {
  owner: TestOperator
  friend: TestPlayer
  referee: Referee
  tournamentId: string
  /** The friend's team of a tournament of groups. */
  group: { id: string; team: string }
}

export async function openCompany(portal: TestApp): Promise<Company> {
  await openAccounts(portal)
  const owner = await anOperator(portal, 'owner')
  const friend = await aPlayer(portal, { coins: 50_000, isActivated: true })
  await portal.call('GET', '/api/exchange', { token: friend.token })
  await inTransaction(portal.db, (tx) =>
    importGroups(tx, [
      { name: 'Cao thủ', description: '', value_name: 'Cấp', source: 'game', board: 'level' },
    ]),
  )
  await refreshRankings(portal.deps, { ageSeconds: 0 })
  await daysPass(portal, 1)
  const referee = await openReferee(portal)
  const tournamentId = await referee.aTournament({ type: 1, max_round: 4 })
  const id = await referee.aTournament({ ...OPEN_TO_ALL, type: 2, check_in_minutes: 0 })
  const [character = ''] = await charactersOf(portal, friend)
  const { body } = await signUp(portal, id, { player: friend, character }, { name: 'Hội bạn' })
  return { owner, friend, referee, tournamentId, group: { id, team: body.id } }
}

/** What names the player; each of it is searched for in the whole database. */
export const NAMES = {
  username: 'NgocThuy1988',
  email: 'ngocthuy1988@thu.test',
  phone: '0912345678',
  userAgent: 'NgocThuyPhone/9.9 (Android 14)',
  address: '203.0.113.77',
  nickname: 'Cá Mập Ngọc Thủy',
  bankName: 'TRAN THI NGOC THUY',
  reference: 'FTNGOCTHUY',
  words: 'Chị Ngọc Thủy ở Huế',
}

/** Where a dump names the player, as text or as bytes. */
export function mentionsOf({ characters }: Pick<RichPlayer, 'characters'>, read: Dump): string[] {
  const names = [...Object.values(NAMES), '84912345678', '912345678', ...characters]
  const forms = names.map((name) => [name.toLowerCase(), Buffer.from(name).toString('hex')] as const)
  return [...read].flatMap(([table, { texts }]) =>
    texts.flatMap((text) =>
      forms
        .filter((shapes) => shapes.some((shape) => text.toLowerCase().includes(shape)))
        .map(([name]) => `${table}: ${name} in ${text}`),
    ),
  )
}

/** Nobody else's: the hash of the same password is remembered in these tests, and has to leave the database with its player. */
const PASSWORD = 'mat-khau-rieng-12'

/** `secret` is of the second factor; its present code is used up. */
export type RichPlayer = TestPlayer & { characters: string[]; secret: string }

/** A player who has done everything once, by the calls of the site and of the console. */
export async function aRichPlayer(portal: TestApp, company: Company): Promise<RichPlayer> {
  const { username } = NAMES
  const call: Call = async (path, how) => {
    const answer = await portal.call('POST', path, {
      from: NAMES.address,
      ...how,
      headers: { 'user-agent': NAMES.userAgent },
    })
    invariant(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const logIn = async (otp?: string) =>
    (await call('/api/auth/login', { body: { username, password: PASSWORD, otp } })).body.access_token
  const { email, phone } = NAMES
  const registration = { username, password: PASSWORD, phone, email, server_id: '1' }
  const registered = await call('/api/auth/register', {
    body: { ...registration, referral_id: company.friend.username },
  })
  const first = registered.body.access_token as string
  const { id } = (await call('/api/auth/verify', { body: { access_token: first } })).body
  const trader = await findTrader(portal.db, id)
  invariant(trader, 'a registered player has a wallet')
  const asOwner = (act: string, body: object, key?: string) =>
    call(`/api/operator/users/${id}/${act}`, {
      token: company.owner.token,
      body,
      ...(key === undefined ? {} : { key }),
    })
  await bannedFor(asOwner, 'sign-in', 1_500)
  await sleep(1_600)
  const player: TestPlayer = {
    id,
    username,
    password: PASSWORD,
    token: await logIn(),
    address: NAMES.address,
    walletId: trader.walletId,
  }
  await portal.call('POST', '/api/auth/login', { body: { username, password: 'sai-mat-khau-12' } })
  const { token } = player
  await receiveCode(portal, phone)
  await provePhone(portal, { player, phone: '84912345678' })
  await call('/api/email/send-otp', { token, body: { email } })
  await creditPlayer(portal, player, 60_000)
  await call('/api/user/active', { token, key: randomUUID() })
  const characters = await spend(portal, company, { player, call })
  await paid(portal, company, { player, call })
  await rewarded(portal, { player, call })
  await orderedLuong(portal, { player, call })
  await asOwner('notes', { note: NAMES.words, reason: 'Ghi chú' }, randomUUID())
  await giveVerifiedEmail(portal, id, email)
  await cameOver(portal, id)
  // Of the time when they were an operator.
  const taken_at = new Date(Date.now() - 30 * 86_400_000)
  await portal.db
    .insertInto('former_role')
    .values({ user_id: id, role: 'cashier', granted_at: taken_at, granted_by: company.owner.id, taken_at })
    .execute()
  const query = JSON.stringify({ sort: '["id","ASC"]', filter: '{}' })
  await portal.db
    .insertInto('saved_filter')
    .values({ user_id: id, list: 'posts', name: 'Bài cũ', query })
    .execute()
  await portal.call('PUT', '/api/notices/preferences', {
    token,
    body: { claim: { bell: false }, digest: true },
  })
  await call('/api/push/subscriptions', {
    token,
    body: {
      endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/1',
      keys: browserKeys(),
    },
  })
  await call('/api/operator/saved-filters', {
    token: company.owner.token,
    body: {
      list: 'users',
      name: 'Khách cần gọi lại',
      query: { sort: '["created_at","DESC"]', filter: JSON.stringify({ q: username }) },
    },
  })
  await asOwner('send-reset', { reason: 'Quên mật khẩu' }, randomUUID())
  await asOwner('reveal-contact', { reason: 'Gọi lại' })
  await call('/api/password/request', { body: { username, email } })
  await bannedFor(asOwner, 'trading', 3_600_000)
  await portal.call(
    'GET',
    `/api/operator/recharge-orders.csv?filter=${encodeURIComponent(JSON.stringify({ user: username }))}`,
    {
      token: company.owner.token,
    },
  )
  const { secret } = await requestedAndRefused(portal, company, { player, call })
  return { ...player, characters, secret }
}

/** As an account that was imported. */
async function cameOver(portal: TestApp, userId: string): Promise<void> {
  await portal.db
    .insertInto('imported_account')
    .values({ source: 'player', game_key: '7', user_id: userId })
    .execute()
  await portal.db
    .insertInto('contact_hint')
    .values({ user_id: userId, phone: canonicalPhone(NAMES.phone), email: NAMES.email })
    .execute()
}

/** A request to be erased that was refused, and the second factor. */
async function requestedAndRefused(portal: TestApp, { owner }: Company, { player, call }: Made) {
  const { token, password } = player
  const { body } = await call('/api/user/deletion-request', {
    token,
    body: { current_password: password, given_up: 1_000_000 },
  })
  await call(`/api/operator/deletion-requests/${body.id}/refuse`, {
    token: owner.token,
    key: randomUUID(),
    body: { message: `${NAMES.words} đợi giải đấu xong`, reason: 'Đang có giải đấu' },
  })
  return turnOnSecondFactor(portal, token)
}

type Call = (path: string, how: TestCall) => Promise<TestAnswer>
type Made = { player: TestPlayer; call: Call }
type Act = (act: string, body: object) => Promise<TestAnswer>

const bannedFor = (act: Act, scope: string, ms: number) =>
  act('ban', { scope, until: new Date(Date.now() + ms).toISOString(), reason: 'Đăng quảng cáo' })

/** Transfers both ways, a delivered purchase, a place in the ranking, and teams. */
async function spend(portal: TestApp, company: Company, { player, call }: Made): Promise<string[]> {
  const { friend, referee, tournamentId } = company
  const { token, username, id } = player
  const transfer = (from: string, to: string) =>
    call('/api/user/transfer', { token: from, body: { payee: to, amount: 1_000 }, key: randomUUID() })
  await transfer(token, friend.username)
  await transfer(friend.token, username.toLowerCase())
  const { body } = await portal.call('GET', '/api/exchange', { token })
  const [character] = body.characters
  await buyLuongFor(portal, { player, character: character.id, key: randomUUID() })
  invariant((await workOnce(portal.deps)) === 1, 'the purchase is delivered')
  await portal.db
    .updateTable('game.characters')
    .set({ level: 200 })
    .where('account', '=', username.toLowerCase())
    .execute()
  const { codes } = await runningBatch(portal, { coins: 1 })
  const redeemed = await call('/api/gift-codes/redeem', { token, body: { code: codes[0] } })
  invariant(redeemed.status === 200, 'a gift code is redeemed')
  await ranked(portal, token)
  const team = await referee.addTeams(tournamentId, [{ name: character.name, members: [character.name] }])
  invariant(team.status === 200, `a team is added: ${JSON.stringify(team.body)}`)
  await play(portal, company, { player, character: character.id })
  const known = await portal.db
    .selectFrom('game_character')
    .select('name')
    .where('user_id', '=', id)
    .execute()
  return known.map(({ name }) => name)
}

/** In a ranking, as it is and as it was the day before; and by a nickname. */
async function ranked(portal: TestApp, token: string): Promise<void> {
  const body = { nickname: NAMES.nickname }
  const { status } = await portal.call('PUT', '/api/user/ranking-name', { token, body })
  invariant(status === 200, 'a nickname is chosen')
  await daysPass(portal, 0)
  await daysPass(portal, 2)
}

/** The rankings become those of so many days ago, and are read again. */
async function daysPass(portal: TestApp, days: number): Promise<void> {
  await portal.db
    .updateTable('ranking_snapshots')
    .set({ taken_at: sql`taken_at - make_interval(days => ${days})` })
    .execute()
  await portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute()
  await refreshRankings(portal.deps, { ageSeconds: 0 })
}

/** A team of the player's own with its fee, and an invitation to another one. */
async function play(
  portal: TestApp,
  { friend, referee, group: { id, team } }: Company,
  entrant: Entrant,
): Promise<void> {
  const duel = await referee.aTournament({ ...OPEN_TO_ALL, fee: 5 })
  const { status, body } = await signUp(portal, duel, entrant)
  invariant(status === 201, `a team is registered: ${JSON.stringify(body)}`)
  await takeFees(portal)
  const { token } = entrant.player
  await portal.call('PUT', `/api/tournaments/${duel}/reminder`, { token, body: { wanted: true } })
  // While the check-in is open, ten minutes before the competition.
  const checkIn = { now: () => new Date(Date.parse(inDays(2)) - 600_000) }
  await remindOfCheckIn({ ...portal.deps, clock: checkIn })
  const invited = await portal.call('PUT', `/api/tournaments/${id}/teams/${team}`, {
    token: friend.token,
    body: { name: 'Hội bạn', invites: [entrant.player.username] },
  })
  invariant(invited.status === 200, `the player is invited: ${JSON.stringify(invited.body)}`)
}

/** Goods of the day, and of a milestone that what they paid has reached. */
async function rewarded(portal: TestApp, { player, call }: Made): Promise<void> {
  const [character_id] = await charactersOf(portal, player)
  const take = (path: string) =>
    call(path, { token: player.token, key: randomUUID(), body: { character_id } })
  await openCheckIn(portal)
  await take('/api/check-in')
  const { steps } = await runningMilestones(portal, { steps: [1_000] })
  await take(`/api/milestones/${steps[0]?.id}/claim`)
  // One after the other: they are for the same character.
  while ((await workOnce(portal.deps)) > 0);
  await stopMilestones(portal)
}

/** An order that was to buy luong, and was cancelled. */
async function orderedLuong(portal: TestApp, { player: { token }, call }: Made): Promise<void> {
  const { body } = await portal.call('GET', '/api/exchange', { token })
  const { amount, receive } = body.amounts.at(-1)
  const purchase = {
    kind: 'exchange',
    character_id: body.characters[0].id,
    receive,
    expected_amount: amount,
  }
  const placed = await call('/api/recharge/orders', {
    token,
    key: randomUUID(),
    body: { channel: 2, purchase },
  })
  invariant(placed.status === 201, `an order buys luong: ${JSON.stringify(placed.body)}`)
  await call(`/api/recharge/orders/${placed.body.code}/cancel`, { token })
}

/** A paid order whose transfer names the payer, and a claim about it with words and a picture, answered. */
async function paid(portal: TestApp, { owner }: Company, { player, call }: Made): Promise<void> {
  await runningPromotion(portal, { kind: 'fixed', amount: 1 })
  const order = await anOrder(portal, player)
  await stopPromotions(portal)
  const memo = `${order.code} ${NAMES.bankName} ${NAMES.phone}`
  await deliver(portal, aNotification({ content: memo, description: memo }))
  await call(`/api/operator/recharge-orders/${order.code}/notes`, {
    token: owner.token,
    key: randomUUID(),
    body: { note: NAMES.words },
  })
  const reported = await sendCase(portal, player, {
    kind: 'order',
    id: order.code,
    text: NAMES.words,
    pictures: [await aReceipt().jpeg().toBuffer()],
    key: randomUUID(),
  })
  await call(`/api/operator/cases/${reported.body.id}/messages`, {
    token: owner.token,
    key: randomUUID(),
    body: { text: `${NAMES.words} đã được cộng` },
  })
  const { email: contact } = NAMES
  const proof = {
    email: contact,
    code: await makeCode(portal.deps.vault, portal.db, { channel: 'email', userId: VISITOR, email: contact }),
  }
  await call('/api/help/cases', { body: { about_kind: 'account', text: NAMES.words, ...proof } })
  const claim = await sendClaim(portal, player, {
    fields: { note: NAMES.words, bank_reference: NAMES.reference },
    picture: await aReceipt().jpeg().toBuffer(),
    key: randomUUID(),
  })
  invariant(claim.status === 201, `a claim is kept: ${JSON.stringify(claim.body)}`)
  await call(`/api/operator/recharge-claims/${claim.body.id}/answer`, {
    token: owner.token,
    key: randomUUID(),
    body: { outcome: 'rejected', message: `${NAMES.words} đã được cộng`, reason: 'Đã cộng' },
  })
}
