import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { sql } from 'kysely'
import { afterCommit, inTransaction, UnknownOutcome } from './transaction.ts'

const portal = useTestApp()

describe('what waits for a commit', () => {
  test('happens once, after it', async () => {
    const happened: string[] = []
    const result = await inTransaction(portal.db, async () => {
      afterCommit(() => happened.push('after'))
      happened.push('work')
      return 'result'
    })
    expect(result).toBe('result')
    expect(happened).toEqual(['work', 'after'])
  })

  test('does not happen when the transaction is undone', async () => {
    const happened: string[] = []
    const undone = inTransaction(portal.db, async () => {
      afterCommit(() => happened.push('after'))
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
      afterCommit(() => happened.push(attempt))
      if (attempt === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' })
    })
    expect(happened).toEqual([2])
  })

  test('needs a transaction', () => {
    expect(() => afterCommit(() => {})).toThrow('transaction')
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
