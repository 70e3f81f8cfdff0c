import { beforeAll, describe, expect, test } from 'vitest'
import { settingDefinitions, type SettingDefinition } from '#contract/operator/settings.ts'
import { takeEffect } from '#server/modules/proposals/proposals.service.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator, anOperatorWithoutProof, type TestOperator } from '#tests/support/operators.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'
import { changeSettings, readSetting, setSetting } from '#tests/support/settings.ts'

const SITE = 'https://cong.ninja-thu.example'

const portal = useTestApp({ overrides: { publicUrl: SITE } })
let editor: TestOperator
let owner: TestOperator
let other: TestOperator
beforeAll(async () => {
  editor = await anOperator(portal, 'editor')
  owner = await anOperator(portal, 'owner')
  other = await anOperator(portal, 'owner')
  await giveVerifiedEmail(portal, other.id, 'khac@thu.test')
})

const change = ({ token }: TestOperator, values: Record<string, string>) =>
  changeSettings(portal, { token, values, reason: 'Đổi liên kết' })
const valueOf = async (key: string) => (await readSetting(portal, owner.token, key)).value
const approve = (id: string) =>
  portal.call('POST', `/api/operator/proposals/${id}/approve`, {
    token: other.token,
    body: { reason: 'Đã xem' },
  })
const proposalIn = ({ body }: { body: unknown }) =>
  (body as { proposals: { id: string }[] }).proposals[0]?.id ?? ''

const LINKED = Object.entries<SettingDefinition>(settingDefinitions).filter(
  ([, { section }]) => section === 'links',
)

/** A value that the setting takes. */
const right = ({ kind, hosts }: SettingDefinition): string => {
  if (kind === 'link')
    return hosts === 'program_hosts' ? 'https://apps.apple.com/vn/app/1' : 'https://zalo.me/g/moi'
  if (kind === 'file') return '{"version":"9.9.9"}'
  if (kind === 'hosts') return 'tai.ninja.example'
  return '0123456789'
}

test('what leads players to programs, people and the pixel is in one section', () => {
  expect(
    LINKED.map(([key]) => key).filter((key) => !/^(java|android|pc|ios|zalo_box|licence)_?/.test(key)),
  ).toEqual([
    'seller_name',
    'seller_tax_code',
    'seller_address',
    'seller_hotline',
    'seller_email',
    'program_hosts',
    'contact_hosts',
    'text_hosts',
    'fanpage_link',
    'group_link',
    'pixel_id',
  ])
  for (const [key, { kind, hosts }] of LINKED)
    expect([key, hosts !== undefined]).toEqual([key, kind === 'link'])
})

test.each(LINKED)(
  'security row 40: %s is no editor’s, and waits for a second owner with a letter',
  async (key, definition) => {
    const before = await valueOf(key)
    const value =
      key === 'seller_email' ? 'hotro@thu.test' : key === 'licence_day' ? '01/02/2026' : right(definition)
    expect((await change(editor, { [key]: value })).status).toBe(403)
    const letters = (await lettersTo(portal, 'khac@thu.test')).length
    const proposed = await change(owner, { [key]: value })
    expect([proposed.status, await valueOf(key)]).toEqual([202, before])
    expect((await lettersTo(portal, 'khac@thu.test')).slice(letters)).toMatchObject([
      { kind: 'proposal-made' },
    ])
    const id = proposalIn(proposed)
    expect(
      (
        await portal.call('POST', `/api/operator/proposals/${id}/reject`, {
          token: other.token,
          body: { reason: 'Không' },
        })
      ).status,
    ).toBe(200)
    expect(await valueOf(key)).toBe(before)
  },
)

test('security row 40: a link takes a fresh proof', async () => {
  const stale = await anOperatorWithoutProof(portal, 'owner')
  expect((await change(stale, { android_auto: 'https://play.google.com/x' })).body).toMatchObject({
    code: 'STEP_UP_REQUIRED',
  })
  // A third owner would be asked about what the others agree to.
  await asOwner(portal, 'DELETE FROM user_roles WHERE user_id = $1', [stale.id])
})

