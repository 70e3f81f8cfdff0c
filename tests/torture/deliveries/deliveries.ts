import { setTimeout as sleep } from 'node:timers/promises'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { enterAll, exchange, takeGift, type Actor, type Context } from '../../harness/players.ts'
import { seeded } from '../../harness/numbers.ts'
import type { Row } from '../../harness/report.ts'
import { RepeatingClient } from '../../harness/client.ts'
import type { FaultRun, WorldFault } from '../faults/fault.ts'
import { insertOperator, resolve } from '../faults/quick-player.ts'
import { runFaults } from '../faults/run.ts'
import { killWorkers } from './workers.ts'

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
/** Of the load that goes on beside every fault. */
const TRADERS = 2
/** The longest pause of a buyer and of an operator. */
const PAUSE_MS_MAX = 6_000
const OPERATOR_PAUSE_MS_MAX = 400
/** A lease shorter than a call that hangs: others take over while the first still waits. */
const PACE = { leaseSeconds: 6, callTimeoutMs: 10_000 }
const GIFTS_OF_10 = 1

/**
 * Purchases go out to a game that does everything wrong, while workers and the game itself are killed and operators
 * intervene. Then the faults end, everything has to come to its end, and the players' own log, the portal's ledger and the
 * game's journal are compared.
 */
export async function tortureDeliveries(options: DeliveryTortureOptions) {
  const world = { seed: options.seed, seconds: Infinity, players: TRADERS }
  const unshown: string[] = []
  const rows = await runFaults([{ deliveries: manyDeliveries(options, unshown) }], world)
  const row = rows[0] as Row
  return { ...row, unshown, isClean: row.isClean && unshown.length === 0 }
}

type Sale = { run: FaultRun; options: DeliveryTortureOptions; context: Context; actors: readonly Actor[] }

/** `unshown` takes what should have happened and did not: the run has then not shown what it is for. */
const manyDeliveries = (options: DeliveryTortureOptions, unshown: string[]): WorldFault => ({
  name: 'purchases from a game with all faults; workers and game killed, operators at every delivery',
  needs: { worker: false },
  prepares: true,
  settleMsMax: SETTLE_MS_MAX,
  async inject(run) {
    const { world, seed, count, note, wrong } = run
    const ownerUrl = world.postgres.url()
    const urls = world.webs.map(({ url }) => url)
    const client = new RepeatingClient(urls, seeded(seed + 11), { traffic: world.traffic })
    const buyers = { name: `muahang${seed}x`, count: options.players, coins: COINS }
    const actors = await enterAll(world, buyers, run.random)
    await watchLeases(ownerUrl)
    await world.game.change({ kinds: [...FAULTS], rate: 0.25, seed, slowMs: 3_000 })
    run.begin()
    const kills = await sell({ run, options, actors, context: { client, confirmed: world.confirmed } })
    const faultsMet = await world.game.faultsMet()
    await world.game.change(NO_FAULTS)
    note('deliveries', bought(run).length)
    for (const [point, times] of Object.entries(kills)) {
      count(`killed when ${point}`, times)
      if (times < options.killsEach) unshown.push(`only ${times} workers were killed when ${point}`)
    }
    for (const fault of FAULTS) {
      count(fault, faultsMet[fault] ?? 0)
      if (!faultsMet[fault]) unshown.push(`the game never met ${fault}`)
    }
    const withoutLease = await countWithoutLease(ownerUrl)
    if (withoutLease > 0) wrong(`${withoutLease} outcomes were written without a lease`)
    client.wrongAnswers.forEach(wrong)
  },
})

const bought = ({ world }: FaultRun) =>
  world.confirmed.filter((one) => one.act === 'exchange' || one.act === 'gift')

/** Purchases, operators and kills side by side, until everything was bought and every point has had its kills. */
async function sell(sale: Sale) {
  const { run, options } = sale
  const { world, seed } = run
  const over = new AbortController()
  const isOver = () => over.signal.aborted || run.signal.aborted
  const { promise: isWorking, resolve: onWorking } = Promise.withResolvers<void>()
  const killing = killWorkers({
    environment: {
      ...world.environment,
      // Past the proxies.
      DATABASE_URL: ofWorkers(world.postgres.url()),
      GAME_SERVER_URL: world.game.url,
    },
    pace: PACE,
    killsMin: options.killsEach,
    arrivalsMax: 12,
    random: seeded(seed + 1),
    onWorking,
    isOver,
  })
  const buying = isWorking.then(() => buyAll(sale, isOver)).finally(() => over.abort())
  const work = [buying, killing, intervene(run, isOver), killGame(sale, isOver)]
  try {
    await Promise.all(work)
  } finally {
    over.abort()
    await Promise.allSettled(work)
  }
  return killing
}

/** All players buy side by side until so many purchases are made together. */
async function buyAll({ run, options, context, actors }: Sale, isOver: () => boolean): Promise<void> {
  await Promise.all(
    actors.map(async (actor, index) => {
      const random = seeded(run.seed * 1_000 + index)
      while (bought(run).length < options.deliveries && !isOver()) {
        if (random.below(10) < GIFTS_OF_10) await takeGift(context, actor, random.pick(GIFT_PACKAGES).amount)
        else await exchange(context, actor, random)
        await sleep(random.below(PAUSE_MS_MAX))
      }
    }),
  )
}

/** Operators who pick deliveries at random, whatever state they are in. */
async function intervene(run: FaultRun, isOver: () => boolean): Promise<void> {
  const { world, seed, count } = run
  const one = async (_: unknown, number: number) => {
    const token = await insertOperator(world.db, `thungan${seed}x${number}`)
    const random = seeded(seed * 77 + number)
    while (!isOver()) {
      await sleep(random.below(OPERATOR_PAUSE_MS_MAX))
      // Mostly what was bought just now, which is still on its way.
      const recent = bought(run).slice(-10)
      if (recent.length === 0) continue
      const what = random.pick(['refund', 'refund', 'refund', 'retry', 'settle'] as const)
      const id = random.pick(recent).deliveryId
      const state = await resolve((request) => world.client.try(request), token, { id, what })
      count(`${what}: ${state ?? 'refused'}`)
    }
  }
  await Promise.all(Array.from({ length: OPERATORS }, one))
}

/** Spread over the purchases, not over time. */
async function killGame({ run, options }: Sale, isOver: () => boolean): Promise<void> {
  for (let kill = 1; kill <= GAME_KILLS; kill++) {
    const due = (options.deliveries * kill) / (GAME_KILLS + 1)
    while (bought(run).length < due && !isOver()) await sleep(50)
    await run.world.game.restart('SIGKILL')
    run.count('game killed')
  }
}

/** The address of the database for workers, whose connections say by a setting what they are. */
function ofWorkers(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.searchParams.set('options', '-c torture.is_worker=on')
  return url.href
}

/**
 * From now on the database records each outcome that a worker writes while nobody holds the delivery: what it was answered
 * after its lease had run out, or what its successor writes after that. The ledger's keys and the game's ids protect such a
 * write from doing harm, so nothing else in a run shows that the lease is not looked at. Operators need none.
 */
const watchLeases = (ownerUrl: string): Promise<unknown> =>
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

const countWithoutLease = (ownerUrl: string): Promise<number> =>
  asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) AS count FROM outcome_without_lease',
    )
    return Number(rows[0]?.count)
  })
