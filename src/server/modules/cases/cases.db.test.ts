import sharp from 'sharp'
import { beforeAll, describe, expect } from 'vitest'
import {
  CASE_MESSAGES_MAX,
  CASE_PICTURE_BYTES_MAX,
  OPEN_CASES_MAX,
  TOPIC_WORDS,
  TOPICS,
} from '#contract/help/case-forms.ts'
import type { Case } from '#contract/help/cases.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { aCase, onCase, readCase, sendCase, sendMessage } from '#tests/support/cases.ts'
import { testWith, useMailingApp, useOperators } from '#tests/support/fixtures.ts'
import { anEmail, lettersTo, proveEmail } from '#tests/support/mail.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { anOperator } from '#tests/support/operators.ts'
import { anAddress, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { statement } from '#tests/support/statement-world.ts'
import { aClaim, aReceipt } from '#tests/support/uploads.ts'
import { closeSilent } from './cases.queries.ts'
import {
  CASE_DAYS_MAX,
  MESSAGES_PER_ADDRESS,
  MESSAGES_PER_PLAYER,
  removePast,
  SILENT_DAYS,
} from './cases.service.ts'

const { portal, server } = useMailingApp()
const test = testWith(portal)
const { support } = useOperators(portal, { support: 'support' })
beforeAll(async () => {
  await openAccounts(portal)
})

const read = (player: Pick<TestPlayer, 'token'>, path = '') =>
  portal.call('GET', `/api/cases${path}`, { token: player.token })

const answer = (id: string, text = 'Đội hỗ trợ đang xem') =>
  onCase(portal, support, `${id}/messages`, { text })

describe('a case', () => {
  test('is about a line of the statement, and its player reads it alone', async () => {
    const { player, id: deliveryId } = await aBuyer(portal)
    const line = (await statement(portal, player)).data.find(({ reference }) => reference === deliveryId)
    const about = `about_kind=transaction&about_id=${line?.id}`
    const prepared = await read(player, `/about?${about}`)
    expect(prepared.body).toMatchObject({
      title: expect.stringContaining('Đổi lượng −'),
      answers: [{ link: { href: `/user/deliveries/${deliveryId}` } }],
      case_id: null,
    })
    const sent = await sendCase(portal, player, {
      kind: 'transaction',
      id: line?.id ?? '',
      text: ' Chưa có lượng ',
    })
    expect(sent).toMatchObject({ status: 201, body: { state: 'open', messages: [{ author: 'player' }] } })
    const { id } = sent.body as Case
    expect((await read(player, `/${id}`)).body).toEqual(sent.body)
    expect((await read(player)).body.data).toMatchObject([
      { id, about: { kind: 'transaction', id: line?.id } },
    ])
    expect((await read(player, `/about?${about}`)).body.case_id).toBe(id)
    const stranger = await aPlayer(portal)
    expect((await read(stranger, `/${id}`)).status).toBe(404)
    expect((await read(stranger, `/about?${about}`)).status).toBe(404)
    expect((await sendMessage(portal, stranger, { id })).status).toBe(404)
    expect((await read(player, `/${id}`)).body.messages).toHaveLength(1)
    expect((await sendCase(portal, stranger, { kind: 'delivery', id: deliveryId })).status).toBe(404)
  })

  test('is about a topic without an id too, one of each at a time', async ({ player }) => {
    expect((await read(player, '/about?about_kind=account')).body).toMatchObject({
      title: 'Tài khoản',
      answers: expect.arrayContaining([expect.objectContaining({ question: 'Tài khoản của tôi bị khóa' })]),
      case_id: null,
    })
    const opened: Case[] = []
    for (const kind of TOPICS.slice(0, OPEN_CASES_MAX)) {
      const sent = await sendCase(portal, player, { kind, text: `Về ${kind}` })
      expect(sent).toMatchObject({ status: 201, body: { about: { kind, title: TOPIC_WORDS[kind] } } })
      opened.push(sent.body as Case)
    }
    const [account] = opened as [Case]
    expect((await read(player, '/about?about_kind=account')).body.case_id).toBe(account.id)
    expect((await sendCase(portal, player, { kind: 'account' })).body).toMatchObject({
      code: 'CONFLICT',
      present: { case_id: account.id },
    })
    expect((await sendCase(portal, await aPlayer(portal), { kind: 'account' })).status).toBe(201)
    const query = new URLSearchParams({ filter: JSON.stringify({ about_kind: 'sign-in' }) })
    const { body } = await portal.call('GET', `/api/operator/cases?${query}`, { token: support.token })
    expect(body).toMatchObject([{ about: { kind: 'sign-in', title: 'Không đăng nhập được' } }])
  })

  test('about a thing names it', async ({ player }) => {
    const sent = await sendCase(portal, player, { kind: 'order' })
    expect([sent.status, Object.keys(sent.body.errors)]).toEqual([422, ['about_id']])
  })

  test('is one about each thing until it is closed, also when it is sent twice at once', async ({
    player,
  }) => {
    const { code } = await anOrder(portal, player)
    const twice = await Promise.all([0, 1].map(() => sendCase(portal, player, { kind: 'order', id: code })))
    // One form of a session is read at a time.
    expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const again = await sendCase(portal, player, { kind: 'order', id: code })
    const id = twice.find(({ status }) => status === 201)?.body.id as string
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT', present: { case_id: id } } })
    await onCase(portal, support, `${id}/close`, {})
    expect((await sendCase(portal, player, { kind: 'order', id: code })).status).toBe(201)
    expect((await onCase(portal, support, `${id}/reopen`, {})).status).toBe(409)
  })

  test('is opened once for its key, also by several calls of one player at once', async ({ player }) => {
    const { code } = await anOrder(portal, player)
    const sending = { kind: 'order', id: code, key: 'một-lần' } as const
    const first = await sendCase(portal, player, sending)
    const second = await sendCase(portal, player, sending)
    expect(second.body).toEqual(first.body)
    const other = await sendCase(portal, player, { ...sending, text: 'Khác' })
    expect(other.body.code).toBe('KEY_REUSED')
  })

  test('is one of at most five that wait for an answer', async ({ player }) => {
    const codes: string[] = []
    for (let count = 0; count <= OPEN_CASES_MAX; count += 1) {
      const { code } = await anOrder(portal, player)
      await portal.call('POST', `/api/recharge/orders/${code}/cancel`, { token: player.token })
      codes.push(code)
    }
    const statuses: number[] = []
    for (const id of codes) statuses.push((await sendCase(portal, player, { kind: 'order', id })).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 422])
  })

  test.each([
    ['text', { text: ' ' }],
    ['text', { text: 'a'.repeat(2_001) }],
    ['text', { text: 'a\u0000b' }],
    ['about_id', { id: '../1' }],
    ['about_kind', { kind: 'claim' as never }],
  ])('with a wrong %s is refused by name: %j', async (field, wrong) => {
    const player = await aPlayer(portal)
    const sent = await sendCase(portal, player, { kind: 'order', id: 'TCX7K2QF9XAMM', ...wrong })
    expect([sent.status, Object.keys(sent.body.errors)]).toEqual([422, [field]])
  })
})