describe('security row 40: links lead to listed hosts only', () => {
  test.each([
    ['android_auto', 'https://evil.example/thn.apk'],
    ['android_auto', 'https://play.google.com@evil.example/thn.apk'],
    ['android_auto', 'https://play.google.com:8443/thn.apk'],
    ['android_auto', 'https://play.google.com.evil.example/thn.apk'],
    ['android_auto', 'https://evilplay.google.co/thn.apk'],
    ['android_auto', 'https://plаy.google.com/thn.apk'],
    ['android_auto', 'https://xn--ply-7cd.google.com/thn.apk'],
    ['android_auto', 'http://play.google.com/thn.apk'],
    ['android_auto', 'https://zalo.me/thn.apk'],
    ['ios', 'itms-services://?action=download-manifest&url=https://evil.example/a.plist'],
    ['zalo_box_link_1', 'https://zalo.me.evil.example/g'],
    ['fanpage_link', 'https://facebook.com.vn/ninja'],
    ['group_link', 'https://1.2.3.4/g'],
    ['zalo_box_link_1', 'https://zalo.me//evil.example/g'],
    ['group_link', 'https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.example'],
    ['group_link', 'https://bit.ly/abc'],
    ['group_link', 'https:\\\\zalo.me/g'],
    ['group_link', '//zalo.me/g'],
    ['group_link', 'data:text/html,x'],
    ['group_link', 'JAVASCRIPT:alert(1)'],
    ['group_link', 'https://zalo.me./g'],
    ['contact_hosts', 'bit.ly'],
    ['program_hosts', 'com.vn'],
    ['program_hosts', 'https://tai.example.com'],
    ['seller_email', 'hotro@xn--thu-x.test'],
  ])('%s is not %s', async (key, value) => {
    const answer = await change(owner, { [key]: value })
    expect(answer.status).toBe(422)
    expect((answer.body as { errors: object }).errors).toHaveProperty(key)
  })

  test('a host counts once two people have listed it, as long as it is listed', async () => {
    const link = { android_auto: 'https://tai.ninja.example/thn.apk' }
    expect((await change(owner, link)).status).toBe(422)
    const both = await change(owner, { ...link, program_hosts: 'ninja.example' })
    expect(both.status).toBe(422)
    const listed = await change(owner, { program_hosts: 'ninja.example' })
    expect((await approve(proposalIn(listed))).status).toBe(200)
    const proposed = await change(owner, link)
    expect(proposed.status).toBe(202)
    // Taken off the list before anybody agreed to the link.
    const off = await change(owner, { program_hosts: 'apps.apple.com' })
    expect((await approve(proposalIn(off))).status).toBe(200)
    expect((await approve(proposalIn(proposed))).body.code).toBe('CONFLICT')
    await asOwner(
      portal,
      "UPDATE proposal SET takes_effect_at = now() - interval '1 second' WHERE state = 'waiting'",
      [],
    )
    expect(await takeEffect(portal.deps)).toBe(true)
    expect(await valueOf('android_auto')).toBe('')
  })
})

test('security row 40: the portal’s own host needs no list', async () => {
  const proposed = await change(owner, { android_auto: `${SITE}/tai/thn.apk` })
  expect(proposed.status).toBe(202)
  for (const value of ['https://thn.ninja.example/a.apk', 'https://x@cong.ninja-thu.example/a.apk'])
    expect((await change(owner, { ios: value })).status).toBe(422)
})

describe('security row 40: texts lead to set links and listed pages only', () => {
  const SET = {
    android_auto: 'https://tai.thu.example/thn.apk?v=2&k=1',
    ios: 'https://tai.thu.example/ios',
    fanpage_link: 'https://facebook.com/tinhhoaninja',
    zalo_box_link_1: 'https://zalo.me/',
    seller_hotline: '1900 1234',
    seller_email: 'Hotro@thu.test',
  }
  beforeAll(async () => {
    for (const [key, value] of Object.entries(SET)) await setSetting(portal, key, value)
  })
  const write = (content: string) =>
    portal.call('POST', '/api/operator/posts', {
      token: editor.token,
      body: { title: 'Bản mới', content: `<p>${content}</p>`, category_ids: [], reason: 'Tin mới' },
    })
  test.each([
    ['/download', 201],
    [`${SITE}/download`, 201],
    [SET.android_auto.replace('&', '&amp;'), 201],
    [SET.ios, 201],
    [SET.fanpage_link, 201],
    ['https://facebook.com/tinhhoaninja/posts/12?a=b', 201],
    ['https://www.youtube.com/watch?v=abc', 201],
    ['https://YouTube.com/watch?v=abc', 201],
    ['tel:19001234', 201],
    ['mailto:hotro@thu.test', 201],
    ['https://evil.example/thn.apk', 422],
    ['https://evil.example/download', 422],
    ['https://evil.example/', 422],
    ['https://bit.ly/abc', 422],
    ['https://tai.thu.example/khac.apk', 422],
    ['https://tai.thu.example/ios-moi', 422],
    ['https://facebook.com/tinhhoaninja2', 422],
    ['https://facebook.com/tinhhoaninja/../kegian', 422],
    ['https://facebook.com/tinhhoaninja/%2e%2e/kegian', 422],
    ['https://facebook.com/groups/kegian', 422],
    ['https://zalo.me/g/kegian', 422],
    ['https://youtube.com.evil.example/', 422],
    ['https://youtube.com:8443/', 422],
    ['https://youtube.com./', 422],
    ['http://youtube.com/', 422],
    ['https://www.youtube.com/redirect?q=https%3A%2F%2Fevil.example', 422],
    ['https://youtube.com/thn.%61pk', 422],
    ['https://1.2.3.4/', 422],
    ['https://xn--yutube-wqf.com/', 422],
    ['tel:0900000000', 422],
    ['mailto:kegian@evil.example', 422],
    ['mailto:hotro@thu.test?cc=kegian%40evil.example', 422],
  ])('a post with a link to %s is %i', async (href, status) => {
    expect((await write(`<a href="${href}">Đọc</a>`)).status).toBe(status)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://youtube.com@evil.example/',
  ])('a link to %s is text alone', async (href) => {
    const { body } = await write(`a<a href="${href}">Đọc</a>`)
    expect(body.content).toBe('<p>aĐọc</p>')
  })

  test('a link that stood in a post before stays when a word is mended', async () => {
    const { body } = await write('Chữ')
    const old = '<p><a href="https://cu.example/?a=1&amp;b=2">Tải</a></p>'
    await asOwner(portal, 'UPDATE posts SET content = $2 WHERE id = $1', [body.id, old])
    const save = (content: string) =>
      portal.call('PUT', `/api/operator/posts/${body.id}`, {
        token: editor.token,
        body: { title: 'Bản mới', content, reason: 'Sửa chữ' },
      })
    expect((await save(`${old}<p>Thêm</p>`)).status).toBe(200)
    expect((await save('<p><a href="https://cu.example/?a=1&amp;b=3">Tải</a></p>')).status).toBe(422)
    expect((await save('<p>Chữ</p>')).status).toBe(200)
    const { body: revisions } = await portal.call('GET', `/api/operator/posts/${body.id}/revisions`, {
      token: editor.token,
    })
    // The newest has the link no more; the one before it does.
    const revision = revisions[1]
    const restored = await portal.call(
      'POST',
      `/api/operator/posts/${body.id}/revisions/${revision.revision}/restore`,
      { token: editor.token, body: { reason: 'Lấy lại' } },
    )
    expect(restored.status).toBe(422)
  })

  test('so do legal texts', async () => {
    const { body } = await portal.call('GET', '/api/operator/legal/terms', { token: owner.token })
    const answer = await portal.call('POST', '/api/operator/legal/terms/versions', {
      token: owner.token,
      body: {
        content: '<p><a href="https://evil.example/lien-he">x</a></p>',
        version: body.version,
        reason: 'Bản mới',
      },
    })
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { content: [expect.stringContaining('evil.example')] },
    ])
  })
})

