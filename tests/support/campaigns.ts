import { sql } from 'kysely'
import {
  type CampaignKind,
  CODE_DAYS,
  INVITED_DAYS,
  RETURN_DAYS,
} from '#contract/operator/campaign-reports.ts'
import { decideDue } from '#server/modules/invitations/invitations.service.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { TestApp } from './app.ts'

const DAY_MS = 86_400_000

/** What the worker does with invitations that are due. */
export async function decideAll({ deps }: Pick<TestApp, 'deps'>): Promise<void> {
  while (await decideDue(deps));
}

type Move = { id: string; kind: string; amount: number; source: string; reverses: string | null; at: number }
type Recharge = { id: string; user: string; at: number; booked: number; vnd: number; backAt: number }
/** What was written down, and what the ledger has. */
export type World = {
  /** The campaign of each bonus, of each recharge that a bonus came with, and of each use of a code. */
  promotionOfBonus: ReadonlyMap<string, string>
  promotionOfRecharge: ReadonlyMap<string, string>
  batchOfUse: ReadonlyMap<string, string>
  invited: ReadonlySet<string>
  /** Who plays in each tournament. */
  teams: ReadonlyMap<string, ReadonlySet<string>>
  firstHour: number
  moves: Move[]
  recharges: Recharge[]
  users: { id: string; at: number }[]
  uses: { id: string; user: string; at: number }[]
}

type Books = Pick<World, 'moves' | 'recharges' | 'users' | 'uses'>

