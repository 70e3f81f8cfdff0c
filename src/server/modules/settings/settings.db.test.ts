import { brotliDecompressSync } from 'node:zlib'
import { trailRows } from '#tests/support/trail-rows.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { settingDefinitions } from '#contract/operator/settings.ts'
import { verifyAndStore } from '#server/modules/audit/index.ts'
import { startTestApp, useTestApp, anotherProcess } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { changeSettings, readSetting } from '#tests/support/settings.ts'

// One person is enough here; what waits for a second one is in tests/security/money-settings.db.test.ts.
const portal = useTestApp({ environment: { TWO_PEOPLE: '0' } })
let owner: string
beforeAll(async () => {
  owner = (await anOperator(portal, 'owner')).token
})

const put = (key: string, value: string, token = owner) =>
  changeSettings(portal, { token, values: { [key]: value } })

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
    const hidden = Object.entries(settingDefinitions).filter(([, { isPublic }]) => !isPublic)
    expect(hidden.length).toBeGreaterThan(0)
    for (const [key] of hidden) expect(body).not.toHaveProperty(key)
  })

  test('are compressed for browsers that accept it, under a tag of the same content', async () => {
    const get = (headers: Record<string, string>) =>
      portal.app.inject({ method: 'GET', url: '/api/settings', headers })
    const plain = await get({})
    const zipped = await get({ 'accept-encoding': 'gzip, deflate, br' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'br', etag: `W/${plain.headers.etag}` })
    expect([plain.headers.vary, zipped.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding'])
    expect(brotliDecompressSync(zipped.rawPayload).toString()).toBe(plain.body)
    for (const tag of [plain.headers.etag, zipped.headers.etag]) {
      const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': String(tag) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
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
    expect((await put('active_fee', '15000')).body.settings).toMatchObject([
      { id: 'active_fee', kind: 'number', value: '15000', limits: { min: 0, max: 10_000_000 } },
    ])
    expect((await portal.call('GET', '/api/settings')).body.active_fee).toBe('15000')
  })

  test('leaves a row in the audit trail with what was before and after', async () => {
    await put('transfer_min', '500')
    const subject = { type: 'setting', id: 'transfer_min' }
    expect((await trailRows(portal, { subject }))[0]).toMatchObject({
      action: 'settings.update',
      reason: 'Kiểm tra',
      details: { before: '1', after: '500' },
    })
    expect((await verifyAndStore(portal.db)).faults).toEqual([])
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
    const before = await readSetting(portal, owner, key)
    const answer = await put(key, value)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'VALIDATION',
      errors: { [key]: expect.arrayContaining([expect.any(String)]) },
    })
    expect(await readSetting(portal, owner, key)).toEqual(before)
  })

  test('cannot set what does not exist', async () => {
    for (const key of ['no_such_key', 'toString']) {
      expect((await put(key, '1')).body).toMatchObject({
        code: 'VALIDATION',
        errors: { [key]: ['Không có cài đặt này'] },
      })
    }
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

  test('changes several values of one section, all or none', async () => {
    const right = { transfer_min: '10', transfer_daily_limit: '7000000' }
    const done = await changeSettings(portal, { token: owner, values: right })
    expect(done.status).toBe(200)
    const refused = await changeSettings(portal, {
      token: owner,
      values: { transfer_min: '20', transfer_daily_limit: 'nhiều' },
    })
    expect(refused.body.errors).toEqual({
      transfer_daily_limit: expect.arrayContaining(['Giá trị phải là số nguyên']),
    })
    expect((await portal.call('GET', '/api/settings')).body).toMatchObject(right)
  })

  test('cannot change values of two sections in one call', async () => {
    const values = { site_name: 'Tên khác', active_fee: '1' }
    expect((await changeSettings(portal, { token: owner, values })).body).toMatchObject({
      code: 'VALIDATION',
      errors: { values: [expect.stringContaining('một mục')] },
    })
    expect((await portal.call('GET', '/api/settings')).body.site_name).not.toBe('Tên khác')
  })

  test('is refused with the present values when somebody else changed them meanwhile', async () => {
    const seen = (await readSetting(portal, owner, 'recharge_min')).updated_at
    await put('recharge_min', '20000')
    const late = await portal.call('PUT', '/api/operator/settings', {
      token: owner,
      body: { values: { recharge_min: '30000' }, updated_at: seen, reason: 'Kiểm tra' },
    })
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', present: { settings: [{ id: 'recharge_min', value: '20000' }] } },
    })
    expect((await readSetting(portal, owner, 'recharge_min')).value).toBe('20000')
  })

  test('of two who save at once one is refused', async () => {
    // Both have read it before either saves: each reading by itself, one could read what the other has saved.
    const { updated_at } = await readSetting(portal, owner, 'recharge_max')
    const save = (value: string) =>
      portal.call('PUT', '/api/operator/settings', {
        token: owner,
        body: { values: { recharge_max: value }, updated_at, reason: 'Kiểm tra' },
      })
    const answers = await Promise.all([save('1000000'), save('2000000')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('reads what became of a value, by whom and why', async () => {
    await put('exchange_rate', '31')
    await put('exchange_rate', '32')
    const { body } = await portal.call('GET', '/api/operator/settings/exchange_rate/history', {
      token: owner,
    })
    expect(body).toMatchObject([
      {
        action: 'settings.update',
        before: '31',
        after: '32',
        reason: 'Kiểm tra',
        actor: { username: expect.any(String) },
      },
      { before: '30', after: '31' },
    ])
    const older = await portal.call(
      'GET',
      `/api/operator/settings/exchange_rate/history?before=${body[0].id}`,
      {
        token: owner,
      },
    )
    expect(older.body).toEqual(body.slice(1))
    const missing = await portal.call('GET', '/api/operator/settings/khong_co/history', { token: owner })
    expect(missing.status).toBe(404)
  })

  test('sees a change of another process at once', async () => {
    const { app, close } = await anotherProcess(portal)
    try {
      await put('exchange_bonus', '20')
      const seen = await app.inject({ url: '/api/settings' })
      expect(seen.json()).toMatchObject({ exchange_bonus: '20' })
    } finally {
      await close()
    }
  })

  test('with another role may not', async () => {
    const cashier = await anOperator(portal, 'cashier')
    expect((await put('active_fee', '1', cashier.token)).status).toBe(403)
  })
})
