import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Good } from '#contract/deliveries.ts'
import { type Random, secondsSince, seeded, sum } from '../harness/numbers.ts'
import { addClaims, addHeroes, CAP, type Claim, emptyTables, item, luong, START, yen } from './claims.ts'
import { CrowdCharges, type ChargesReport } from './crowd-charges.ts'
import type { Fault, Rehearsal, RehearsalGame } from './game.ts'

const SETTLE_MS_MAX = 120_000
const BAG_SIZE = 30

/** What a player does all the time. */
type Habit = 'online' | 'offline' | 'moving' | 'full' | 'cap'
const HABITS: readonly Habit[] = [
  'online',
  'online',
  'online',
  'online',
  'offline',
  'offline',
  'moving',
  'moving',
  'full',
  'cap',
]

type CrowdPlayer = { id: number; account: string; habit: Habit; isInSecondGame: boolean }

export type CrowdPlan = { claims: number; seed: number; kills: number }

export type CrowdReport = CrowdPlan & {
  collected: number
  charges: ChargesReport
  /** How many wait at the end, by reason. */
  waiting: Record<string, number>
  killed: Record<string, number>
  /** How often a player left or came while claims were collected. */
  moves: number
  /** Each of these has to be 0. */
  faults: {
    doubled: number
    lost: number
    /** Given, but not marked as collected. */
    unmarked: number
    wrongCharges: number
    wrongSums: number
    wrongMemory: number
    wrongReasons: number
  }
  seconds: number
  isClean: boolean
}

/**
 * Claims and charges arrive for players of all habits in two processes of the game, of which one has two collectors, while the
 * games are killed and started again; then the claims, the game's journal and the characters are compared.
 */
export async function rehearseCrowd(rehearsal: Rehearsal, plan: CrowdPlan): Promise<CrowdReport> {
  const crowd = new Crowd(rehearsal, plan)
  return crowd.run()
}

class Crowd {
  readonly #random: Random
  readonly #players: CrowdPlayer[]
  readonly #claims: Claim[]
  readonly #charges: CrowdCharges
  readonly #games: RehearsalGame[] = []
  readonly #killed: Record<string, number> = {}
  readonly #rehearsal: Rehearsal
  readonly #plan: CrowdPlan
  #isMoving = true
  #moves = 0

