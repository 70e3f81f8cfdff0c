import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { anAddress } from '#tests/support/players.ts'
import { offerTo, post, withdraw, type Actor } from '../../harness/players.ts'
import { SETTLE_MS_MAX } from '../../harness/verification.ts'
import type { FaultRun, WorldFault } from './fault.ts'
import { anOrganizer, aTournament, cancelTournament, verifyFees, killGameAndWorkers } from './fees.ts'
import { insertPlayer } from './quick-player.ts'

/** Players at once, 2^rounds places, and how many leave when it is full. */
const SIZES = {
  long: { players: 500, rounds: 4, leaving: 20 },
  short: { players: 16, rounds: 2, leaving: 4 },
}
const AT_ONCE = 16
const COINS = 40_000
const BOUGHT = 10_000

/** T22: five hundred players sign up at the same moment for sixteen places, while game and worker are killed. */
export const signUpRush: WorldFault = {
  name: '500 players at once for 16 places with a fee; kill -9 of game and worker; some leave, then it is cancelled',
  prepares: true,
  async inject(run) {
    const { signal, seed } = run
    const players = await somePlayers(run)
    const operator = await anOrganizer(run, 2)
    run.begin()
    await Promise.all([
      killGameAndWorkers(run),
      (async () => {
        for (let round = 0; round === 0 || !signal.aborted; round++)
          await oneRush(run, { players, operator, name: `${seed}-${round}` })
      })(),
    ])
  },
}

const sizeOf = ({ isShort }: FaultRun) => (isShort ? SIZES.short : SIZES.long)

/** Each with enough luong on one character for any number of fees that are given back. */
async function somePlayers(run: FaultRun): Promise<Actor[]> {
  const { world } = run
  const names = Array.from(
    { length: sizeOf(run).players },
    (_, number) => `dongnguoi${run.seed % 10_000}n${number}`,
  )
  const players: Actor[] = []
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const some = names.slice(first, first + AT_ONCE)
    players.push(...(await Promise.all(some.map((name) => aPlayer(run, name)))))
  }
  const open = async () =>
    (
      await sql<{ open: number }>`
        SELECT count(*)::integer AS open FROM delivery JOIN users ON users.id = user_id
         WHERE username LIKE 'dongnguoi%' AND delivery.state <> 'delivered'`.execute(world.db)
    ).rows[0]?.open
  for (const end = performance.now() + SETTLE_MS_MAX; (await open()) !== 0; await sleep(200))
    if (performance.now() > end) throw new Error('the players did not get their luong')
  return players
}

