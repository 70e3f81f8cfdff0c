import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { LEGAL_KINDS } from '#contract/legal.ts'
import { safeHtml } from '#server/platform/html/safe-html.rules.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'

const portal = useTestApp({ overrides: { withPages: true } })

const { owner, other } = useOperators(portal, { owner: 'owner', other: 'owner' })

const act = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, token = owner.token) =>
  portal.call(method, `/api/operator/legal${path}`, { token, ...(body === undefined ? {} : { body }) })
const read = (kind: string, version?: number) =>
  portal.call('GET', `/api/legal/${kind}${version === undefined ? '' : `?version=${version}`}`)
const current = async (kind: string): Promise<number> => (await read(kind)).body.version
const reason = 'Luật sư đã xem'
const publish = async (kind: string, content: string, key?: string) =>
  portal.call('POST', `/api/operator/legal/${kind}/versions`, {
    token: owner.token,
    body: { content, version: await current(kind), reason },
    ...(key === undefined ? {} : { key }),
  })

describe('the texts that come with the portal', () => {
  test('are version 1 of terms, privacy and refunds, published by nobody, safe as they are', async () => {
    const { body } = await act('GET', '')
    expect(body).toEqual(
      LEGAL_KINDS.map((kind) => ({
        kind,
        version: 1,
        published_at: expect.any(String),
        published_by: null,
      })),
    )
    for (const kind of LEGAL_KINDS) {
      const stored = await portal.db
        .selectFrom('legal_text')
        .select('content')
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow()
      expect(safeHtml(stored.content)).toBe(stored.content)
      expect((await read(kind)).body).toMatchObject({ kind, version: 1, current_version: 1, ...stored })
    }
  })

  test.each(['/api/legal/khac', '/api/legal/terms?version=99', '/api/legal/terms?version=1000000000000'])(
    'and nothing else: %s is not found',
    async (path) => {
      expect((await portal.call('GET', path)).status).toBe(404)
    },
  )
})

describe('publishing', () => {
  test('makes the next version; older ones stay as they were, by their number', async () => {
    const before = (await read('terms')).body
    const answer = await publish('terms', '<h2>Mới</h2><p>Điều khoản mới.</p>')
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      version: before.version + 1,
      published_by: { id: owner.id, username: owner.username },
      draft: null,
    })
    const after = (await read('terms')).body
    expect(after).toMatchObject({
      version: before.version + 1,
      content: '<h2>Mới</h2><p>Điều khoản mới.</p>',
    })
    expect((await read('terms', before.version)).body).toEqual({ ...before, current_version: after.version })
    const { body: versions } = await act('GET', '/terms/versions')
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([
      after.version,
      before.version,
    ])
  })

  test('leaves a row in the trail that proves which text it was', async () => {
    await publish('refunds', '<p>Hoàn tiền trong bảy ngày.</p>')
    const subject = { type: 'legal_text', id: 'refunds' }
    expect(await lastTrailRow(portal, { subject })).toMatchObject({
      action: 'legal.publish',
      reason,
      details: { before: { version: 1 }, after: { version: 2, content: { length: 32 } } },
    })
  })

  test('twice with one key makes one version', async () => {
    const key = randomUUID()
    const body = { content: '<p>Một lần.</p>', version: await current('privacy'), reason }
    const send = () =>
      portal.call('POST', '/api/operator/legal/privacy/versions', { token: owner.token, body, key })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(await current('privacy')).toBe(body.version + 1)
  })

  test('at the same moment by two makes one version, and refuses the other one', async () => {
    const version = await current('privacy')
    const answers = await Promise.all(
      [owner, other].map(({ token, username }) =>
        act('POST', '/privacy/versions', { content: `<p>Của ${username}.</p>`, version, reason }, token),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: 'CONFLICT', present: { version: version + 1 } })
    expect(await current('privacy')).toBe(version + 1)
  })

  test.each([
    ['nothing', '<p> </p>', 'Nội dung không được bỏ trống'],
    ['a picture', '<p>Ảnh</p><img src="/images/covers/a-640.webp" alt="">', 'Văn bản này chỉ gồm chữ'],
    ['the text in force', null, 'giống hệt bản đang áp dụng'],
  ])('refuses %s', async (_, content, message) => {
    const { body } = await read('terms')
    const answer = await publish('terms', content ?? body.content)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.content[0]).toContain(message)
    expect(await current('terms')).toBe(body.version)
  })

  test('is for owners only', async () => {
    const editor = await anOperator(portal, 'editor')
    expect((await act('GET', '/terms', undefined, editor.token)).status).toBe(403)
  })

  test('no version can be changed or taken away, not even by the portal’s own role', async () => {
    await expect(portal.db.updateTable('legal_text').set({ content: 'khác' }).execute()).rejects.toThrow(
      /permission denied/,
    )
    await expect(portal.db.deleteFrom('legal_text').execute()).rejects.toThrow(/permission denied/)
  })
})

describe('a draft', () => {
  beforeEach(async () => {
    for (const { token } of [owner, other]) await act('DELETE', '/terms/draft', undefined, token)
  })

  test('is its writer’s own, made safe, and ends with the publishing', async () => {
    const version = await current('terms')
    const content = '<p>Nháp</p><script>alert(1)</script>'
    const { body: saved } = await act('PUT', '/terms/draft', { content, based_on: version })
    expect(saved).toEqual({ content: '<p>Nháp</p>', based_on: version, saved_at: expect.any(String) })
    expect((await act('GET', '/terms')).body.draft).toEqual(saved)
    expect((await act('GET', '/terms', undefined, other.token)).body.draft).toBe(null)
    expect((await read('terms')).body.content).not.toContain('Nháp')

    expect((await publish('terms', '<p>Nháp đã xong</p>')).body.draft).toBe(null)
    expect((await act('GET', '/terms')).body.draft).toBe(null)
  })

  test('stays when somebody else publishes, and names the version it was based on', async () => {
    const version = await current('terms')
    await act('PUT', '/terms/draft', { content: '<p>Của tôi</p>', based_on: version }, other.token)
    await publish('terms', `<p>Bản sau ${version}</p>`)
    const { body } = await act('GET', '/terms', undefined, other.token)
    expect(body).toMatchObject({
      version: version + 1,
      draft: { content: '<p>Của tôi</p>', based_on: version },
    })
  })
})

test('pages show a new version at once, and an old one under its number, not for search engines', async () => {
  const page = async (path: string) => (await portal.app.inject({ url: path })).body
  const version = await current('refunds')
  const before = await page('/refunds')
  expect(before).not.toContain('Chữ vừa phát hành')
  expect(before).toContain('<link rel="canonical"')
  await publish('refunds', '<p>Chữ vừa phát hành</p>')
  const after = await page('/refunds')
  expect(after).toContain('<p>Chữ vừa phát hành</p>')
  expect(after).toContain(`href="/refunds/${version}"`)
  const old = await page(`/refunds/${version}`)
  expect(old).toContain('không còn áp dụng')
  expect(old).toContain('<meta name="robots" content="noindex">')
  expect((await portal.app.inject({ url: `/refunds/${version + 5}` })).statusCode).toBe(404)
})
