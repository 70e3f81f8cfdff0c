import { afterAll, beforeAll } from 'vitest'
import { ROLES } from '#contract/operator/roles.ts'
import { banPlayer } from '#server/modules/traders/index.ts'
import { importGroups } from '#server/modules/ranking/index.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { type PlantedTournament, plantTournaments } from '#server/modules/tournaments/testing/planted.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { startTestApp, type TestApp, type TestAppOptions } from '#tests/support/app.ts'
import { aClaim, aReceipt } from '#tests/support/uploads.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, creditPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { sendRequest } from './send-request.ts'

/** Every kind of caller. The data below belong to `player`. */
export const CALLERS = ['nobody', 'player', 'other', 'newcomer', 'banned', ...ROLES] as const
export type Caller = (typeof CALLERS)[number]

export type World = {
  portal: TestApp
  /** Null for `nobody`. */
  cast: Record<Caller, TestPlayer | null>
  player: TestPlayer
  other: TestPlayer
  owner: TestPlayer
  /** Ids of things of `player`. */
  characterId: string
  orderCode: string
  /** A purchase of `player`, who has as many coins after it as before. */
  aDelivery(): Promise<string>
  /** It has a picture. */
  claimId: string
  /** Ids of things without an owner. */
  tournamentId: string
  groupId: string
  aPost(): Promise<string>
  aCategory(): Promise<string>
  /** Operators have acted at no time before: a test acts faster than a person may. */
  forgetPace(): Promise<void>
  /** A purchase of an otherwise unused player, not sent yet. */
  aStrangersDelivery(): Promise<string>
}

const HOUR_MS = 3_600_000

export async function openWorld(options: TestAppOptions = {}): Promise<World> {
  const portal = await startTestApp({ mode: 'demo', ...options })
  await openAccounts(portal)
  const player = await aPlayer(portal, { coins: 2_000_000, isActivated: true })
  const other = await aPlayer(portal, { coins: 2_000_000, isActivated: true })
  const banned = await aPlayer(portal, { coins: 2_000_000, isActivated: true })
  await ban(portal, banned, 'Dùng phần mềm gian lận')
  const cast: World['cast'] = {
    nobody: null,
    player,
    other,
    newcomer: await aPlayer(portal),
    banned,
    owner: await anOperator(portal, 'owner'),
    editor: await anOperator(portal, 'editor'),
    cashier: await anOperator(portal, 'cashier'),
    referee: await anOperator(portal, 'referee'),
    support: await anOperator(portal, 'support'),
  }
  const owner = cast.owner as TestPlayer
  const forgetPace = async () => {
    await portal.db.deleteFrom('rate_limit').where('key', 'like', 'operator-acts:%').execute()
  }
  const [characterId] = await charactersOf(portal, player)
  invariant(characterId, 'a new player has a character')
  return {
    portal,
    cast,
    player,
    other,
    owner,
    characterId,
    orderCode: (await anOrder(portal, player)).code,
    async aDelivery() {
      await creditPlayer(portal, player, 10_000)
      return buyLuongFor(portal, { player, character: characterId, amount: 10_000 })
    },
    claimId: await aClaim(portal, player, { picture: await aReceipt().jpeg().toBuffer() }),
    tournamentId: await aTournament(portal),
    groupId: await aGroup(portal),
    aStrangersDelivery: purchases(portal),
    forgetPace,
    aPost: () =>
      made(portal, owner, '/api/operator/posts', {
        title: 'Chợ đêm',
        content: '<p>Đã mở.</p>',
        reason: 'Thử',
      }),
    async aCategory() {
      // There is room for a hundred, and attacks on the call that makes them may succeed in that.
      await portal.db.deleteFrom('categories').execute()
      return made(portal, owner, '/api/operator/categories', { title: 'Tin tức', reason: 'Thử' })
    },
  }
}

/** The world of a test file: opened before its tests, closed after them. */
export function useWorld(options?: TestAppOptions): World {
  const world = {} as World
  beforeAll(async () => void Object.assign(world, await openWorld(options)))
  afterAll(() => world.portal.close())
  return world
}

export async function ban(portal: TestApp, { id }: TestPlayer, reason: string): Promise<void> {
  await inTransaction(portal.db, (tx) =>
    banPlayer(tx, {
      userId: id,
      until: new Date(Date.now() + HOUR_MS),
      reason,
      actor: { kind: 'system' },
    }),
  )
}

/** Buys for an otherwise unused player, on demand. */
function purchases(portal: TestApp): () => Promise<string> {
  let arriving: Promise<TestPlayer> | undefined
  return async () => {
    arriving ??= aPlayer(portal, { coins: 2_000_000, isActivated: true })
    const player = await arriving
    const [character = ''] = await charactersOf(portal, player)
    return buyLuongFor(portal, { player, character })
  }
}

async function made(portal: TestApp, owner: TestPlayer, path: string, body: unknown): Promise<string> {
  const answer = await sendRequest(portal, { method: 'POST', path, token: owner.token, body })
  invariant(answer.status === 201, `the owner makes it: ${answer.text}`)
  return (answer.body as { id: string }).id
}

export async function aTournament(portal: TestApp, change: Partial<PlantedTournament> = {}): Promise<string> {
  const tournament: PlantedTournament = {
    name: 'Giải thử',
    registration_start_at: new Date('2026-03-01T01:00:00Z'),
    competition_start_at: new Date('2026-03-10T12:30:00Z'),
    mode: 1,
    fee: 250,
    type: 1,
    min_level: 1,
    max_level: 200,
    max_round: 1,
    current_round: 0,
    allowed_classes: [1, 2, 3],
    teams: ['Bạch Vân', 'Hắc Điêu'],
    results: null,
    ...change,
  }
  await inTransaction(portal.db, (tx) => plantTournaments(tx, [tournament]))
  const newest = portal.db.selectFrom('tournaments').select('id').orderBy('id', 'desc').limit(1)
  return (await newest.executeTakeFirstOrThrow()).id
}

async function aGroup(portal: TestApp): Promise<string> {
  const group = {
    name: 'Cao thủ',
    description: '',
    value_name: 'Cấp',
    source: 'game',
    board: 'level',
  } as const
  await inTransaction(portal.db, (tx) => importGroups(tx, [group]))
  return (await portal.db.selectFrom('ranking_groups').select('id').executeTakeFirstOrThrow()).id
}
