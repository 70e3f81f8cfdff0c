import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import type { Answer } from '../../harness/client.ts'
import { enter, exchange, post, withdraw, type Actor } from '../../harness/players.ts'
import { SETTLE_MS_MAX } from '../../harness/verification.ts'
import { repeat, type FaultRun, type WorldFault } from './fault.ts'
import { insertPlayer } from './quick-player.ts'

const PLAYERS = 6
const COINS = 2_000_000
/** Not a divisor of what they buy, so that some have too little in the end. */
export const FEE = 700
/** An act sent again counts again, and a player may do 60 a minute. */
const PAUSE_MS = 1_500
const EXPECTED = new Set([200, 201, 404, 409, 422, 429])

type Tournaments = { played: string; cancelled: string }

/** T21: teams sign up for a fee, leave and pay again, while the game fails and game and worker are killed. */
export const fees: WorldFault = {
  name: 'fees of teams taken and given back by a failing game; kill -9 of game and worker; a tournament cancelled',
  prepares: true,
  async inject(run) {
    const { world, seed, signal } = run
    const players: Actor[] = []
    for (let number = 0; number < (run.isShort ? 3 : PLAYERS); number++)
      players.push(await aPlayer(run, number))
    const tournaments = { played: await aTournament(run, 'a'), cancelled: await aTournament(run, 'b') }
    const operator = await anOrganizer(run, 1)
    run.begin()
    const kinds = FAULTS.filter((fault) => !fault.startsWith('hang') && fault !== 'flap')
    await world.game.change({ ...NO_FAULTS, kinds: [...kinds], rate: 0.3, seed, slowMs: 500 })
    await Promise.all([
      killGameAndWorkers(run),
      ...players.map(async (player, number) => {
        for (let round = 0; round === 0 || !signal.aborted; round++)
          await oneTeam(run, player, { tournaments, name: `doi ${number} ${round}` })
      }),
    ])
    await world.game.change(NO_FAULTS)
    await cancelTournament(run, tournaments.cancelled, operator)
    await verifyFees(run)
  },
}

/** With luong on one character. */
async function aPlayer({ world, seed, random, isShort }: FaultRun, number: number): Promise<Actor> {
  const player = await enter(world, `lephi${seed % 10_000}n${number}`, random, COINS)
  const one = { ...player, characterIds: player.characterIds.slice(0, 1) }
  for (let times = 0; times < (isShort ? 1 : 3); times++) await exchange(world, one, random)
  return one
}

