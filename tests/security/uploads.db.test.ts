import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type TestAnswer, useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aClaim, anHourAgo, aReceipt, sendClaim, formOf, partsOf, type Part } from '#tests/support/uploads.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { animation, blackPng, impostors, polyglots, zlibBombs, type Hostile } from './hostile-pictures.ts'

const portal = useTestApp()
const { support } = useOperators(portal, { support: 'support' })

/** Sends a file as the picture of a new player's claim, called and typed as it likes. */
async function upload({
  bytes,
  filename = 'anh.png',
  type = 'image/png',
}: Pick<Hostile, 'bytes' | 'filename' | 'type'>) {
  const parts = [{ name: 'picture', value: bytes, filename, type }]
  return sendClaim(portal, await aPlayer(portal), { parts })
}

/** What an operator gets of a stored claim. */
async function shown({ body }: TestAnswer): Promise<{ headers: Record<string, unknown>; bytes: Buffer }> {
  const answer = await portal.app.inject({
    method: 'GET',
    url: `/api/operator/recharge-claims/${(body as { id: string }).id}/picture`,
    headers: { authorization: `Bearer ${support.token}` },
  })
  expect(answer.statusCode).toBe(200)
  return { headers: answer.headers, bytes: answer.rawPayload }
}

async function expectInert(bytes: Buffer, payload: string): Promise<void> {
  expect(bytes.includes(payload)).toBe(false)
  const { format, pages = 1, exif, xmp, icc, iptc, comments = [] } = await sharp(bytes).metadata()
  expect({ format, pages, exif, xmp, icc, iptc, comments }).toEqual({
    format: 'jpeg',
    pages: 1,
    comments: [],
  })
  // Nothing follows the end of the picture.
  expect(bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
}

const stored = async () =>
  Number(
    (
      await portal.db
        .selectFrom('recharge_claim')
        .select((query) => query.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

describe('uploads', () => {
  test('security row 32: a file that is a picture and something else is refused or comes out as a picture only', async () => {
    const files = await polyglots()
    expect(files.length).toBeGreaterThanOrEqual(10)
    const outcomes: string[] = []
    for (const file of files) {
      const answer = await upload(file)
      outcomes.push(`${file.what}: ${answer.status}`)
      if (answer.status === 201) await expectInert((await shown(answer)).bytes, file.payload)
    }
    expect(outcomes).toEqual([
      'GIF and JavaScript: 422',
      'BMP and JavaScript: 422',
      'JPEG and HTML behind it: 201',
      'JPEG and JAR behind it: 201',
      'JPEG with a comment that is JavaScript: 201',
      'JPEG with a comment that is a PDF: 201',
      'PDF in front of a JPEG: 422',
      'JPEG with markup and PHP in its Exif: 201',
      'PNG with PHP in a text chunk: 201',
      'PNG and HTML behind it: 201',
      'WebP with a chunk that is markup: 201',
      'MP4 that claims to be a WebP: 422',
    ])
  })

  test('security row 32: what is no picture is refused, whatever it is called', async () => {
    const before = await stored()
    for (const file of await impostors()) {
      const answer = await upload(file)
      expect(answer.status, file.what).toBe(422)
      expect(Object.keys(answer.body.errors), file.what).toEqual(['picture'])
    }
    expect(await stored()).toBe(before)
  })

  test('security row 32: a PNG that ends before its end is refused, though its pixels are there', async () => {
    const bytes = await aReceipt().png().toBuffer()
    const answer = await upload({ bytes: bytes.subarray(0, -12) })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['picture']])
  })

  test('security row 32: of an animation one frame is stored', async () => {
    const answer = await upload({ bytes: await animation(), filename: 'anh.webp', type: 'image/webp' })
    expect(answer.status).toBe(201)
    await expectInert((await shown(answer)).bytes, 'ANIM')
  })

  test('security row 32: 20,000 by 20,000 points are refused without being decoded', async () => {
    const bytes = blackPng(20_000)
    expect(bytes.length).toBeLessThan(300_000)
    const start = performance.now()
    const answer = await upload({ bytes })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual({ picture: [expect.stringContaining('kích thước quá lớn')] })
    expect(performance.now() - start).toBeLessThan(3_000)
  })

  test('security row 32: texts and profiles that unpack to gigabytes cost neither memory nor time', async () => {
    const bombs = zlibBombs()
    const before = process.resourceUsage().maxRSS
    for (const file of bombs) {
      const start = performance.now()
      const answer = await upload(file)
      expect(answer.status, file.what).toBe(201)
      await expectInert((await shown(answer)).bytes, file.payload)
      expect(performance.now() - start, file.what).toBeLessThan(3_000)
    }
    // Kilobytes.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000)
  })

  test('security row 32: half a picture is refused', async () => {
    for (const kind of ['jpeg', 'png', 'webp'] as const) {
      const whole = await aReceipt().toFormat(kind).toBuffer()
      const answer = await upload({ bytes: whole.subarray(0, Math.floor(whole.length / 2)) })
      expect(answer.status, kind).toBe(422)
      expect(Object.keys(answer.body.errors), kind).toEqual(['picture'])
    }
  })

  test('security row 32: more than 5 MB are refused beside the field', async () => {
    const bytes = Buffer.concat([await aReceipt().jpeg().toBuffer(), Buffer.alloc(5 * 1024 * 1024)])
    const answer = await upload({ bytes })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual({ picture: ['Ảnh lớn hơn 5 MB, vui lòng chọn ảnh nhỏ hơn'] })
  })

  test('security row 32: 8 MB are not even read', async () => {
    const answer = await upload({ bytes: Buffer.alloc(8 * 1024 * 1024) })
    expect(answer.status).toBe(413)
  })
})

describe('a form', () => {
  const player = aPlayerOnce()

  async function send(parts: readonly Part[]): Promise<TestAnswer> {
    return portal.call('POST', '/api/recharge/claims', { token: (await player()).token, ...formOf(parts) })
  }

  const fields = () => partsOf({ amount: '50000', paid_at: anHourAgo() })

  test('security row 32: with two files, or a field in place of the file, or a file in place of a field is refused by name', async () => {
    const value = await aReceipt().jpeg().toBuffer()
    const picture = { name: 'picture', value, filename: 'a.jpg', type: 'image/jpeg' }
    const wrong: [string, Part[]][] = [
      ['picture', [...fields(), picture, picture]],
      ['picture', [...fields(), { name: 'picture', value: 'data:image/png;base64,AAAA' }]],
      ['amount', [...fields().slice(1), { name: 'amount', value: '50000', filename: 'a.txt' }]],
      ['other', [...fields(), { ...picture, name: 'other' }]],
      ['amount', [...fields(), { name: 'amount', value: '1' }]],
      ['note', [...fields(), { name: 'note', value: '{"a":1}', type: 'application/json' }]],
      ['note', [...fields(), { name: 'note', value: 'a'.repeat(100_000) }]],
    ]
    for (const [field, parts] of wrong) {
      const answer = await send(parts)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.body.errors)).toEqual([field])
    }
  })

  test('security row 32: with hundreds of parts, three files or names of prototypes is refused', async () => {
    const file = { value: 'a', filename: 'a' }
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `f${index}`, value: '1' }))
    const files = ['a', 'b', 'c'].map((name) => ({ name, ...file }))
    expect((await send([...fields(), ...many])).status).toBe(413)
    expect((await send([...fields(), ...files])).status).toBe(413)
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect((await send([...fields(), { name, value: '1' }])).status).toBe(400)
    }
  })

  test('security row 32: that is broken, or none, is 400', async () => {
    const { token } = await player()
    const whole = formOf(fields())
    const cut = formOf([...fields(), { name: 'picture', value: Buffer.alloc(2_000), filename: 'a.png' }])
    const [, boundary = ''] = (whole.headers['content-type'] ?? '').split('boundary=')
    const cases: [Buffer, string][] = [
      [cut.body.subarray(0, 900), cut.headers['content-type'] ?? ''],
      [whole.body.subarray(0, whole.body.length - 10), `multipart/form-data; boundary=${boundary}`],
      [whole.body, 'multipart/form-data'],
      [whole.body, 'multipart/form-data; boundary=khac'],
      [whole.body, 'multipart/mixed; boundary=khac'],
      [Buffer.from('amount=50000'), 'application/x-www-form-urlencoded'],
      [Buffer.from(`{"amount":50000,"paid_at":"${anHourAgo()}"}`), 'application/json'],
    ]
    for (const [body, type] of cases) {
      const answer = await portal.call('POST', '/api/recharge/claims', {
        token,
        body,
        headers: { 'content-type': type },
      })
      expect(answer.status, type).toBe(400)
    }
  })

  test('security row 32: is no body anywhere else, and no other call takes 2 MB', async () => {
    const { token } = await player()
    const form = formOf([{ name: 'payee', value: 'ai', filename: '../../etc/passwd' }])
    for (const path of ['/api/user/transfer', '/api/user/active', '/api/operator/recharge-claims/1/answer']) {
      expect((await portal.call('POST', path, { token, ...form })).status, path).toBe(400)
    }
    const answer = await portal.call('POST', '/api/user/transfer', {
      token,
      body: Buffer.from(JSON.stringify({ payee: 'a'.repeat(2 * 1024 * 1024), amount: 1 })),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(413)
  })

  test('security row 32: is read for signed-in users only, one at a time', async () => {
    const form = formOf(fields())
    expect((await portal.call('POST', '/api/recharge/claims', form)).status).toBe(401)
    const { token } = await aPlayer(portal)
    const slow = [new PassThrough(), new PassThrough()]
    const cases = slow.map(async (payload) => {
      payload.write(form.body.subarray(0, 200))
      const headers = { authorization: `Bearer ${token}`, ...form.headers }
      const answer = await portal.app.inject({
        method: 'POST',
        url: '/api/recharge/claims',
        headers,
        payload,
      })
      return (answer.json() as { code?: string }).code
    })
    // Neither upload is complete, and one is answered already.
    expect(await Promise.race([...cases, sleep(10_000, 'no answer')])).toBe('IN_PROGRESS')
    for (const payload of slow) payload.end(form.body.subarray(200))
    expect((await Promise.all(cases)).filter((code) => code === undefined)).toHaveLength(1)
    expect((await portal.call('POST', '/api/recharge/claims', { token, ...form })).status).toBe(201)
  })
})