describe('a receiving account is the channel’s bank', () => {
  const account = (bin: string, number: string) => JSON.stringify({ bin, number, name: 'CONG TY NINJA' })
  test.each([
    ['bank_account_vietcombank', '970422', '0123456789', 422],
    ['bank_account_vietcombank', '970416', '0123456789', 422],
    ['bank_account_acb', '970436', '0123456789', 422],
    ['bank_account_momo', '970436', '0123456789', 422],
    ['bank_account_acb', '999999', '0123456789', 422],
    ['bank_account_acb', '970416', '12', 422],
    ['bank_account_acb', '970416', 'ABCDEFGH', 422],
    ['bank_account_momo', '971025', '123', 422],
    ['bank_account_vietcombank', '970436', '0123456789', 202],
    ['bank_account_acb', '970416', '123456789', 202],
    ['bank_account_momo', '970454', '99MM24030M12345678', 202],
  ])('%s at %s %s is %i', async (key, bin, number, status) => {
    const answer = await change(owner, { [key]: account(bin, number) })
    expect(answer.status).toBe(status)
  })

  test('another bank’s BIN is named', async () => {
    const { body } = await change(owner, { bank_account_vietcombank: account('970422', '0123456789') })
    expect(JSON.stringify(body)).toContain('là của MB Bank, không phải của Vietcombank')
  })

  test('one that was stored before shows its true bank to whoever pays, and to who previews it', async () => {
    const value = account('970422', '0123456789')
    await setSetting(portal, 'bank_account_vietcombank', value)
    const preview = await portal.call('POST', '/api/operator/settings/preview-qr', {
      token: owner.token,
      body: { value },
    })
    expect(preview.body).toMatchObject({ bank: 'MB Bank' })
    const { token } = await aPlayer(portal)
    const info = await portal.call('GET', '/api/recharge/channels', { token })
    expect(info.body).toContainEqual(expect.objectContaining({ channel: 2, name: 'MB Bank' }))
    const placed = await portal.call('POST', '/api/recharge/orders', {
      token,
      body: { channel: 2, amount: 50_000 },
    })
    expect(placed.body).toMatchObject({ bank_name: 'MB Bank', account_number: '0123456789' })
  })

  test('a BIN that no table has is shown as it is', async () => {
    await setSetting(portal, 'bank_account_acb', account('999999', '0123456789'))
    const { token } = await aPlayer(portal)
    const { body } = await portal.call('POST', '/api/recharge/orders', {
      token,
      body: { channel: 3, amount: 50_000 },
    })
    expect(body.bank_name).toBe('Ngân hàng có mã BIN 999999')
  })
})
