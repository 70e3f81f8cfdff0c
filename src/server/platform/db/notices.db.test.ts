import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { openDatabase } from './database.ts'
import { notify, noticesSent } from './notices.ts'
import { inTransaction } from './transaction.ts'

const portal = useTestApp()

/** What this process hears on a channel from now on. */
async function heardOn(channel: 'recharge_order' | 'delivery_changed'): Promise<string[]> {
  const heard: string[] = []
  portal.deps.listener.on(channel, (message) => heard.push(message))
  // Listening begins on another connection.
  const isListening = async () => {
    await sql`SELECT pg_notify(${channel}, 'first')`.execute(portal.db)
    return heard.length > 0
  }
  await expect.poll(isListening).toBe(true)
  return heard
}

/** Heard after everything that was told before. */
async function allHeard(heard: readonly string[]): Promise<readonly string[]> {
  await noticesSent(portal.db)
  await sql`SELECT pg_notify('recharge_order', 'last')`.execute(portal.db)
  await expect.poll(() => heard.at(-1)).toBe('last')
  return heard.filter((message) => message !== 'first')
}

test('a notice is sent once its transaction is committed, never before and never when it is undone', async () => {
  const heard = await heardOn('recharge_order')
  let attempts = 0
  await inTransaction(portal.db, async (tx) => {
    attempts++
    notify(tx, 'recharge_order', `attempt ${attempts}`)
    notify(tx, 'recharge_order', 'twice')
    notify(tx, 'recharge_order', 'twice')
    await noticesSent(portal.db)
    await sql`SELECT pg_notify('recharge_order', 'during')`.execute(portal.db)
    if (attempts === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' })
  })
  const undone = inTransaction(portal.db, async (tx) => {
    notify(tx, 'recharge_order', 'undone')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  notify(portal.db, 'recharge_order', 'outside')
  expect(await allHeard(heard)).toEqual(['during', 'during', 'attempt 2', 'twice', 'outside', 'last'])
})

test('transactions that commit together are told of in few statements', async () => {
  const heard = await heardOn('delivery_changed')
  let statements = 0
  const watched = openDatabase({ url: portal.appUrl, log: portal.deps.log, connectionsMax: 8 })
  const counting = watched.withPlugin({
    transformQuery: ({ node }) => (statements++, node),
    transformResult: async ({ result }) => result,
  })
  for (let n = 0; n < 500; n++) notify(counting, 'delivery_changed', String(n))
  await noticesSent(counting)
  await watched.destroy()
  expect(statements).toBeLessThanOrEqual(2)
  await expect.poll(() => new Set(heard).size).toBe(501)
})

test('what cannot be sent is logged and counted, and nobody fails', async () => {
  const url = new URL(portal.appUrl)
  url.port = '1'
  const away = openDatabase({ url: url.href, log: portal.deps.log, connectionsMax: 1 })
  notify(away, 'mail_due')
  await noticesSent(away)
  await away.destroy()
  expect(portal.logged()).toContain('notices were not sent')
})

test('no function and no trigger of the database notifies inside a transaction', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ILIKE '%notify%'`.execute(
    portal.db,
  )
  expect(rows).toEqual([])
})
