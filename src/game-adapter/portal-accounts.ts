import { isMoment, ok, readAccount, wrong, type Answer } from '#game-server/reading.ts'
import { takesCharges } from './charges.ts'
import { showsNotices } from './notices.ts'
import type { Accounts } from './accounts.ts'
import type { Config } from './config.ts'
import type { Database, Session, Value } from './database.ts'
import { dateTimeOf, keyOf, momentOf, textOf } from './values.ts'
import { boardsOf, countsOf } from './boards.ts'

/** The version last: MySQL assigns from left to right, and each line compares with the version of before. */
const UPSERT = `INSERT INTO portal_account
  (account, activated, banned_until, password_changed_at, version, changed_at) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3))
  ON DUPLICATE KEY UPDATE
    activated = IF(VALUES(version) > version, VALUES(activated), activated),
    banned_until = IF(VALUES(version) > version, VALUES(banned_until), banned_until),
    password_changed_at = IF(VALUES(version) > version, VALUES(password_changed_at), password_changed_at),
    changed_at = IF(VALUES(version) > version, VALUES(changed_at), changed_at),
    version = GREATEST(version, VALUES(version))`

/** What the game's login has to know of an account of the portal, whether or not the game has it by now. */
export async function storeAccount(database: Database, named: string, body: Buffer): Promise<Answer> {
  const read = readAccount(body)
  if (!('value' in read)) return wrong(400, 'bad-request', read.field)
  const { account, activated, banned_until, password_changed_at, version } = read.value
  if (keyOf(account) !== keyOf(named)) return wrong(400, 'bad-request', 'account')
  const at = (text: string | null): Value => (text === null ? null : dateTimeOf(new Date(text)))
  const values = [keyOf(account), activated ? 1 : 0, at(banned_until), at(password_changed_at), version]
  await database.use((session) => session.change(UPSERT, values))
  return ok({ status: 'stored' })
}

/** Whether anybody in the game has this name, in whatever capitals; and the version that the portal last told of it. */
export async function findAccount(
  { database, accounts }: { database: Database; accounts: Accounts },
  account: string,
): Promise<Answer> {
  return database.use(async (session) => {
    const { kind } = await accounts.find(session, account)
    const [row] = await session.rows('SELECT version FROM portal_account WHERE account = ?', [keyOf(account)])
    return ok({
      status: kind === 'none' ? 'unknown' : 'known',
      version: row === undefined ? null : Number(row.version),
    })
  })
}

/** Later moments only: a call that was under way for long takes nothing back. */
async function storeAnsweredUntil(session: Session, until: Date): Promise<void> {
  await session.change(
    `INSERT INTO portal_state (name, value) VALUES ('accounts_until', ?)
      ON DUPLICATE KEY UPDATE value = GREATEST(value, VALUES(value))`,
    [until.toISOString()],
  )
}

/** What the game has, and when the collector last gave a sign of life. */
export async function describeGame(
  database: Database,
  config: Config,
  accountsUntil: string | null,
): Promise<Answer> {
  const { servers, items = [], caps, classes, heads, limits } = config
  const headsByName = Array.isArray(heads)
    ? { heads, head_names: {} }
    : { heads: Object.keys(heads).map(Number), head_names: heads }
  if (accountsUntil !== null && !isMoment(accountsUntil)) return wrong(400, 'bad-request', 'accounts_until')
  const until = accountsUntil === null ? null : new Date(accountsUntil)
  const { seen, halfLock, charges, notices } = await database.use(async (session) => {
    if (until !== null) await storeAnsweredUntil(session, until)
    const [row] = await session.rows('SELECT MAX(seen_at) AS seen_at FROM portal_collector')
    const [half] = await session.rows(`SELECT value FROM portal_state WHERE name = 'half_lock_seen_at'`)
    return {
      seen: momentOf(textOf(row?.seen_at)),
      halfLock: momentOf(textOf(half?.value)),
      charges: await takesCharges(session),
      notices: await showsNotices(session),
    }
  })
  return ok({
    servers,
    boards: boardsOf(config),
    counts: countsOf(config),
    items,
    max: caps,
    classes,
    ...headsByName,
    ...(limits === undefined ? {} : { limits }),
    collector_seen_at: seen,
    half_lock_seen_at: halfLock,
    charges,
    notices,
  })
}
