import { beforeAll, describe, expect, test } from 'vitest'
import { settingDefinitions } from '#contract/operator/settings.ts'
import { verifyAuditChain } from '#server/modules/audit/index.ts'
import { startTestApp, useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'

const portal = useTestApp()
let owner: string
beforeAll(async () => {
  owner = (await anOperator(portal, 'owner')).token
})

const put = (key: string, value: string, token = owner) =>
  portal.call('PUT', `/api/operator/settings/${key}`, { token, body: { value, reason: 'Kiểm tra' } })

describe('the public settings', () => {
  test('a new installation has the values it was designed with', async () => {
    const { status, body } = await portal.call('GET', '/api/settings')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      active_fee: '20000',
      exchange_rate: '30',
      exchange_bonus: '10',
      exchange_amounts: '[10000,20000,50000,100000,200000,500000]',
      recharge_min: '10000',
      transfer_enabled: '1',
    })
  })

  test('hold the public keys only', async () => {
    const { body } = await portal.call('GET', '/api/settings')
    const kept = Object.entries(settingDefinitions).filter(([, { isPublic }]) => !isPublic)
    expect(kept.length).toBeGreaterThan(0)
    for (const [key] of kept) expect(body).not.toHaveProperty(key)
  })
})

test('the key demo is public in a demo, and only there', async () => {
  expect((await portal.call('GET', '/api/settings')).body).not.toHaveProperty('demo')
  const demo = await startTestApp({ overrides: { sandbox: { portalUrl: 'http://127.0.0.1:1' } } })
  try {
    expect((await demo.call('GET', '/api/settings')).body).toMatchObject({ demo: '1' })
  } finally {
    await demo.close()
  }
})

describe('an operator', () => {
  test('changes a value, and the next answer has it', async () => {
    expect((await put('active_fee', '15000')).body).toMatchObject({ id: 'active_fee', value: '15000' })
    expect((await portal.call('GET', '/api/settings')).body.active_fee).toBe('15000')
  })

  test('leaves a row in the audit trail with what was before and after', async () => {
    await put('transfer_min', '500')
    const row = await portal.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_type', '=', 'setting')
      .where('subject_id', '=', 'transfer_min')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      action: 'settings.update',
      reason: 'Kiểm tra',
      details: { before: '1', after: '500' },
    })
    expect(await verifyAuditChain(portal.db)).toEqual([])
  })

  test.each([
    ['active_fee', '-1'],
    ['active_fee', '1.5'],
    ['active_fee', '1e3'],
    ['exchange_amounts', '[]'],
    ['exchange_amounts', '[10000,10000]'],
    ['exchange_amounts', '["10000"]'],
    ['fanpage_link', 'javascript:alert(1)'],
    ['fanpage_link', 'http://facebook.example.com'],
    ['transfer_enabled', 'yes'],
    ['pixel_id', '12"><script>'],
    ['pc_file', 'not json'],
    ['pc_file', '{"sha256":"abc"}'],
    ['pc_file', '{"size_bytes":-1}'],
    ['pc_file', '{"href":"https://evil.example.com"}'],
    ['bank_account_acb', '{"bin":"97041","number":"1","name":"A"}'],
    ['bank_account_acb', 'not json'],
  ])('cannot set %s to %s', async (key, value) => {
    const before = (await portal.call('GET', `/api/operator/settings/${key}`, { token: owner })).body.value
    const answer = await put(key, value)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'VALIDATION',
      errors: { value: expect.arrayContaining([expect.any(String)]) },
    })
    expect((await portal.call('GET', `/api/operator/settings/${key}`, { token: owner })).body.value).toBe(
      before,
    )
  })

  test('cannot set what does not exist', async () => {
    expect((await put('no_such_key', '1')).status).toBe(404)
    expect((await put('__proto__', '1')).status).toBe(404)
  })

  test('sees every setting in pages, and cannot sort by an unknown column', async () => {
    const answer = await portal.call('GET', '/api/operator/settings?range=[0,4]&sort=["id","ASC"]', {
      token: owner,
    })
    expect(answer.body).toHaveLength(5)
    expect(answer.headers['content-range']).toBe(`settings 0-4/${Object.keys(settingDefinitions).length}`)
    const wrong = await portal.call('GET', '/api/operator/settings?sort=["value; DROP","ASC"]', {
      token: owner,
    })
    expect(wrong.status).toBe(422)
  })

  test('with another role may not', async () => {
    const cashier = await anOperator(portal, 'cashier')
    expect((await put('active_fee', '1', cashier.token)).status).toBe(403)
  })
})
