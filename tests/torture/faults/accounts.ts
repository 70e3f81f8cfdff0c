import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { signGameCall } from '#contract/game/signature.ts'
import { anAddress } from '#tests/support/players.ts'
import type { Request } from '../../harness/client.ts'
import { GAME_SECRET } from '../../harness/fleet.ts'
import { readRows } from '../../harness/game-journal.ts'
import { type Newcomer, PASSWORD, post, recharge, register } from '../../harness/players.ts'
import { SETTLE_MS_MAX } from '../../harness/verification.ts'
import { repeat, type FaultRun, type WorldFault } from './fault.ts'
import { insertOperator } from './quick-player.ts'

const PAIRS = 3
const FEE = 20_000
const PATH = '/api/game/logins'

/** A player of the game, and what was acknowledged about the account. */
type Person = Newcomer & {
  id: string
  password: string
  /** The one before. */
  oldPassword: string
  passwordSentAt: Date | null
  isActivated: boolean
  isBanned: boolean
  /** So many times something was changed that the game has to be told. */
  changes: number
}

/** T19: the game asks whether players may log in while their accounts change, and everything is killed. */
export const gameLogins: WorldFault = {
  name: 'logins from the game, new passwords and bans; kill -9 of web, worker, game and PostgreSQL',
  prepares: true,
  async inject(run) {
    const pairs = run.isShort ? 1 : PAIRS
    const people: Person[] = []
    // Who gets new passwords has to stay signed in, and a ban ends all sessions.
    for (let number = 0; number < 2 * pairs; number++) people.push(await aPerson(run, number))
    const owner = await insertOperator(run.world.db, `chudang${run.seed % 10_000}`, 'owner')
    const before = await lastSession(run, people)
    run.begin()
    await Promise.all([
      killAll(run),
      ...people.map(async (person, number) => {
        const change = number % 2 === 0 ? () => newPassword(run, person) : () => toggleBan(run, owner, person)
        while (!run.signal.aborted) await oneStep(run, person, change)
      }),
    ])
    if ((await lastSession(run, people)) > before) run.wrong('a login from the game opened a session')
    await verifyReceived(run, people)
  },
}

async function aPerson({ world, seed, random }: FaultRun, number: number): Promise<Person> {
  const newcomer = await register(world, `dangnhap${seed % 10_000}n${number}`, random)
  await recharge(world, newcomer, FEE)
  const { id } = await world.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', newcomer.username)
    .executeTakeFirstOrThrow()
  const state = { passwordSentAt: null, isActivated: false, isBanned: false, changes: 0 }
  return { ...newcomer, id, password: PASSWORD, oldPassword: '%', ...state }
}

async function killAll(run: FaultRun): Promise<void> {
  const { world, random, count } = run
  const slots = [...world.webs, ...world.workers]
  let kills = 0
  await repeat(run, { leastMs: 200, mostMs: run.isShort ? 600 : 2_500 }, async () => {
    const what = random.pick(['web', 'worker', 'game', 'PostgreSQL'] as const)
    kills++
    count(`${what} killed`)
    if (what === 'game') return world.game.restart('SIGKILL')
    if (what === 'PostgreSQL') return world.postgres.kill()
    const slot = random.pick(slots.filter(({ kind }) => kind === what))
    await slot.kill()
    await slot.start()
  })
  if (kills === 0) run.wrong('nothing was killed')
}

/** A login with the right password and, now and then, a wrong one or a change. One after the other: so the answer is known. */
async function oneStep(run: FaultRun, person: Person, change: () => Promise<void>): Promise<void> {
  const dice = run.random.below(10)
  if (dice < 1) await expectLogin(run, person, { password: person.oldPassword, expected: 'wrong' })
  else if (dice < 3) await change()
  else if (dice < 4 && !person.isActivated && !person.isBanned) await activate(run, person)
  const { password, isBanned, isActivated } = person
  const expected = isBanned ? 'banned' : isActivated ? 'ok' : 'not-activated'
  await expectLogin(run, person, { password, expected })
  await sleep(run.random.below(100))
}

type Tried = { password: string; expected: string }

async function expectLogin(
  { world, count, wrong }: FaultRun,
  { username }: Person,
  { password, expected }: Tried,
): Promise<void> {
  const { status, body } = await world.client.untilDefinite(gameLogin(username, password))
  const answer = status === 200 ? (body.status as string) : `HTTP ${status}`
  count(`login: ${answer}`)
  // Whatever is asked, the portal may be too busy to say.
  if (answer !== expected && answer !== 'slow-down')
    wrong(`a login of ${username} was answered ${answer} instead of ${expected}`)
}

