import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import { openHttpGame } from '#server/modules/game-bridge/http-game.client.ts'
import type { Db } from '#server/platform/db/database.ts'
import { GAME_SECRET, type Game } from '../../harness/fleet.ts'
import { isVerified, settle, shown, verify } from '../../harness/verification.ts'
import {
  enterAll,
  exchange,
  takeGift,
  type Actor,
  type Context,
  type ConfirmedAct,
} from '../../harness/players.ts'
import { type Random, secondsSince, seeded, sum } from '../../harness/numbers.ts'
import { RepeatingClient } from '../../harness/client.ts'
import { insertCashier, resolve } from '../faults/quick-player.ts'
import { openWorld, type World } from '../faults/world.ts'
import { killWorkers, withWorker, type Kills } from './workers.ts'
import { asOwner } from '#server/platform/db/owner.ts'

export type DeliveryTortureOptions = {
  seed: number
  deliveries: number
  /** At each named point of a worker, at least. */
  killsEach: number
  players: number
}

const SETTLE_MS_MAX = 600_000
const COINS = 20_000_000
const GAME_KILLS = 5
const OPERATORS = 2
/** The longest pause of a buyer and of an operator. */
const PAUSE_MS_MAX = 6_000
const OPERATOR_PAUSE_MS_MAX = 400
/** A lease shorter than a call that hangs: others take over while the first still waits. */
const PACE = { leaseSeconds: 6, callTimeoutMs: 10_000 }
const GIFTS_OF_10 = 1

type Run = {
  world: World
  options: DeliveryTortureOptions
  context: Context
  actors: Actor[]
  operators: string[]
  /** Workers reach database and game past the proxies. */
  workerEnvironment: Record<string, string>
  operatorActs: Record<string, number>
}

/**
 * Purchases go out to a game that does everything wrong, while workers and the game itself are killed and operators
 * intervene. Then the faults end, everything has to come to its end, and the players' own log, the portal's ledger and the
 * game's journal are compared.
 */
export async function tortureDeliveries(options: DeliveryTortureOptions) {
  const world = await openWorld({ worker: false })
  try {
    return await torture(world, options)
  } finally {
    await world.close()
  }
}

async function torture(world: World, options: DeliveryTortureOptions) {
  const { seed, killsEach, players } = options
  const { db, game } = world
  const ownerUrl = world.postgres.url()
  const names = Array.from({ length: players }, (_, number) => `muahang${seed}x${number}`)
  const cashiers = Array.from({ length: OPERATORS }, (_, number) => `thungan${seed}x${number}`)
  const workerEnvironment = {
    ...world.environment,
    DATABASE_URL: ofWorkers(ownerUrl),
    GAME_SERVER_URL: game.url,
  }
  const urls = world.webs.map(({ url }) => url)
  const client = new RepeatingClient(urls, seeded(seed + 11), { traffic: world.traffic })
  const run: Run = {
    world,
    options,
    context: { ...world.context, client },
    actors: await enterAll(world.context, names, seeded(seed), COINS),
    operators: await Promise.all(cashiers.map((username) => insertCashier(db, username))),
    workerEnvironment,
    operatorActs: {},
  }
  await watchLeases(ownerUrl)
  const began = performance.now()
  const workerKills = await runUnderFaults(run)
  const faultSeconds = secondsSince(began)
  const faultsMet = await game.faultsMet()
  await game.change(NO_FAULTS)
  const settleSeconds = await withWorker(workerEnvironment, PACE, () => settle(db, SETTLE_MS_MAX))
  const verification = await verify(db, world.confirmed, game.dataDir)
  Object.assign(verification.books, {
    luongWrong: await wrongLuong(db, game, names),
    withoutLease: await countWithoutLease(ownerUrl),
  })
  const bought = purchases(world.confirmed)
  const faultsUnmet = FAULTS.filter((fault) => !faultsMet[fault])
  const wrongAnswers = [...client.wrongAnswers, ...new Set(world.traffic.broken)]
  const isKilledEnough = Object.values(workerKills).every((count) => count >= killsEach)
  return {
    seed,
    deliveries: bought.length,
    gifts: bought.filter(({ act }) => act === 'gift').length,
    workerKills,
    gameKills: GAME_KILLS,
    operatorActs: run.operatorActs,
    faultsMet,
    // With one of them the run has not shown what it is for.
    faultsUnmet,
    attempts: await countAttempts(db),
    faultSeconds,
    settleSeconds,
    ...shown(verification),
    wrongAnswers,
    isClean:
      isVerified(verification) && wrongAnswers.length === 0 && isKilledEnough && faultsUnmet.length === 0,
  }
}

const purchases = (confirmed: readonly ConfirmedAct[]) =>
  confirmed.filter((one) => one.act === 'exchange' || one.act === 'gift')

/** Purchases, operators and kills side by side, until everything was bought and every point has had its kills. */
async function runUnderFaults(run: Run): Promise<Kills> {
  const { world, options, workerEnvironment } = run
  const { seed, killsEach } = options
  await world.game.change({ kinds: [...FAULTS], rate: 0.25, seed, slowMs: 3_000 })
  let isOver = false
  let hasFailed = false
  const { promise: isWorking, resolve: onWorking } = Promise.withResolvers<void>()
  const buying = isWorking.then(() => buyAll(run, () => hasFailed)).finally(() => (isOver = true))
  const killing = killWorkers(
    {
      environment: workerEnvironment,
      pace: PACE,
      killsMin: killsEach,
      arrivalsMax: 12,
      random: seeded(seed + 1),
      workers: 2,
      onWorking,
    },
    () => isOver,
  )
  const work = [buying, killing, intervene(run, () => isOver), killGame(run, () => isOver)]
  try {
    await Promise.all(work)
  } catch (error) {
    hasFailed = true
    await Promise.allSettled(work)
    throw error
  }
  return killing
}

