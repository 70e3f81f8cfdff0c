import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn, saysIn } from '#tests/support/sick/said.ts'
import { SICK_DATABASES } from '#tests/support/sick/table.ts'
import { NOTICED_MS_MAX, startReady, useSickDatabase } from '#tests/support/sick/world.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'

const WAIT_MS = 60_000

const { named, environment, ownerUrl, diagnosed, failureOfStart, superuser } = useSickDatabase()

describe('a database that is sick', { timeout: WAIT_MS }, () => {
  test.for(everyNth(Object.entries(SICK_DATABASES), 24))('%s', async ([, sick]) => {
    expect(await failureOfStart()).toBeNull()
    await superuser(sick.harm, sick.isBeside)
    try {
      const found = await diagnosed(sick.name)
      expect(found).toMatch(saysIn(named(sick.diagnosed)))
      const failure = await failureOfStart()
      expect(String(failure)).toMatch(refusalIn(sick.refused && named(sick.refused)))
      expect(`${found} ${failure}`).not.toMatch(/\n|secret/)
      // A start that goes on has set it right.
      const isWell = !saysIn(named(sick.diagnosed)).test(await diagnosed(sick.name))
      expect(isWell).toBe(sick.refused === null && !sick.stays)
    } finally {
      await superuser(sick.mend, sick.isBeside)
    }
    expect(await failureOfStart()).toBeNull()
    expect(await diagnosed('tables')).toBe('ok as the migrations make them')
    expect(await diagnosed('rights')).toBe('ok the role may do what the portal needs')
    expect(await diagnosed('writes')).toBe('ok PostgreSQL takes changes, and has room on its disk')
  })

  test('an address that asks for reads only is named as what has to be changed', async () => {
    const url = `${ownerUrl()}?options=-c%20default_transaction_read_only%3Don`
    const sentence =
      'because default_transaction_read_only is on: take default_transaction_read_only out of DATABASE_URL'
    expect(await diagnosed('writes', url)).toContain(sentence)
    expect(await failureOfStart(url)).toContain(sentence)
  })

  test('a database that a newer program has given more rights keeps them', async () => {
    const newer = `INSERT INTO schema_migration VALUES ('9999-newer.sql', 'x', now(), 'expand')`
    await superuser(`${newer}; GRANT DELETE ON posts TO portal_app; GRANT DELETE ON activation TO portal_app`)
    expect(await diagnosed('rights')).toMatch(/^ok /)
    expect(await failureOfStart()).toBeNull()
    await superuser(`DELETE FROM schema_migration WHERE name = '9999-newer.sql'`)
    expect(await diagnosed('rights')).toMatch(/^warning .*\(DELETE ON activation\)/)
    expect(await failureOfStart()).toBeNull()
    expect(await diagnosed('rights')).toMatch(/^ok /)
  })
})

describe('/readyz of a portal whose database falls ill', { timeout: 6 * NOTICED_MS_MAX }, () => {
  let portal: Awaited<ReturnType<typeof startReady>>
  beforeAll(async () => void (portal = await startReady(environment())), WAIT_MS)
  afterAll(() => portal.stop())

  test('says why it takes no changes, goes on reading, and is ready again afterwards', async () => {
    await portal.becomes(200, { status: 'ok' })
    await superuser('ALTER DATABASE @db SET default_transaction_read_only = on')
    await portal.becomes(503, { status: 'read-only', reason: 'read-only' })
    expect((await fetch(`${portal.url}/api/posts`)).status).toBe(200)
    await superuser('ALTER DATABASE @db RESET default_transaction_read_only')
    await portal.becomes(200, { status: 'ok' })
  })

  test.runIf(hasAllCases)('says that it lacks a right, until a start gives it back', async () => {
    await superuser('REVOKE UPDATE (state) ON delivery FROM portal_app')
    await portal.becomes(503, { status: 'read-only', reason: 'missing-rights' })
    expect(await failureOfStart()).toBeNull()
    await portal.becomes(200, { status: 'ok' })
  })
})