describe('its messages', () => {
  test('go both ways: the player is told by bell and mail, and waits again after writing', async ({
    player,
  }) => {
    const email = anEmail()
    await proveEmail(portal, server, { player, email })
    const { id, about } = await aCase(portal, player)
    expect((await answer(id)).status).toBe(204)
    const answered = (await read(player, `/${id}`)).body as Case
    expect(answered).toMatchObject({ state: 'answered', messages: [{}, { author: 'staff' }] })
    expect(JSON.stringify(answered)).not.toContain(support.username)
    expect((await noticesOf(portal, player))[0]).toMatchObject({
      kind: 'claim',
      text: expect.stringContaining(about.title),
      href: `/user/help/${id}`,
    })
    const [letter] = await lettersTo(portal, email)
    expect(letter?.paragraphs.join(' ')).toContain('Đội hỗ trợ đang xem')
    expect((await sendMessage(portal, player, { id, text: 'Vẫn chưa' })).body.state).toBe('open')
    expect(await readCase(portal, support, id)).toMatchObject({
      assigned_to: { username: support.username },
      first_answer_seconds: expect.any(Number),
      messages: 3,
      thread: [{ is_staff: false }, { is_staff: true }, { is_staff: false, text: 'Vẫn chưa' }],
    })
  })

  test('end with the case, until an operator opens it again', async ({ player }) => {
    const { id } = await aCase(portal, player)
    expect((await onCase(portal, support, `${id}/close`, {})).body).toMatchObject({ id, state: 'closed' })
    expect((await noticesOf(portal, player))[0]?.title).toBe('Yêu cầu hỗ trợ đã đóng')
    expect((await sendMessage(portal, player, { id })).status).toBe(409)
    expect((await answer(id)).status).toBe(409)
    expect((await onCase(portal, support, `${id}/close`, {})).status).toBe(409)
    expect((await onCase(portal, support, `${id}/reopen`, {})).body.state).toBe('open')
    expect((await onCase(portal, support, `${id}/reopen`, {})).status).toBe(409)
    expect((await sendMessage(portal, player, { id })).status).toBe(201)
  })

  test('are a hundred at most', async ({ player }) => {
    const { id } = await aCase(portal, player)
    await portal.db
      .updateTable('help_case')
      .set({ messages: CASE_MESSAGES_MAX })
      .where('id', '=', id)
      .execute()
    expect((await sendMessage(portal, player, { id })).body.code).toBe('LIMIT_EXCEEDED')
    expect((await answer(id)).body.code).toBe('LIMIT_EXCEEDED')
  })
})

