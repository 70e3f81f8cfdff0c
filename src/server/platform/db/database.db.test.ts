import { AsyncResource } from 'node:async_hooks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { openLog } from '../log/log.ts'
import { metricsText } from '../metrics/metrics.ts'
import { openDatabase } from './database.ts'
import { noticesSent, notify } from './notices.ts'
import { UnknownOutcome } from './bounded-client.ts'
import { afterCommit, inTransaction, type Tx } from './transaction.ts'
import { openVault, type Vault } from './vault.ts'

const portal = useTestApp()

/** What this process receives on a channel from now on. */
async function messagesOn(channel: 'recharge_order' | 'delivery_changed'): Promise<string[]> {
  const received: string[] = []
  portal.deps.listener.on(channel, (message) => received.push(message))
  // Listening begins on another connection.
  const isListening = async () => {
    await sql`SELECT pg_notify(${channel}, 'first')`.execute(portal.db)
    return received.length > 0
  }
  await expect.poll(isListening).toBe(true)
  return received
}

/** All messages, up to one that is sent after everything before. */
async function allReceived(received: readonly string[]): Promise<readonly string[]> {
  await noticesSent(portal.db)
  await sql`SELECT pg_notify('recharge_order', 'last')`.execute(portal.db)
  await expect.poll(() => received.at(-1)).toBe('last')
  return received.filter((message) => message !== 'first')
}

test('a notice is sent once its transaction is committed, never before and never when it is undone', async () => {
  const received = await messagesOn('recharge_order')
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
  expect(await allReceived(received)).toEqual(['during', 'during', 'attempt 2', 'twice', 'outside', 'last'])
})

test('transactions that commit together send their notices in few statements', async () => {
  const received = await messagesOn('delivery_changed')
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
  await expect.poll(() => new Set(received).size).toBe(501)
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

describe('what waits for a commit', () => {
  test('happens once, after it', async () => {
    const happened: string[] = []
    const result = await inTransaction(portal.db, async () => {
      afterCommit('test', () => happened.push('after'))
      happened.push('work')
      return 'result'
    })
    expect(result).toBe('result')
    expect(happened).toEqual(['work', 'after'])
  })

  test('does not happen when the transaction is undone', async () => {
    const happened: string[] = []
    const undone = inTransaction(portal.db, async () => {
      afterCommit('test', () => happened.push('after'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(happened).toEqual([])
  })

  test('happens once when the first try is undone and the second is not', async () => {
    let tries = 0
    const happened: number[] = []
    await inTransaction(portal.db, async () => {
      const attempt = ++tries
      afterCommit('test', () => happened.push(attempt))
      if (attempt === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' })
    })
    expect(happened).toEqual([2])
  })

  test('needs a transaction, one that is not over', async () => {
    expect(() => afterCommit('test', () => {})).toThrow('transaction')
    let late = () => {}
    await inTransaction(portal.db, async () => {
      late = AsyncResource.bind(() => afterCommit('test', () => {}))
    })
    expect(late).toThrow('is over')
  })

  test('leaves the answer and the others as they are when it fails, and is logged and counted by its name', async () => {
    const happened: string[] = []
    const failed = async (name: string) => {
      const line = (await metricsText()).split('\n').find((one) => one.includes(`act="${name}"`))
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    const result = await inTransaction(portal.db, async () => {
      afterCommit('test of one that throws', () => {
        throw new Error('thrown at once')
      })
      afterCommit('test of one that rejects', () => Promise.reject(new Error('rejected later')))
      afterCommit('test', () => happened.push('last'))
      return 'result'
    }).catch(String)
    expect(result).toBe('result')
    expect(happened).toEqual(['last'])
    await expect.poll(() => failed('test of one that rejects')).toBe(1)
    expect(await failed('test of one that throws')).toBe(1)
    for (const text of ['"act":"test of one that throws"', 'thrown at once', 'rejected later'])
      expect(portal.logged()).toContain(text)
  })

  test('leaves the answer as it is when not even its failure can be logged', async () => {
    const log = openLog('fatal')
    vi.spyOn(log, 'error').mockImplementation(() => {
      throw new Error('no room for a log')
    })
    const db = openDatabase({ url: portal.appUrl, log, connectionsMax: 1 })
    const work = async (tx: Tx) => {
      await sql`SELECT 1`.execute(tx)
      afterCommit('test', () => {
        throw new Error('thrown')
      })
      return 'result'
    }
    expect(await inTransaction(db, work).catch(String)).toBe('result')
    await db.destroy()
  })
})

test('a COMMIT whose answer is lost is not tried again: nobody knows whether it was done', async () => {
  let tries = 0
  const outcome = await inTransaction(portal.db, async (tx) => {
    tries++
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(portal.db)
  }).catch((error: unknown) => error)
  expect(tries).toBe(1)
  expect(outcome).toBeInstanceOf(UnknownOutcome)
})
describe('the installation’s key', () => {
  let vault: Vault
  beforeAll(() => {
    vault = openVault(portal.db)
  })

  test('seals a text so that only it, and only for that purpose, can open it', async () => {
    const sealed = await vault.seal('mail', 'mã của bạn là 012345')
    expect(sealed.toString('latin1')).not.toContain('012345')
    expect(await vault.open('mail', sealed)).toBe('mã của bạn là 012345')
    // Another process of the same installation has the same key.
    expect(await openVault(portal.db).open('mail', sealed)).toBe('mã của bạn là 012345')
    await expect(vault.open('sms', sealed)).rejects.toThrow()
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)
    await expect(vault.open('mail', changed)).rejects.toThrow()
  })

  test('seals the same text differently each time', async () => {
    expect(await vault.seal('mail', 'a')).not.toEqual(await vault.seal('mail', 'a'))
  })

  test('hashes the same value alike for one purpose and differently for another', async () => {
    const phone = '84912345678'
    expect(await vault.hash('phone', phone)).toEqual(await openVault(portal.db).hash('phone', phone))
    expect(await vault.hash('phone', phone)).not.toEqual(await vault.hash('email', phone))
    expect(await vault.hash('phone', phone)).toHaveLength(32)
  })
})