describe('what was uploaded', () => {
  test('security row 32: has a random name, and its path or type is nowhere', async () => {
    const bytes = await aReceipt().png().toBuffer()
    const names = [
      '../../../../etc/cron.d/x.png',
      '..\\..\\x.png',
      'a\u0000.php',
      '/tmp/x.php;.png',
      'con.png',
    ]
    const answers = await Promise.all(names.map((filename) => upload({ bytes, filename, type: 'text/html' })))
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201))
    const rows = await portal.db.selectFrom('recharge_claim_picture').selectAll().execute()
    for (const { id, content, ...rest } of rows) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(content.includes(bytes)).toBe(false)
      expect(Object.keys(rest).sort()).toEqual(['claim_id', 'created_at', 'height', 'width'])
    }
  })

  test('security row 32: is shown to operators only, as a file that nothing runs', async () => {
    const player = await aPlayer(portal)
    const id = await aClaim(portal, player, { picture: await aReceipt().png().toBuffer() })
    const { headers } = await shown({ status: 201, body: { id }, headers: {} })
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="yeu-cau-${id}.jpg"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const path = `/api/operator/recharge-claims/${id}/picture`
    expect((await portal.call('GET', path)).status).toBe(401)
    expect((await portal.call('GET', path, { token: player.token })).status).toBe(401)
    const missing = await aClaim(portal, await aPlayer(portal))
    for (const other of [missing, '999999', '0', '..', 'a']) {
      const answer = await portal.call('GET', `/api/operator/recharge-claims/${other}/picture`, support)
      expect([404, 422]).toContain(answer.status)
    }
  })
})

function aPlayerOnce(): () => Promise<TestPlayer> {
  let made: Promise<TestPlayer> | undefined
  return () => (made ??= aPlayer(portal))
}
