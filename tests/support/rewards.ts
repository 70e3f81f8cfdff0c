import { randomUUID } from 'node:crypto'
import type { Good } from '#contract/deliveries.ts'
import { CALENDAR_DAYS } from '#contract/operator/rewards/goods.ts'
import type { TestApp } from './app.ts'
import { asOwner } from './databases.ts'
import { aPlayer, type PlayerWishes, type TestPlayer } from './players.ts'
import { charactersOf } from './purchases.ts'
import { setSetting } from './settings.ts'

/** On day n of a month so much luong as n. */
export const CALENDAR: Good[][] = Array.from({ length: CALENDAR_DAYS }, (_, index) => [
  { kind: 'luong', quantity: index + 1 },
])

export async function openCheckIn(test: TestApp): Promise<void> {
  await setSetting(test, 'check_in_goods', JSON.stringify(CALENDAR))
  await setSetting(test, 'check_in_enabled', '1')
}

/** What `GET /v1/game` is taken to have said, beside what it said before. */
export const gameSays = (test: Pick<TestApp, 'ownerUrl'>, words: object): Promise<void> =>
  asOwner(
    test,
    `INSERT INTO game_description (description, tells_collection, read_at) VALUES ($1, false, now())
     ON CONFLICT (id) DO UPDATE SET description = coalesce(game_description.description, '{}') || excluded.description`,
    [JSON.stringify(words)],
  )

/** The same: these items with the most of each, and so much luong and yen. */
export const gameTakes = (
  test: Pick<TestApp, 'ownerUrl'>,
  items: Readonly<Record<string, number>>,
  max = { luong: 2_000_000_000, yen: 2_000_000_000 },
): Promise<void> =>
  gameSays(test, {
    items: Object.entries(items).map(([code, most]) => ({ code, name: `Món ${code}`, max: most })),
    max,
  })

/** An activated player and their first character. */
export async function aTaker(
  test: TestApp,
  wishes: PlayerWishes = { isActivated: true },
): Promise<{ player: TestPlayer; character: string }> {
  const player = await aPlayer(test, wishes)
  const [character = ''] = await charactersOf(test, player)
  return { player, character }
}

type Terms = {
  /** VND; each brings a hundredth of it as luong. */
  steps?: readonly number[]
  startsAt?: Date
  endsAt?: Date
  claimsUntil?: Date
}

export type TestMilestones = { id: string; steps: { id: string; at: number; luong: number }[] }

const HOUR_MS = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms)

/** A programme that runs, by default from an hour ago until in an hour; it takes the place of the one before. */
export async function runningMilestones(
  test: TestApp,
  {
    steps = [50_000, 200_000],
    startsAt = inMs(-HOUR_MS),
    endsAt = inMs(HOUR_MS),
    claimsUntil = inMs(2 * HOUR_MS),
  }: Terms = {},
): Promise<TestMilestones> {
  await stopMilestones(test)
  const title = `Mốc nạp ${randomUUID()}`
  await asOwner(
    test,
    `INSERT INTO milestone_program (title, starts_at, ends_at, claims_until, state, started_at, made_by)
     SELECT $1, $2, $3, $4, 'running', now(), min(id) FROM users`,
    [title, startsAt, endsAt, claimsUntil],
  )
  const program = test.db.selectFrom('milestone_program').select('id').where('title', '=', title)
  const { id } = await program.executeTakeFirstOrThrow()
  await asOwner(
    test,
    `INSERT INTO milestone_step (program_id, at, goods)
     SELECT $1, at, jsonb_build_array(jsonb_build_object('kind', 'luong', 'quantity', at / 100))
       FROM unnest($2::bigint[]) AS at`,
    [id, steps],
  )
  const rows = test.db.selectFrom('milestone_step').select(['id', 'at']).where('program_id', '=', id)
  const stored = await rows.orderBy('at').execute()
  return {
    id,
    steps: stored.map((step) => ({ id: step.id, at: Number(step.at), luong: Number(step.at) / 100 })),
  }
}

export const stopMilestones = (test: TestApp): Promise<void> =>
  asOwner(
    test,
    `UPDATE milestone_program SET state = 'stopped', stopped_at = now(), stopped_by = made_by WHERE state = 'running'`,
  )
