import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { prepareAttempts } from '#tests/mutation/database/guard.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { waitingColumns } from '#tests/support/waiting-columns.ts'

/*
 * What a clock wrote that was ahead, ten minutes or a day: no work, no lease and no pause waits for longer than the longest
 * of its kind.
 */

const database = await freshDatabase()
const owner = new Client({ connectionString: database.ownerUrl })
await owner.connect()
await prepareAttempts(owner)
const db = openDatabase({ url: database.appUrl, log: openLog('fatal'), connectionsMax: 2 })

afterAll(async () => {
  await db.destroy()
  await owner.end()
  await database.drop()
})

const AHEAD_SECONDS = { 'ten minutes': 600, 'a day and ten minutes': 87_000 }
const COLUMNS = waitingColumns(db)

/** What people were told or chose, or the ends of a span: it stays, whatever a clock said when it was written. */
const PROMISES = [
  'campaign_report.counted_until',
  'campaign_report.ends_at',
  'campaign_report.starts_at',
  'deletion_request.due_at',
  'game_comparison.until',
  'gift_code_batch.ends_at',
  'gift_code_batch.starts_at',
  'goods_promise.ends_at',
  'maintenance.until',
  'milestone_program.claims_until',
  'milestone_program.ends_at',
  'milestone_program.starts_at',
  'order_bonus.hold_until',
  'order_purchase.until',
  'payment_order.expires_at',
  'planned_price.ends_at',
  'planned_price.starts_at',
  'posts.publish_at',
  'promotion.ends_at',
  'promotion.starts_at',
  'proposal.takes_effect_at',
  // Their last use bounds them: after half an hour without one those of operators are locked.
  'sessions.expires_at',
  'staff_invite.expires_at',
  'statistics_active.start',
  'statistics_active_player.start',
  'teams.held_until',
  'tournaments.competition_start_at',
  'tournaments.registration_start_at',
  'users.ban_until',
  'users.sign_in_ban_until',
]

test('each moment that may lie ahead is known: work that is due, or a promise', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type LIKE 'timestamp%'
        AND column_name ~ '(^|_)(next|due|retry|lease|until|expires|starts?|ends?|takes_effect|publish)(_|$)' AND is_updatable = 'YES'
      ORDER BY 1`,
  )
  const waiting = Object.entries(COLUMNS).flatMap(([name, { longest }]) => (longest === 0 ? [] : [name]))
  expect(rows.map(({ name }) => name)).toEqual([...waiting, ...PROMISES].toSorted())
})

test.each(Object.entries(COLUMNS))('%s: what lies too far ahead has come', async (name, column) => {
  const { longest, arranged = '', where = 'true', isTaken } = column
  const [table, field] = name.split('.')
  const takenAt = async (seconds: number) => {
    await owner.query(arranged)
    await owner.query(
      `UPDATE ${table} SET ${field} = clock_timestamp() + make_interval(secs => ${seconds}) WHERE ${where}`,
    )
    return isTaken()
  }
  expect(await takenAt(0.9 * longest), 'what is not due yet').toBe(false)
  for (const [clock, seconds] of Object.entries(AHEAD_SECONDS))
    expect(await takenAt(longest + seconds), clock).toBe(true)
})