/** Single duels for `FEE` with 2^rounds places. */
export async function aTournament({ world, seed }: FaultRun, which: string, rounds = 2): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, fee, max_round)
    VALUES (${`Giải có lệ phí ${seed}${which}`}, now() - interval '1 day', now() + interval '7 days', 0, 1, ${FEE},
            ${rounds})
    RETURNING id`.execute(world.db)
  return (rows[0] as { id: string }).id
}

export async function anOrganizer({ world, seed }: FaultRun, number: number): Promise<string> {
  const username = `bantochuc${number}${seed % 10_000}`
  const token = await insertPlayer(world.db, username, 'console')
  await grantRole(world.db, { username, role: 'owner' })
  return token
}

export async function killGameAndWorkers(run: FaultRun): Promise<void> {
  const { world, random, count } = run
  await repeat(run, { leastMs: 300, mostMs: run.isShort ? 700 : 3_000 }, async () => {
    if (random.below(2) === 0) {
      await world.game.restart('SIGKILL')
      return count('game killed')
    }
    const slot = random.pick(world.workers)
    await slot.kill()
    await slot.start()
    count('worker killed')
  })
}

type Team = { tournaments: Tournaments; name: string }

/** Signs up, pays again now and then what was refused, and mostly leaves. */
async function oneTeam(run: FaultRun, player: Actor, { tournaments, name }: Team): Promise<void> {
  const { world, random, signal } = run
  const tournament = random.pick(Object.values(tournaments))
  const path = `/api/tournaments/${tournament}/teams`
  const character_id = player.characterIds[0]
  const team = expectOne(
    run,
    'sign-up',
    await post(world.client, player, path, { name, character_id, invites: [] }),
  )
  const id = team?.id ?? (await ownTeam(run, player, tournament))
  const wait = () => sleep(random.below(PAUSE_MS), undefined, { signal }).catch(() => {})
  await wait()
  if (id === undefined) return
  if (random.below(3) === 0) expectOne(run, 'payment', await post(world.client, player, `${path}/${id}/pay`))
  await wait()
  // Those of the end stay, so that some fees are kept.
  if (signal.aborted || random.below(4) === 0) return
  expectOne(run, 'withdrawal', await withdraw(world.client, player, `${path}/${id}`))
}

/** The body of an answer that did something; a refusal of business is no fault. */
function expectOne(
  { count, wrong }: FaultRun,
  what: string,
  { status, body }: Answer,
): { id?: string } | null {
  if (!EXPECTED.has(status)) wrong(`a ${what} got ${status} ${body?.code}`)
  if (status !== 200 && status !== 201) return null
  count(what)
  return body
}

async function ownTeam(
  { world }: FaultRun,
  { address: from, token }: Actor,
  id: string,
): Promise<string | undefined> {
  const path = `/api/tournaments/${id}/mine`
  const { body } = await world.client.untilDefinite({ method: 'GET', path, from, token })
  return body?.state === 'withdrawn' ? undefined : body?.id
}

export async function cancelTournament(
  { world, count, wrong }: FaultRun,
  id: string,
  token: string,
): Promise<void> {
  const path = `/api/operator/tournaments/${id}`
  const { body: found } = await world.client.untilDefinite({ method: 'GET', path, token })
  const { status, body } = await world.client.untilDefinite({
    path: `${path}/cancel`,
    token,
    key: randomUUID(),
    body: { updated_at: found?.updated_at, reason: 'Kiểm tra khi game hỏng' },
  })
  if (status === 200) count('tournament cancelled')
  else wrong(`a cancellation got ${status} ${body?.code}`)
}

type StoredCharge = { id: string; state: string; luong: string; team_state: string }

/**
 * Once the game is well: what its journal has taken and kept is the fees of admitted teams, all else came back once. Of all
 * tournaments, since the journal has those of the faults before.
 */
export async function verifyFees(run: FaultRun): Promise<void> {
  const { world, note, wrong } = run
  const end = performance.now() + SETTLE_MS_MAX
  const stored = async () =>
    (
      await sql<StoredCharge>`
        SELECT c.id, c.state, c.luong, t.state AS team_state FROM tournament_charges c
          JOIN teams t ON t.id = c.team_id`.execute(world.db)
    ).rows
  let charges = await stored()
  const isOpen = ({ state }: StoredCharge) => state === 'pending' || state === 'refunding'
  for (; charges.some(isOpen) && performance.now() < end; charges = await stored()) await sleep(200)
  const open = charges.filter(isOpen).length
  if (open > 0) return wrong(`${open} fees are not decided`)
  const { rows } = await readJournal(join(world.game.dataDir, JOURNAL_FILE))
  const times = (status: string, id: string) =>
    rows.filter((row) => row.status === status && row.id === id).length
  let kept = 0
  for (const { id, state, luong } of charges) {
    const taken = times('charged', id)
    const returned = times('collected', `refund-${id}`)
    kept += (taken - returned) * Number(luong)
    const expected = state === 'applied' ? '1 0' : state === 'refused' ? '0 0' : `${taken} ${taken}`
    if (taken > 1 || `${taken} ${returned}` !== expected)
      wrong(`a fee that is ${state} was taken ${taken} and given back ${returned} times`)
    if (state === 'refunded' && times('charge-refunded', id) !== 1)
      wrong(`a refund of ${id} is not in the journal`)
  }
  const known = new Set(charges.map(({ id }) => id))
  const strange = rows.filter(({ status, id }) => status === 'charged' && !known.has(id)).length
  if (strange > 0) wrong(`${strange} fees were taken that nobody asked for`)
  const { rows: admitted } = await sql<{ fees: string }>`
    SELECT coalesce(sum(fee), 0) AS fees FROM teams JOIN tournaments ON tournaments.id = tournament_id
     WHERE captain_id IS NOT NULL AND state = 'admitted' AND cancelled_at IS NULL`.execute(world.db)
  if (kept !== Number(admitted[0]?.fees))
    wrong(`the game has kept ${kept} luong, the teams that play owe ${admitted[0]?.fees}`)
  for (const state of ['applied', 'refused', 'refunded'])
    note(`fees ${state}`, charges.filter((charge) => charge.state === state).length)
}