async function aPlayer({ world }: FaultRun, username: string): Promise<Actor> {
  const { db, client } = world
  const token = await insertPlayer(db, username)
  await inTransaction(db, async (tx) => {
    const { wallet_account_id: credit } = await tx
      .selectFrom('users')
      .select('wallet_account_id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    const source = { type: 'torture', id: randomUUID() }
    await postTransfer(tx, { kind: 'adjustment', debit: HOUSE.adjustment, credit, amount: COINS, source })
  })
  const newcomer = { username, token, address: anAddress(), ordersLeft: 0 }
  const activated = await post(client, newcomer, '/api/user/active')
  if (activated.status !== 200) throw new Error(`activation failed: ${activated.text}`)
  const { characters } = await offerTo(client, newcomer.address, token)
  const characterIds = characters.slice(0, 1).map(({ id }) => id)
  const player: Actor = { ...newcomer, characterIds, receiveOf: new Map() }
  // Compared with the game's journal, but no act of the clients' log: the coins came from no bank.
  const bought = await post(client, player, '/api/exchange/store', {
    character_id: characterIds[0],
    amount: BOUGHT,
  })
  if (bought.status !== 200) throw new Error(`a purchase failed: ${bought.text}`)
  return player
}

type Rush = {
  players: readonly Actor[]
  operator: string
  name: string
}
type Entry = { player: Actor; team: string }

async function oneRush(run: FaultRun, { players, operator, name }: Rush): Promise<void> {
  const { random, count, note } = run
  const { rounds, leaving } = sizeOf(run)
  const tournament = await aTournament(run, name, rounds)
  const began = performance.now()
  const entries = await Promise.all(players.map((player) => signUp(run, player, tournament)))
  note('seconds until all had an answer', Math.round((performance.now() - began) / 100) / 10)
  const entered = entries.filter((entry) => entry !== null)
  await expectPlaces(run, { tournament, entered, gone: new Set() })
  await verifyFees(run)
  const inOrder = entered.toSorted((one, other) => Number(BigInt(one.team) - BigInt(other.team)))
  const gone = new Set<Entry>()
  // Half of them have a place.
  while (gone.size < Math.min(leaving, entered.length))
    gone.add(random.pick(gone.size < leaving / 2 ? inOrder.slice(0, 2 ** rounds) : inOrder))
  await Promise.all([...gone].map((entry) => leave(run, entry, tournament)))
  await expectPlaces(run, { tournament, entered, gone })
  await verifyFees(run)
  await cancelTournament(run, tournament, operator)
  await verifyFees(run)
  count('rush')
}

async function signUp({ world, count, wrong }: FaultRun, player: Actor, id: string): Promise<Entry | null> {
  const body = { name: player.username, character_id: player.characterIds[0], invites: [] }
  const answer = await post(world.client, player, `/api/tournaments/${id}/teams`, body)
  if (answer.status === 201) {
    count('sign-up')
    return { player, team: answer.body.id as string }
  }
  wrong(`a sign-up got ${answer.status} ${answer.body?.code}`)
  return null
}

async function leave({ world, count, wrong }: FaultRun, { player, team }: Entry, id: string): Promise<void> {
  const { status, body } = await withdraw(world.client, player, `/api/tournaments/${id}/teams/${team}`)
  if (status === 200) count('withdrawal')
  else wrong(`a withdrawal got ${status} ${body?.code}`)
}

type Places = { tournament: string; entered: readonly Entry[]; gone: ReadonlySet<Entry> }
type StoredTeam = { id: string; state: string; charges: number }

/** The first of those who stay are admitted once their fees are taken, the others wait in the order of arrival, unasked. */
async function expectPlaces(run: FaultRun, { tournament, entered, gone }: Places): Promise<void> {
  const { world, wrong } = run
  const places = 2 ** sizeOf(run).rounds
  const read = async () =>
    (
      await sql<StoredTeam>`
        SELECT id, state, (SELECT count(*)::integer FROM tournament_charges c WHERE c.team_id = teams.id) AS charges
          FROM teams WHERE tournament_id = ${tournament}::bigint ORDER BY id`.execute(world.db)
    ).rows
  let teams = await read()
  const isHeld = ({ state }: StoredTeam) => state === 'held'
  for (
    const end = performance.now() + SETTLE_MS_MAX;
    teams.some(isHeld) && performance.now() < end;
    teams = await read()
  )
    await sleep(200)
  const left = new Set([...gone].map(({ team }) => team))
  const known = new Set(entered.map(({ team }) => team))
  if (teams.length !== known.size || teams.some(({ id }) => !known.has(id)))
    wrong(`${known.size} teams were acknowledged, ${teams.length} are there`)
  const staying = teams.filter(({ id }) => !left.has(id))
  const expected = (index: number) => (index < places ? 'admitted' : 'waiting')
  const misplaced = staying.filter(({ state }, index) => state !== expected(index)).length
  if (misplaced > 0) wrong(`${misplaced} teams are not where their turn is`)
  if (teams.some(({ id, state }) => left.has(id) && state !== 'withdrawn'))
    wrong('a team that left is still in')
  if (staying.some(({ state, charges }) => state === 'waiting' && charges > 0))
    wrong('a team that waits was charged')
}