  constructor(rehearsal: Rehearsal, plan: CrowdPlan) {
    this.#rehearsal = rehearsal
    this.#plan = plan
    this.#random = seeded(plan.seed)
    const count = Math.max(40, Math.ceil(plan.claims / 10))
    this.#players = Array.from({ length: count }, (_, index) => ({
      id: 1_000 + index,
      account: `hero${index}`,
      habit: HABITS[index % HABITS.length] ?? 'online',
      isInSecondGame: Math.floor(index / HABITS.length) % 2 === 1,
    }))
    this.#claims = Array.from({ length: plan.claims }, () => ({
      id: randomUUID(),
      characterId: this.#random.pick(this.#players).id,
      goods: this.#goods(),
    }))
    const payers = this.#players
      .filter(({ habit }) => habit !== 'full' && habit !== 'cap')
      .map(({ id, account, habit }) => ({ id, account, isAway: habit === 'offline' }))
    const charges = Math.ceil(plan.claims / 5)
    this.#charges = new CrowdCharges(rehearsal.database, this.#random, { count: charges, payers })
  }

  #goods(): Good[] {
    const some = () => 1 + this.#random.below(500)
    const kind = this.#random.below(10)
    if (kind < 5) return [luong(some())]
    if (kind < 7) return [yen(some())]
    if (kind < 9) return [luong(some()), item(this.#random.pick(['pet', 'sword']))]
    return [item('mystery')]
  }

  async run(): Promise<CrowdReport> {
    const began = performance.now()
    const { database } = this.#rehearsal
    await emptyTables(database)
    await addHeroes(
      database,
      this.#players.map(({ id, account, habit }) => ({ id, account, ...startOf(habit) })),
    )
    await Promise.all([this.#start(0), this.#start(1)])
    const moving = this.#players.filter(({ habit }) => habit === 'moving').map((player) => this.#move(player))
    await Promise.all([this.#deliver(), this.#charges.send()])
    await Promise.all(moving)
    await this.#enter(({ habit }) => habit !== 'offline')
    await this.#untilSettled()
    const wrongReasons = await this.#wrongReasons()
    const wrongMemory = await this.#wrongMemory()
    // Those who were away come, and there is room in the bags.
    await this.#enter(() => true)
    const full = this.#players.filter(({ habit }) => habit === 'full')
    await Promise.all(full.map((player) => this.#gameOf(player).fill(player.account, 0)))
    await this.#untilSettled()
    const laterReasons = await this.#wrongReasons(true)
    const waiting = await this.#waiting()
    const charges = await this.#charges.report()
    await Promise.all(this.#games.map((game) => game.end()))
    const faults = {
      ...(await this.#journalFaults()),
      wrongCharges: charges.wrong,
      wrongSums: await this.#wrongSums(),
      wrongMemory,
      wrongReasons: wrongReasons + laterReasons,
    }
    return {
      ...this.#plan,
      collected: this.#claims.length - sum(Object.values(waiting)),
      charges,
      waiting,
      killed: this.#killed,
      moves: this.#moves,
      faults,
      seconds: secondsSince(began),
      isClean: Object.values(faults).every((count) => count === 0),
    }
  }

  async #start(which: 0 | 1): Promise<void> {
    const collectors = which === 0 ? ['first', 'second'] : ['third']
    this.#games[which] = await this.#rehearsal.startGame({ collectors })
    await this.#enter(({ habit, isInSecondGame }) => isInSecondGame === (which === 1) && habit !== 'offline')
  }

  #gameOf({ isInSecondGame }: CrowdPlayer): RehearsalGame {
    return this.#games[isInSecondGame ? 1 : 0] as RehearsalGame
  }

  async #enter(isMeant: (player: CrowdPlayer) => boolean): Promise<void> {
    for (const player of this.#players.filter(isMeant)) await this.#gameOf(player).enter(player.account)
  }

  /** In and out, as quickly as the game answers, also while it collects. */
  async #move(player: CrowdPlayer): Promise<void> {
    while (this.#isMoving) {
      try {
        await this.#gameOf(player).leave(player.account)
        await this.#gameOf(player).enter(player.account)
        this.#moves++
      } catch {
        // Its game was just killed.
      }
      await sleep(1 + this.#random.below(20))
    }
  }

  /** The claims arrive in as many portions as there are kills; each kill comes while one of them is collected. */
  async #deliver(): Promise<void> {
    const { kills } = this.#plan
    const size = Math.ceil(this.#claims.length / (kills + 1))
    for (let portion = 0; portion <= kills; portion++) {
      const claims = this.#claims.slice(portion * size, (portion + 1) * size)
      if (portion === kills) this.#isMoving = false
      const kill = portion < kills ? this.#kill(portion) : Promise.resolve()
      await addClaims(this.#rehearsal.database, claims)
      await kill
    }
  }

  async #kill(portion: number): Promise<void> {
    const which = this.#random.below(2) as 0 | 1
    const game = this.#games[which] as RehearsalGame
    const points: readonly (Fault | 'any time')[] = ['kill-before-commit', 'kill-after-commit', 'any time']
    const point = points[portion % points.length] ?? 'any time'
    if (point === 'any time') await sleep(this.#random.below(400))
    else {
      await game.fault(point)
      await Promise.race([game.ended, sleep(5_000)])
    }
    await game.kill()
    this.#killed[point] = (this.#killed[point] ?? 0) + 1
    await this.#start(which)
  }

  /** Until every claim is collected or has its reason, and nobody in the game is told to come into the game. */
  async #untilSettled(): Promise<void> {
    const { database } = this.#rehearsal
    const inGame = await this.#idsInGame()
    for (const end = Date.now() + SETTLE_MS_MAX; ; await sleep(100)) {
      const [row] = await database.query(
        `SELECT COUNT(*) FROM portal_delivery WHERE collected_at IS NULL
            AND (waiting IS NULL OR waiting = 'offline' AND character_id IN (${inGame.map((id) => `'${id}'`).join(', ')}))`,
      )
      // Those that wait are tried in each round: two rounds more show those that fit by now.
      if (row?.[0] === '0') return void (await sleep(500))
      if (Date.now() > end)
        throw new Error(`${row?.[0]} claims are neither collected nor do they have a reason`)
    }
  }

  async #idsInGame(): Promise<number[]> {
    const views = await Promise.all(this.#players.map((player) => this.#gameOf(player).show(player.account)))
    return this.#players.filter((_, index) => views[index] !== null).map(({ id }) => id)
  }

  /** Claims that wait although they fit, that are collected although they could not be, or wait for another reason. */
  async #wrongReasons(isEverybodyThere = false): Promise<number> {
    const { database } = this.#rehearsal
    const rows = await database.query(
      "SELECT id, COALESCE(waiting, ''), collected_at IS NOT NULL FROM portal_delivery",
    )
    const states = new Map(
      rows.map(([id, waiting, isCollected]) => [id, isCollected === '1' ? 'collected' : waiting]),
    )
    const players = new Map(this.#players.map((player) => [player.id, player]))
    const views = new Map<number, number>()
    for (const player of this.#players.filter(({ habit }) => habit === 'cap'))
      views.set(player.id, (await this.#gameOf(player).show(player.account))?.luong ?? 0)
    const expected = ({ characterId, goods }: Claim, state: string | null | undefined) => {
      const { habit } = players.get(characterId) as CrowdPlayer
      const lines = goods as readonly Good[]
      if (habit === 'offline' && !isEverybodyThere) return 'offline'
      if (lines.some(({ code }) => code === 'mystery')) return 'unknown-item'
      const wanted = sum(lines.filter(({ kind }) => kind === 'luong').map(({ quantity }) => quantity))
      // Which of them came first, and fitted, was up to the collectors.
      if (habit === 'cap' && wanted > 0 && state !== 'collected')
        return (views.get(characterId) ?? 0) + wanted > CAP ? 'over-limit' : 'collected'
      if (habit === 'full' && !isEverybodyThere && lines.some(({ kind }) => kind === 'item'))
        return 'bag-full'
      return 'collected'
    }
    return this.#claims.filter((claim) => states.get(claim.id) !== expected(claim, states.get(claim.id)))
      .length
  }

  /** Players whose character in memory is not the one in the database, which each gift writes. */
  async #wrongMemory(): Promise<number> {
    const stored = await this.#stored()
    let wrong = 0
    for (const player of this.#players) {
      const view = await this.#gameOf(player).show(player.account)
      if (view === null) continue
      const row = stored.get(player.id)
      if (row?.luong !== view.luong || row.yen !== view.yen || row.bag !== view.bag) wrong++
    }
    return wrong
  }

  async #stored() {
    const rows = await this.#rehearsal.database.query(
      'SELECT c.id, a.luong, c.yen, c.bag FROM game_character c JOIN game_account a ON a.id = c.account_id',
    )
    return new Map(
      rows.map(([id, luong, yen, bag]) => [
        Number(id),
        { luong: Number(luong), yen: Number(yen), bag: bag ?? '' },
      ]),
    )
  }

  async #waiting(): Promise<Record<string, number>> {
    const rows = await this.#rehearsal.database.query(
      "SELECT COALESCE(waiting, 'no reason'), COUNT(*) FROM portal_delivery WHERE collected_at IS NULL GROUP BY waiting",
    )
    return Object.fromEntries(rows.map(([reason, count]) => [reason ?? '', Number(count)]))
  }

  async #journalFaults(): Promise<{ doubled: number; lost: number; unmarked: number }> {
    const [row] = await this.#rehearsal.database.query(
      `SELECT SUM(given > 1), SUM(given = 0 AND collected_at IS NOT NULL), SUM(given > 0 AND collected_at IS NULL)
         FROM (SELECT d.id, d.collected_at, COUNT(j.line) AS given
                 FROM portal_delivery d LEFT JOIN game_journal j ON j.purchase = d.id AND j.luong >= 0 GROUP BY d.id, d.collected_at) one`,
    )
    const [doubled, lost, unmarked] = (row ?? []).map(Number)
    return { doubled: doubled ?? -1, lost: lost ?? -1, unmarked: unmarked ?? -1 }
  }

  /** Players who do not have what they began with and what is collected for them, without what was taken. */
  async #wrongSums(): Promise<number> {
    const stored = await this.#stored()
    const rows = await this.#rehearsal.database.query(
      'SELECT id FROM portal_delivery WHERE collected_at IS NOT NULL',
    )
    const collected = new Set(rows.map(([id]) => id))
    const wrong = this.#players.filter(({ id, habit }) => {
      const goods = this.#claims
        .filter((claim) => claim.characterId === id && collected.has(claim.id))
        .flatMap((claim) => claim.goods as readonly Good[])
      const total = (kind: Good['kind']) =>
        sum(goods.filter((good) => good.kind === kind).map(({ quantity }) => quantity))
      const items = goods.flatMap(({ code }) => code ?? []).toSorted()
      const hero = stored.get(id)
      const bag = (hero?.bag ?? '').split(',').flatMap((one) => one.split(':')[0] || [])
      return (
        hero?.luong !== (startOf(habit).luong ?? START) + total('luong') + this.#charges.gainOf(id) ||
        hero.yen !== START + total('yen') ||
        bag
          .filter((code) => code !== 'stone')
          .toSorted()
          .join() !== items.join()
      )
    })
    return wrong.length
  }
}

function startOf(habit: Habit): { luong?: number; bag?: string } {
  if (habit === 'cap') return { luong: CAP - 300 }
  if (habit === 'full') return { bag: Array.from({ length: BAG_SIZE }, () => 'stone:1:0').join() }
  return {}
}