/** All players buy side by side until so many purchases are made together. */
async function buyAll({ context, actors, options }: Run, isFailing: () => boolean): Promise<void> {
  const { seed, deliveries } = options
  await Promise.all(
    actors.map(async (actor, index) => {
      const random = seeded(seed * 1_000 + index)
      while (purchases(context.confirmed).length < deliveries && !isFailing()) {
        if (random.below(10) < GIFTS_OF_10) await takeGift(context, actor, random.pick(GIFT_PACKAGES).amount)
        else await exchange(context, actor, random)
        await sleep(random.below(PAUSE_MS_MAX))
      }
    }),
  )
}

/** Operators who pick deliveries at random, whatever state they are in. */
async function intervene(run: Run, isOver: () => boolean): Promise<void> {
  const { world, operators, operatorActs, options } = run
  await Promise.all(
    operators.map(async (token, index) => {
      const random: Random = seeded(options.seed * 77 + index)
      while (!isOver()) {
        await sleep(random.below(OPERATOR_PAUSE_MS_MAX))
        // Mostly what was bought just now, which is still on its way.
        const recent = purchases(world.confirmed).slice(-10)
        if (recent.length === 0) continue
        const what = random.pick(['refund', 'refund', 'refund', 'retry', 'settle'] as const)
        const id = random.pick(recent).deliveryId
        const state = await resolve((request) => world.client.try(request), token, { id, what })
        const act = `${what}: ${state ?? 'refused'}`
        operatorActs[act] = (operatorActs[act] ?? 0) + 1
      }
    }),
  )
}

/** Spread over the purchases, not over time. */
async function killGame({ world, options }: Run, isOver: () => boolean): Promise<void> {
  for (let kill = 1; kill <= GAME_KILLS; kill++) {
    const due = (options.deliveries * kill) / (GAME_KILLS + 1)
    while (purchases(world.confirmed).length < due && !isOver()) await sleep(50)
    await world.game.restart('SIGKILL')
  }
}

async function countAttempts(db: Db): Promise<number> {
  const { attempts } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.sum<string>('attempt').as('attempts'))
    .executeTakeFirstOrThrow()
  return Number(attempts)
}

const RANKED_MAX = 1_000

type Handed = { character_name: string; goods: Good[] }

/** Characters whose luong, by the game's own ranking, is not what was delivered to them. They began with nothing. */
async function wrongLuong(db: Db, { url }: Game, players: readonly string[]): Promise<number> {
  const { rankings } = openHttpGame({ url, secret: GAME_SECRET })
  const has = new Map<string, number>()
  for (const row of await rankings('luong', { serverId: '1', limit: RANKED_MAX }))
    if (players.includes(row.account)) has.set(row.name, row.value)
  const { rows } = await sql<Handed>`
    SELECT d.character_name, d.goods FROM delivery d JOIN users u ON u.id = d.user_id
     WHERE d.state = 'delivered' AND u.username = ANY (${players})`.execute(db)
  const due = new Map<string, number>()
  for (const { character_name: name, goods } of rows) {
    const luong = sum(goods.filter(({ kind }) => kind === 'luong').map(({ quantity }) => quantity))
    due.set(name, (due.get(name) ?? 0) + luong)
  }
  const names = new Set([...has.keys(), ...due.keys()])
  return [...names].filter((name) => (has.get(name) ?? 0) !== (due.get(name) ?? 0)).length
}

/** The address of the database for workers, whose connections say by a setting what they are. */
export function ofWorkers(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.searchParams.set('options', '-c torture.is_worker=on')
  return url.href
}

/**
 * From now on the database records each outcome that a worker writes while nobody holds the delivery: what it was answered
 * after its lease had run out, or what its successor writes after that. The ledger's keys and the game's ids protect such a
 * write from doing harm, so nothing else in a run shows that the lease is not looked at. Operators need none.
 */
export const watchLeases = (ownerUrl: string): Promise<unknown> =>
  asOwner(ownerUrl, (client) =>
    client.query(`
      CREATE TABLE outcome_without_lease (delivery_id uuid NOT NULL);
      CREATE FUNCTION record_outcome_without_lease() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      BEGIN
        INSERT INTO outcome_without_lease VALUES (NEW.id);
        RETURN NULL;
      END $$;
      CREATE TRIGGER outcome_without_lease AFTER UPDATE ON delivery FOR EACH ROW
        WHEN (current_setting('torture.is_worker', true) = 'on' AND OLD.lease_token IS NULL AND NEW.lease_token IS NULL
          AND (OLD.state, OLD.last_error, OLD.next_attempt_at) IS DISTINCT FROM (NEW.state, NEW.last_error, NEW.next_attempt_at))
        EXECUTE FUNCTION record_outcome_without_lease();`),
  )

export const countWithoutLease = (ownerUrl: string): Promise<number> =>
  asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) AS count FROM outcome_without_lease',
    )
    return Number(rows[0]?.count)
  })