describe('writing', () => {
  test.each([
    ['forty times a day', MESSAGES_PER_PLAYER],
    ['two hundred times a day from one address, with however many accounts', MESSAGES_PER_ADDRESS],
  ])('is done at most %s', async (_, limit) => {
    const player = await aPlayer(portal)
    const from = anAddress()
    const { id } = await aCase(portal, player)
    const key = limit === MESSAGES_PER_PLAYER ? player.id : from
    for (let count = 0; count < limit.points; count += 1) await portal.deps.limits.tally(limit, key)
    const sent = await sendMessage(portal, player, { id, from })
    expect(sent.body.code).toBe('RATE_LIMITED')
    expect((await read(player, `/${id}`)).body.messages).toHaveLength(1)
  })
})

describe('pictures', () => {
  test('are re-encoded: upright, without location, device and what follows the picture', async ({
    player,
  }) => {
    const photo = await aReceipt({ width: 600, height: 300 })
      .withExif({ IFD0: { Make: 'Máy ảnh' }, IFD3: { GPSLatitude: '10/1 46/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const pictures = Array.from({ length: 4 }, () =>
      Buffer.concat([photo, Buffer.from('<script>bytes behind')]),
    )
    const { id, messages } = await aCase(portal, player, { pictures })
    const { content } = await portal.db
      .selectFrom('help_picture')
      .select('content')
      .where('id', '=', messages[0]?.pictures[3] ?? '')
      .executeTakeFirstOrThrow()
    const { width, height, exif, xmp, orientation, format } = await sharp(content).metadata()
    expect({ width, height, format, exif, xmp, orientation }).toEqual({
      width: 300,
      height: 600,
      format: 'jpeg',
    })
    expect(content.includes('bytes behind')).toBe(false)
    const path = `/${id}/pictures/${messages[0]?.pictures[0]}`
    expect((await read(player, path)).headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect((await read(await aPlayer(portal), path)).status).toBe(404)
    expect((await portal.call('GET', `/api/cases${path}`)).status).toBe(401)
    const ofSupport = await portal.call('GET', `/api/operator/cases${path}`, { token: support.token })
    expect(ofSupport).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    // The picture of one case under the number of another.
    const other = await aCase(portal, player)
    expect((await read(player, `/${other.id}/pictures/${messages[0]?.pictures[0]}`)).status).toBe(404)
  })

  test('that are too many, too large or none are refused by name', async ({ player }) => {
    const { id } = await aCase(portal, player)
    const picture = await aReceipt({ width: 10, height: 10 }).png().toBuffer()
    const large = Buffer.concat([picture, Buffer.alloc(CASE_PICTURE_BYTES_MAX)])
    for (const pictures of [
      Array.from({ length: 5 }, () => picture),
      [large],
      [picture, Buffer.from('GIF89a')],
    ]) {
      const sent = await sendMessage(portal, player, { id, pictures })
      expect([sent.status, Object.keys(sent.body.errors)]).toEqual([422, ['pictures']])
    }
    expect((await read(player, `/${id}`)).body.messages).toHaveLength(1)
  })
})

describe('a claim', () => {
  test('has its case, where its answer stands too', async ({ player }) => {
    const claimId = await aClaim(portal, player, { fields: { note: 'Chuyển từ MB' } })
    const [row] = (await read(player)).body.data
    expect(row).toMatchObject({ about: { kind: 'claim', id: claimId }, state: 'open' })
    const body = { outcome: 'rejected', message: 'Chưa thấy khoản này', reason: 'Đã tra sao kê' }
    await portal.call('POST', `/api/operator/recharge-claims/${claimId}/answer`, {
      token: support.token,
      body,
    })
    expect((await read(player, `/${row.id}`)).body).toMatchObject({
      state: 'answered',
      messages: [{ text: expect.stringContaining('Chuyển từ MB') }, { author: 'staff', text: body.message }],
    })
    expect((await noticesOf(portal, player))[0]?.href).toBe(`/user/help/${row.id}`)
  })
})

describe('operators', () => {
  test('give a case to somebody who may answer it, and take it back', async ({ player, owner }) => {
    const { id } = await aCase(portal, player)
    const assign = (username: string | null) => onCase(portal, owner, `${id}/assign`, { username })
    expect((await assign(support.username)).body.assigned_to).toEqual({
      id: support.id,
      username: support.username,
    })
    const editor = await anOperator(portal, 'editor')
    for (const username of [editor.username, player.username, 'khong-co-ai'])
      expect(Object.keys((await assign(username)).body.errors ?? {})).toEqual(['username'])
    expect((await assign(null)).body.assigned_to).toBeNull()
  })

  test('who support players read no contacts of theirs with a case', async ({ player }) => {
    const email = anEmail()
    await proveEmail(portal, server, { player, email })
    const { id } = await aCase(portal, player)
    const detail = await readCase(portal, support, id)
    const list = await portal.call('GET', `/api/operator/cases?filter={"user_id":"${player.id}"}`, {
      token: support.token,
    })
    expect(list.body).toMatchObject([{ id, username: player.username }])
    const { phone } = await portal.db
      .selectFrom('user_contacts')
      .select('phone')
      .where('user_id', '=', player.id)
      .executeTakeFirstOrThrow()
    const shown = JSON.stringify([detail, list.body])
    for (const hidden of [email, String(phone)]) expect(shown).not.toContain(hidden)
    expect(Object.keys(detail)).not.toContain('email')
  })

  test('keep templates, each with a title of its own', async () => {
    const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object) =>
      portal.call(method, `/api/operator/answer-templates${path}`, {
        token: support.token,
        body: { reason: 'Soạn mẫu', ...body },
      })
    const made = await call('POST', '', { title: 'Chờ game', text: 'Bạn vào game giúp nhé' })
    expect(made.status).toBe(201)
    expect((await call('POST', '', { title: 'CHỜ GAME', text: 'a' })).body.errors).toHaveProperty('title')
    const { id, updated_at } = made.body
    const changed = await call('PUT', `/${id}`, { title: 'Chờ game', text: 'Khác', updated_at })
    expect(changed.body.text).toBe('Khác')
    expect((await call('PUT', `/${id}`, { title: 'Chờ game', text: 'b', updated_at })).status).toBe(409)
    expect((await call('DELETE', `/${id}`, {})).status).toBe(200)
    expect((await call('DELETE', `/${id}`, {})).status).toBe(404)
  })
})

describe('time', () => {
  test('closes a case in which nobody wrote since its answer, and deletes it with its pictures later', async ({
    player,
  }) => {
    const pictures = [await aReceipt({ width: 10, height: 10 }).png().toBuffer()]
    const { id, messages } = await aCase(portal, player, { pictures })
    const waiting = await aCase(portal, player)
    await answer(id)
    const age = (column: 'last_message_at' | 'closed_at', days: number) =>
      portal.db
        .updateTable('help_case')
        .set({ [column]: new Date(Date.now() - days * 86_400_000 - 1_000) })
        .where('user_id', '=', player.id)
        .where('state', column === 'closed_at' ? '=' : '<>', 'closed')
        .execute()
    await age('last_message_at', SILENT_DAYS)
    await closeSilent(portal.deps, SILENT_DAYS)
    expect((await read(player, `/${id}`)).body.state).toBe('closed')
    await removePast(portal.deps)
    expect((await read(player, `/${id}`)).status).toBe(200)
    await age('closed_at', CASE_DAYS_MAX)
    await removePast(portal.deps)
    expect((await read(player)).body.data).toMatchObject([{ id: waiting.id, state: 'open' }])
    expect((await read(player, `/${id}/pictures/${messages[0]?.pictures[0]}`)).status).toBe(404)
  })
})
