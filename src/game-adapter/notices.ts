import { createHash } from 'node:crypto'
import { isGameId, ok, readNotice, wrong, type Answer } from '#game-server/reading.ts'
import type { Notice } from '#game-server/world.ts'
import { isDuplicate, type Database, type Session } from './database.ts'
import { dateTimeOf, keyOf } from './values.ts'

/** What the part inside the game writes once it has a method to show notices. */
const SHOWS_NOTICES = `SELECT value FROM portal_state WHERE name = 'shows_notices'`

/** Of one account at once; a further one takes the place of the oldest. */
const OPEN_MAX = 5

export async function showsNotices(session: Session): Promise<boolean> {
  return (await session.rows(SHOWS_NOTICES)).length > 0
}

export async function answerNotice(
  database: Database,
  id: string,
  { method, body }: { method: string; body: Buffer },
): Promise<Answer> {
  if (!isGameId(id)) return wrong(400, 'bad-request', 'id')
  if (method !== 'PUT') return wrong(405, 'no-such-method')
  if (!(await database.use(showsNotices))) return wrong(404, 'no-such-call')
  const read = readNotice(body)
  return 'value' in read ? store(database, id, read.value) : wrong(400, 'bad-request', read.field)
}

const INSERT = `INSERT INTO portal_notice (id, body_hash, account, text, expires_at, created_at)
  VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3))`
const OPEN = `SELECT id FROM portal_notice
  WHERE account = ? AND shown_at IS NULL AND expires_at > UTC_TIMESTAMP(3) ORDER BY created_at DESC, id`

/** The part inside the game shows it, and removes it a day after it has expired. */
async function store(database: Database, id: string, { account, text, expires_at }: Notice): Promise<Answer> {
  const until = dateTimeOf(new Date(expires_at))
  const hash = createHash('sha256')
    .update(JSON.stringify([keyOf(account), text, until]))
    .digest()
  return database.use(async (session) => {
    try {
      await session.change(INSERT, [id, hash, keyOf(account), text, until])
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const [row] = await session.rows('SELECT body_hash FROM portal_notice WHERE id = ?', [id])
      const isSame = row?.body_hash instanceof Buffer && row.body_hash.equals(hash)
      return isSame ? ok({ status: 'stored' }) : wrong(409, 'another-body')
    }
    for (const { id: older } of (await session.rows(OPEN, [keyOf(account)])).slice(OPEN_MAX))
      await session.change('UPDATE portal_notice SET expires_at = UTC_TIMESTAMP(3) WHERE id = ?', [
        String(older),
      ])
    return ok({ status: 'stored' })
  })
}
