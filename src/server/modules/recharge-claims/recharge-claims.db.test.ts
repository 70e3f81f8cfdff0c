import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { aClaim, anHourAgo, aReceipt, sendClaim } from '#tests/support/uploads.ts'
import { mostRows, openPlanner, readWhole } from '#tests/support/plans.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { eraseOldPictures, listClaims } from './recharge-claims.service.ts'

const portal = useTestApp()
const test = testWith(portal)

const claimsOf = async ({ token }: TestPlayer, query = '') =>
  (await portal.call('GET', `/api/recharge/claims${query}`, { token })).body

const pictureOf = (claimId: string) =>
  portal.db
    .selectFrom('recharge_claim_picture')
    .selectAll()
    .where('claim_id', '=', claimId)
    .executeTakeFirst()

const answered = (claimId: string): Promise<void> =>
  asOwner(
    portal,
    `UPDATE help_case SET state = 'answered', first_answered_at = now() WHERE about_kind = 'claim' AND about_id = $1`,
    [claimId],
  )

describe('a claim', () => {
  test('is stored as it was sent and shown to its player only', async ({ player }) => {
    const paid_at = anHourAgo()
    const fields = { paid_at, bank_reference: ' FT26325ABC ', note: 'Chuyển từ MB\nlúc sáng' }
    const sent = await sendClaim(portal, player, { fields })
    expect(sent.status).toBe(201)
    expect(sent.body).toEqual({ id: expect.stringMatching(/^\d+$/), status: 'open' })
    const { data, payload } = await claimsOf(player)
    expect(data).toEqual([
      {
        id: sent.body.id,
        amount: 50_000,
        paid_at,
        bank_reference: 'FT26325ABC',
        note: 'Chuyển từ MB\nlúc sáng',
        has_picture: false,
        status: 'open',
        message: null,
        case_id: expect.stringMatching(/^\d+$/),
        created_at: expect.any(String),
        answered_at: null,
      },
    ])
    expect(payload.pagination).toEqual({ page: 1, items_per_page: 20, total: 1, last_page: 1 })
    expect((await claimsOf(await aPlayer(portal))).data).toEqual([])
  })

  test('needs neither reference nor note nor picture, and what is left empty is none', async ({ player }) => {
    const parts = [{ name: 'picture', value: '', filename: '', type: 'application/octet-stream' }]
    const fields = { bank_reference: '', note: ' ' }
    const id = await aClaim(portal, player, { fields, parts })
    expect((await claimsOf(player)).data[0]).toMatchObject({
      id,
      bank_reference: null,
      note: null,
      has_picture: false,
    })
  })

  test.each([
    ['amount', { amount: '' }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '1.5' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '9999999999999999' }],
    ['amount', { amount: '50,000' }],
    ['paid_at', { paid_at: '' }],
    ['paid_at', { paid_at: '2026-11-21 10:00' }],
    ['paid_at', { paid_at: '2026-11-21T10:00:00' }],
    ['paid_at', { paid_at: '2020-01-01T00:00:00Z' }],
    ['paid_at', { paid_at: '2099-01-01T00:00:00+07:00' }],
    ['bank_reference', { bank_reference: 'a'.repeat(65) }],
    ['bank_reference', { bank_reference: 'FT\n1' }],
    ['bank_reference', { bank_reference: 'FT\u200b1' }],
    ['note', { note: 'a'.repeat(501) }],
    ['note', { note: 'a\u0000b' }],
  ])('with a wrong %s is refused by name: %j', async (field, fields) => {
    const answer = await sendClaim(portal, await shared(), { fields: fields as Record<string, string> })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('without amount and time names both', async () => {
    const answer = await portal.call('POST', '/api/recharge/claims', {
      token: (await shared()).token,
      body: Buffer.from('--x\r\ncontent-disposition: form-data; name="note"\r\n\r\na\r\n--x--\r\n'),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(['amount', 'paid_at'])
  })

  test('is one of at most three that wait, also when they come at once from several devices', async ({
    player,
  }) => {
    const devices = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { username, password } = player
        const { body } = await portal.call('POST', '/api/auth/login', { body: { username, password } })
        return { token: (body as { access_token: string }).access_token }
      }),
    )
    const sent = await Promise.all(devices.map((device) => sendClaim(portal, device)))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422])
    const refused = await sendClaim(portal, player)
    expect(refused.status).toBe(422)
    expect(refused.body.code).toBe('LIMIT_EXCEEDED')
    const [first] = (await claimsOf(player)).data
    await answered(first.id)
    expect((await sendClaim(portal, player)).status).toBe(201)
  })

  test('is one of at most ten a day', async ({ player }) => {
    for (let sent = 0; sent < 10; sent += 1) await answered(await aClaim(portal, player))
    const refused = await sendClaim(portal, player)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
    expect((await claimsOf(player, '?page=2&items_per_page=4')).data).toHaveLength(4)
  })
})