/** The movements of TCoin, recharges with what became of them, players and uses of codes; times in ms. */
export async function readBooks(db: Db): Promise<Books> {
  const numbers = <Row extends object>(rows: Row[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          ['amount', 'at', 'vnd', 'booked', 'backAt'].includes(name) ? Number(value) : value,
        ]),
      ),
    ) as never
  const ms = (column: string) => sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::numeric(20, 3)`
  const moves = await sql<object>`
    SELECT id, kind, amount, source_type || ' ' || source_id AS source, reverses_id AS reverses, ${ms('created_at')} AS at
      FROM ledger_transfer`.execute(db)
  const recharges = await sql<object>`
    SELECT t.id, u.id AS user, ${ms('t.created_at')} AS at, ${ms('b.booked_at')} AS booked, b.amount AS vnd,
           coalesce(${ms('back.created_at')}, 'infinity') AS "backAt"
      FROM ledger_transfer t
      JOIN users u ON u.wallet_account_id = t.credit_account
      JOIN bank_transaction b ON t.source_type || ':' || t.source_id LIKE 'bank_transaction:' || b.id
                              OR t.source_type || ':' || t.source_id LIKE 'bank_transaction:' || b.id || ':%'
      LEFT JOIN ledger_transfer back ON back.reverses_id = t.id
     WHERE t.kind = 'recharge'`.execute(db)
  const users = await sql<object>`SELECT id, ${ms('created_at')} AS at FROM users`.execute(db)
  const uses =
    await sql<object>`SELECT id, user_id AS user, ${ms('used_at')} AS at FROM gift_code_use`.execute(db)
  return {
    moves: numbers(moves.rows),
    recharges: numbers(recharges.rows),
    users: numbers(users.rows),
    uses: numbers(uses.rows),
  }
}

export type Times = { from: number; to: number; until: number }

export const total = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0)

/** TCoin of a campaign by what was written down, without those that were taken back. */
function coinsOf(world: World, { kind, id }: { kind: CampaignKind; id: string }, { from, to, until }: Times) {
  const moves = world.moves.filter(({ at }) => at < until)
  const isNew = new Set(
    world.users
      .filter((user) => user.at >= from && user.at < to && world.invited.has(user.id))
      .map((user) => user.id),
  )
  const given = moves.filter(({ id: move, source }) => {
    if (kind === 'promotions') return world.promotionOfBonus.get(move) === id
    if (kind === 'gift-codes')
      return world.batchOfUse.get(/^gift_code_use (\d+)$/.exec(source)?.[1] ?? '') === id
    return kind === 'invitations' && isNew.has(/^invitation (\d+):/.exec(source)?.[1] ?? '')
  })
  const ids = new Set(given.map((move) => move.id))
  const back = moves.filter(({ reverses }) => reverses !== null && ids.has(reverses))
  return { given: total(given, ({ amount }) => amount), taken_back: total(back, ({ amount }) => amount) }
}

/** The same figures over lists in memory, one rule after the other. */
export function expectedOf(world: World, campaign: { kind: CampaignKind; id: string }, times: Times) {
  const { kind, id } = campaign
  const { from, to, until } = times
  const isIn = (at: number) => at >= from && at < to
  const isEarlier = (at: number) => at >= 2 * from - to && at < from
  const recharges = world.recharges.filter(({ at }) => at < until)
  const isBack = ({ backAt }: Recharge) => backAt < until
  const usesOf = (user?: string) =>
    world.uses.filter(
      (use) =>
        world.batchOfUse.get(use.id) === id && use.at < until && (user === undefined || use.user === user),
    )
  const registered = (user: string) => world.users.find((one) => one.id === user)?.at as number
  const isBrought = (recharge: Recharge): boolean => {
    const { id: transfer, user, at, booked } = recharge
    if (kind === 'promotions') return world.promotionOfRecharge.get(transfer) === id
    if (kind === 'milestones') return isIn(booked)
    // A code is used while its batch runs: what was recharged long before that is not looked at.
    if (kind === 'gift-codes')
      return (
        at >= 2 * from - to && usesOf(user).some((use) => use.at <= at && at - use.at < CODE_DAYS * DAY_MS)
      )
    if (kind === 'invitations')
      return (
        world.invited.has(user) && isIn(registered(user)) && at < registered(user) + INVITED_DAYS * DAY_MS
      )
    return (world.teams.get(id)?.has(user) ?? false) && isIn(at)
  }
  const brought = recharges.filter(isBrought)
  const takesPart = (user: string): boolean => {
    if (kind === 'promotions' || kind === 'milestones')
      return brought.some((recharge) => recharge.user === user)
    if (kind === 'gift-codes') return usesOf(user).length > 0
    if (kind === 'invitations') return world.invited.has(user) && isIn(registered(user))
    return world.teams.get(id)?.has(user) ?? false
  }
  const joined = world.users.filter((user) => takesPart(user.id))
  const ofPlayers = recharges.filter(({ user }) => takesPart(user))
  const net = (rows: readonly Recharge[]) => total(rows, (row) => (isBack(row) ? 0 : row.vnd))
  const timesOf = (user: string) =>
    ofPlayers.filter((recharge) => recharge.user === user).map((recharge) => recharge.at)
  const players = joined.map((user) => {
    const at = timesOf(user.id)
    const before = at.filter((one) => one < from)
    return {
      isNew: isIn(user.at),
      isFirst: at.length > 0 && isIn(Math.min(...at)),
      isReturned: before.length > 0 && Math.max(...before) < from - RETURN_DAYS * DAY_MS,
      isAfter: at.some((one) => one >= to && one < to + RETURN_DAYS * DAY_MS),
    }
  })
  const count = (is: keyof (typeof players)[number]) => players.filter((player) => player[is]).length
  return {
    ...coinsOf(world, campaign, times),
    brought: total(brought, ({ vnd }) => vnd),
    brought_back: total(brought.filter(isBack), ({ vnd }) => vnd),
    recharged: net(ofPlayers.filter(({ at }) => isIn(at))),
    recharged_before: net(ofPlayers.filter(({ at }) => isEarlier(at))),
    all_recharged: net(recharges.filter(({ at }) => isIn(at))),
    all_recharged_before:
      world.firstHour <= 2 * from - to ? net(recharges.filter(({ at }) => isEarlier(at))) : null,
    players: joined.length,
    new_players: count('isNew'),
    first_payers: count('isFirst'),
    returned: count('isReturned'),
    payers: new Set(brought.map(({ user }) => user)).size,
    payers_before: new Set(ofPlayers.filter(({ at }) => isEarlier(at)).map(({ user }) => user)).size,
    payers_after: count('isAfter'),
  }
}
