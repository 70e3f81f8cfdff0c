import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHttpGame } from '#server/modules/game-bridge/index.ts'
import { type Random, sum } from '../harness/numbers.ts'
import { startRehearsalAdapter } from './adapter.ts'
import type { GameDatabase } from './database.ts'
import { SECRET } from './game.ts'

const AT_ONCE = 8
const TRIES_MAX = 100
/** More than anybody has. */
const TOO_MUCH = 900_000_000

type Payer = { id: number; account: string; isAway: boolean }
/** When a charge is given back, if it is. */
type Refund = 'never' | 'before' | 'beside' | 'after'
type CrowdCharge = { id: string; payer: Payer; luong: number; refund: Refund; outcome: string }

export type ChargesReport = {
  taken: number
  givenBack: number
  refused: Record<string, number>
  /** Charges whose journal is not what the answers say. */
  wrong: number
}

/** Charges through the adapter while the games that take them are killed; half of them are given back. */
export class CrowdCharges {
  readonly #database: GameDatabase
  readonly #charges: CrowdCharge[]
  #taken = new Map<number, number>()

  constructor(
    database: GameDatabase,
    random: Random,
    { count, payers }: { count: number; payers: readonly Payer[] },
  ) {
    this.#database = database
    const there = payers.filter(({ isAway }) => !isAway)
    const away = payers.filter(({ isAway }) => isAway)
    this.#charges = Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      // Few of those who are away: each is waited for.
      payer: random.pick(index % 20 === 19 ? away : there),
      luong: index % 10 === 0 ? TOO_MUCH : 1 + random.below(20),
      refund: random.pick(['never', 'never', 'before', 'beside', 'after', 'after'] as const),
      outcome: '',
    }))
  }

  async send(): Promise<void> {
    const adapter = await startRehearsalAdapter(this.#database)
    try {
      await this.#untilSupported()
      const portal = openHttpGame({ url: adapter.url, secret: SECRET })
      const waiting = [...this.#charges]
      const lane = async () => {
        for (let charge = waiting.shift(); charge; charge = waiting.shift()) await sendOne(portal, charge)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
    } finally {
      await adapter.close()
    }
  }

  async #untilSupported(): Promise<void> {
    const isSaid = async () =>
      (await this.#database.query("SELECT 1 FROM portal_state WHERE name = 'takes_charges'")).length > 0
    for (let tries = 0; !(await isSaid()); tries++) {
      if (tries === TRIES_MAX) throw new Error('no game says that it takes charges')
      await sleep(100)
    }
  }

  /** What charges have changed for a character. */
  gainOf = (characterId: number): number => -(this.#taken.get(characterId) ?? 0)

  /** Compares the journal of the game with the answers; once everything that is given back is collected. */
  async report(): Promise<ChargesReport> {
    const rows = await this.#database.query(
      `SELECT c.id, c.status, COALESCE(GROUP_CONCAT(j.luong ORDER BY j.line), '')
         FROM portal_charge c LEFT JOIN game_journal j ON j.purchase = c.id GROUP BY c.id, c.status`,
    )
    const stored = new Map(rows.map(([id, status, journal]) => [id, { status, journal }]))
    const refused: Record<string, number> = {}
    let wrong = 0
    for (const { id, payer, luong, refund, outcome } of this.#charges) {
      const isTaken = outcome === 'applied' && refund === 'never'
      if (isTaken) this.#taken.set(payer.id, (this.#taken.get(payer.id) ?? 0) + luong)
      if (outcome !== 'applied') refused[outcome] = (refused[outcome] ?? 0) + 1
      const { status, journal } = stored.get(id) ?? {}
      const given = refund === 'never' ? `-${luong}` : `-${luong},${luong}`
      // Taken and given back before anybody answered that it was taken.
      const isBothPossible = outcome === 'refunded' && refund === 'beside'
      const expected = outcome === 'applied' ? [given] : isBothPossible ? ['', given] : ['']
      const end = refund !== 'never' ? 'refunded' : isTaken ? 'applied' : 'refused'
      if (status !== end || !expected.includes(journal ?? 'none')) wrong++
    }
    const taken = this.#charges.filter(({ outcome }) => outcome === 'applied')
    const givenBack = taken.filter(({ refund }) => refund !== 'never').length
    const others = stored.size - this.#charges.length
    return { taken: taken.length, givenBack, refused, wrong: sum([wrong, Math.abs(others)]) }
  }
}

async function sendOne(portal: ReturnType<typeof openHttpGame>, charge: CrowdCharge): Promise<void> {
  const { id, payer, luong, refund } = charge
  const giveBack = () => portal.refundCharge(id)
  if (refund === 'before') await giveBack()
  const beside = refund === 'beside' ? giveBack() : Promise.resolve()
  const place = { serverId: '1', account: payer.account, characterId: String(payer.id) }
  for (let tries = 1; charge.outcome === ''; tries++) {
    const outcome = await portal.charge({ id, ...place, luong })
    if (outcome.kind === 'applied') charge.outcome = 'applied'
    else if (outcome.kind === 'refused') charge.outcome = outcome.reason
    else if (tries === TRIES_MAX) throw new Error(`charge ${id} is not decided: ${JSON.stringify(outcome)}`)
  }
  await beside
  if (refund === 'after') await giveBack()
}