describe('a claim with a key', () => {
  test('is stored once, and its repeats are given the first answer', async ({ player }) => {
    const picture = await aReceipt().jpeg().toBuffer()
    const sending = { key: randomUUID(), picture, fields: { paid_at: anHourAgo() } }
    const first = await sendClaim(portal, player, sending)
    expect(first.status).toBe(201)
    const again = await sendClaim(portal, player, sending)
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect((await claimsOf(player)).data).toHaveLength(1)
  })

  test('is another one when a field or the picture is, and is refused', async ({ player }) => {
    const sending = { key: randomUUID(), fields: { paid_at: anHourAgo() } }
    await aClaim(portal, player, sending)
    const changes = [
      { fields: { ...sending.fields, amount: '50001' } },
      { fields: { ...sending.fields, note: 'Khác' } },
      { picture: await aReceipt().jpeg().toBuffer() },
    ]
    for (const change of changes) {
      const answer = await sendClaim(portal, player, { ...sending, ...change })
      expect(answer.status).toBe(422)
      expect(answer.body.code).toBe('KEY_REUSED')
    }
    expect((await claimsOf(player)).data).toHaveLength(1)
  })

  test('that comes twice at the same moment has one effect', async ({ player }) => {
    const sending = { key: randomUUID(), fields: { paid_at: anHourAgo() } }
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendClaim(portal, player, sending)))
    const created = answers.filter(({ status }) => status === 201)
    expect(created.length).toBeGreaterThanOrEqual(1)
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1)
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect((await claimsOf(player)).data).toHaveLength(1)
  })
})

describe('its picture', () => {
  test('is re-encoded: at most 2,000 pixels a side, upright, without location and device', async ({
    player,
  }) => {
    const photo = await aReceipt({ width: 3_000, height: 1_000 })
      .withExif({ IFD0: { Make: 'Máy ảnh' }, IFD3: { GPSLatitude: '10/1 46/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const picture = await pictureOf(await aClaim(portal, player, { picture: photo }))
    const { format, width, height, exif, xmp, icc, orientation } = await sharp(picture?.content).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 667, height: 2_000 })
    expect({ exif, xmp, icc, orientation }).toEqual({})
    expect(picture).toMatchObject({ width: 667, height: 2_000 })
    expect((await claimsOf(player)).data[0].has_picture).toBe(true)
  })

  test.each(['jpeg', 'png', 'webp'] as const)('may be a %s', async (kind) => {
    const player = await aPlayer(portal)
    const picture = await aReceipt().toFormat(kind).toBuffer()
    const id = await aClaim(portal, player, { picture })
    expect((await sharp((await pictureOf(id))?.content).metadata()).format).toBe('jpeg')
  })

  test('when it is refused has the reason beside its field, and nothing is stored or counted', async ({
    player,
  }) => {
    for (let sent = 0; sent < 11; sent += 1) {
      const answer = await sendClaim(portal, player, { picture: Buffer.from('GIF89a') })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toEqual({ picture: ['Ảnh phải là tệp JPG, PNG hoặc WebP'] })
    }
    expect((await claimsOf(player)).data).toEqual([])
    expect((await sendClaim(portal, player)).status).toBe(201)
  })

  test('is sent at most thirty times an hour', async ({ player }) => {
    const picture = Buffer.from('không phải ảnh')
    for (let sent = 0; sent < 30; sent += 1) await sendClaim(portal, player, { picture })
    expect((await sendClaim(portal, player, { picture })).status).toBe(429)
  })

  test('is erased 90 days after it came, unless its claim still waits', async ({ player }) => {
    const picture = await aReceipt().jpeg().toBuffer()
    const done = await aClaim(portal, player, { picture })
    const waiting = await aClaim(portal, player, { picture })
    await answered(done)
    const inDays = (days: number) => ({
      ...portal.deps,
      clock: { now: () => new Date(Date.now() + days * 86_400_000) },
    })
    await eraseOldPictures(inDays(89))
    expect(await pictureOf(done)).toBeDefined()
    await eraseOldPictures(inDays(91))
    expect(await pictureOf(done)).toBeUndefined()
    expect(await pictureOf(waiting)).toBeDefined()
    expect(
      (await claimsOf(player)).data.map(({ has_picture }: { has_picture: boolean }) => has_picture),
    ).toEqual([true, false])
  })
})

let sharedPlayer: Promise<TestPlayer> | undefined

/** For claims that are refused before anybody counts them. */
const shared = () => (sharedPlayer ??= aPlayer(portal))

test('a player’s own claims are read by index, among many', async () => {
  const [player, other] = [await aPlayer(portal), await aPlayer(portal)]
  await aClaim(portal, player)
  const planner = await openPlanner(portal)
  await planner.owner.query(
    `INSERT INTO recharge_claim (user_id, amount, paid_at, status, message, answered_at, answered_by)
       SELECT ${other.id}, 200000 + n, now(), 'rejected', 'x', now(), ${other.id} FROM generate_series(1, 5000) n;
     ANALYZE`,
  )
  const { queries, nodes } = await planner.plansOf(() =>
    listClaims({ ...portal.deps, db: planner.db }, player.id, {}),
  )
  await planner.close()
  expect(queries).toBe(2)
  expect(readWhole(nodes, /recharge_claim$/)).toEqual([])
  expect(mostRows(nodes)).toBeLessThan(500)
})