/** The call as the game makes it, for a player who is somewhere else each time. */
function gameLogin(account: string, password: string): Request {
  const body = JSON.stringify({ server_id: '1', account, password, address: anAddress() })
  const call = { method: 'POST', path: PATH, body } as const
  const signature = signGameCall(GAME_SECRET, Math.floor(Date.now() / 1_000), call)
  return { ...call, headers: { 'x-portal-signature': signature } }
}

async function newPassword(run: FaultRun, person: Person): Promise<void> {
  const { world, count, wrong } = run
  const { token, address: from, password: current_password } = person
  const password = `mat-khau-${person.changes}-moi`
  const sentAt = new Date()
  const path = '/api/user/change-password'
  const { status, body } = await world.client.untilDefinite({
    path,
    token,
    from,
    body: { current_password, password },
  })
  // Cut off after its effect it is refused when it is repeated. If there was none, the next login shows that.
  if (status !== 200 && body?.code !== 'INVALID_CREDENTIALS')
    return wrong(`a new password got ${status} ${body?.code}`)
  count('new password')
  person.changes++
  Object.assign(person, { oldPassword: current_password, password, passwordSentAt: sentAt })
  // Both webs may remember that it was right.
  for (let web = 0; web < world.webs.length; web++)
    await expectLogin(run, person, { password: current_password, expected: 'wrong' })
}

async function toggleBan({ world, count, wrong }: FaultRun, owner: string, person: Person): Promise<void> {
  const act = person.isBanned ? 'lift-ban' : 'ban'
  const { status, body } = await world.client.untilDefinite({
    path: `/api/operator/users/${person.id}/${act}`,
    token: owner,
    key: randomUUID(),
    body: { scope: 'sign-in', reason: 'Kiểm tra khi hỏng', ...(act === 'ban' ? { until: null } : {}) },
  })
  if (status !== 200) return wrong(`${act} got ${status} ${body?.code}`)
  count(act)
  person.changes++
  person.isBanned = !person.isBanned
}

async function activate({ world, count, wrong }: FaultRun, person: Person): Promise<void> {
  const { status, body } = await post(world.client, person, '/api/user/active')
  // Signed out by a ban; or the bank's notification still waits for a worker.
  if (status === 401 || body?.code === 'INSUFFICIENT_BALANCE') return
  if (status !== 200) return wrong(`an activation got ${status} ${body?.code}`)
  count('activation')
  world.confirmed.push({ act: 'activation', player: person.username, amount: FEE })
  person.changes++
  person.isActivated = true
}

type Db = FaultRun['world']['db']

const idsOf = (people: readonly Person[]) => people.map(({ id }) => id)

/** The number of the session that one of these people opened last: numbers rise. */
async function lastSession({ world }: FaultRun, people: readonly Person[]): Promise<number> {
  const { rows } = await sql<{ last: string }>`
    SELECT coalesce(max(id), 0) AS last FROM sessions WHERE user_id = ANY (${idsOf(people)}::bigint[])`.execute(
    world.db,
  )
  return Number(rows[0]?.last)
}

/** Once the faults are over: the game has been told the last state of each account, and nothing in another order. */
async function verifyReceived({ world, note, wrong }: FaultRun, people: readonly Person[]): Promise<void> {
  const began = performance.now()
  while ((await countUnsent(world.db, people)) > 0 && performance.now() - began < SETTLE_MS_MAX)
    await sleep(200)
  note('seconds until the game was told', Math.round((performance.now() - began) / 1_000))
  const unsent = await countUnsent(world.db, people)
  if (unsent > 0) wrong(`the game was not told of ${unsent} accounts`)
  const received = (await readRows(world.game.dataDir)).flatMap((row) =>
    row.status === 'account' ? row.change : [],
  )
  for (const person of people) {
    const own = received.filter(({ account }) => account === person.username)
    const last = own.at(-1)
    const versions = own.map(({ version }) => version)
    if (versions.some((version, at) => at > 0 && version <= (versions[at - 1] as number)))
      wrong(`${person.username} was told in another order: ${versions.join(' ')}`)
    if (person.changes > 0 && !isLast(person, last))
      wrong(`of ${person.username} the game knows ${JSON.stringify(last)}`)
  }
}

type Received = Extract<Awaited<ReturnType<typeof readRows>>[number], { status: 'account' }>['change']

const isLast = ({ isActivated, isBanned, passwordSentAt }: Person, received: Received | undefined): boolean =>
  received !== undefined &&
  received.activated === isActivated &&
  (received.banned_until !== null) === isBanned &&
  (passwordSentAt === null || Date.parse(received.password_changed_at ?? '') >= passwordSentAt.getTime())

async function countUnsent(db: Db, people: readonly Person[]): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) FROM account_change
     WHERE user_id = ANY (${idsOf(people)}::bigint[]) AND next_attempt_at IS NOT NULL`.execute(db)
  return Number(rows[0]?.count)
}
