import { Client } from 'pg'
import { expect, test as it } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'

const test = useTestApp()

it('a notification is sealed without reading the others, however few PostgreSQL takes them for', async () => {
  const client = new Client({ connectionString: test.ownerUrl })
  await client.connect()
  const readOf = async (table: string) => {
    const { rows } = await client.query(
      `SELECT seq_scan::integer, n_tup_ins::integer FROM pg_stat_xact_user_tables WHERE relname = $1`,
      [table],
    )
    return rows[0]
  }
  try {
    await client.query('VACUUM ANALYZE payment_event, payment_event_body')
    await client.query('BEGIN')
    await client.query(`
      INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number)
        VALUES ('sepay', 'sealed alone', 'valid', 'in', 1, '1')`)
    expect(await readOf('payment_event')).toEqual({ seq_scan: 0, n_tup_ins: 1 })
    await client.query(`
      INSERT INTO payment_event_body (event_id, raw, memo, full_text) SELECT max(id), '-', '-', '-' FROM payment_event`)
    expect(await readOf('payment_event_body')).toEqual({ seq_scan: 0, n_tup_ins: 1 })
    expect(await readOf('payment_event_seal')).toEqual({ seq_scan: 0, n_tup_ins: 2 })
  } finally {
    await client.end()
  }
})
