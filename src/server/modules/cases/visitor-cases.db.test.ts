import { describe, expect, test } from 'vitest'
import { VISITOR_OPEN_CASES_MAX, type VisitorCase } from '#contract/help/visitor-cases.ts'
import { onCase, readCase } from '#tests/support/cases.ts'
import { useMailingApp, useOperators } from '#tests/support/fixtures.ts'
import { anEmail, aPhone, giveVerifiedEmail, lettersTo, verifiedCode } from '#tests/support/mail.ts'
import { wrongCode } from '#tests/support/phones.ts'
import { anAddress, aPlayer } from '#tests/support/players.ts'
import { asOwner } from '#tests/support/databases.ts'
import { erasePerson } from '#server/modules/personal-data/index.ts'

const { portal } = useMailingApp()
const { support } = useOperators(portal, { support: 'support' })

const call = (path: string, body: object, from = anAddress()) =>
  portal.call('POST', `/api/help/${path}`, { body, from })

/** The code of the last letter to an address. */
async function mailedCode(email: string, from = anAddress()): Promise<string> {
  expect((await call('send-otp', { email }, from)).status).toBe(200)
  const letters = await lettersTo(portal, email.toLowerCase())
  return letters.findLast(({ code }) => code !== undefined)?.code ?? ''
}

const ASKED = { about_kind: 'account', text: 'Tài khoản lanlan1 của tôi bị khóa' }
const ask = async (email: string, more: object = {}) =>
  call('cases', { ...ASKED, email, code: await mailedCode(email), ...more })

async function asked(email: string): Promise<VisitorCase> {
  const answer = await ask(email)
  expect(answer.status).toBe(201)
  return answer.body as VisitorCase
}

describe('a visitor', () => {
  test('asks with a proved address, and reads and writes on by the link that is mailed', async () => {
    const email = anEmail()
    const sent = await asked(email.toUpperCase())
    expect(sent).toMatchObject({
      about: { kind: 'account', title: 'Tài khoản' },
      state: 'open',
      messages: [{ author: 'player', text: ASKED.text }],
    })
    const { id, token } = sent
    await onCase(portal, support, `${id}/messages`, { text: 'Bạn gửi thêm ảnh nhé' })
    const letters = await lettersTo(portal, email)
    expect(letters.map(({ action }) => action?.url).filter(Boolean)).toEqual(
      Array(2).fill(`${portal.deps.publicUrl}/help#${token}`),
    )
    expect(letters.at(-1)?.paragraphs.join(' ')).toContain('Bạn gửi thêm ảnh nhé')
    const read = await call('cases/read', { token })
    expect(read.body).toMatchObject({ state: 'answered', messages: [{}, { author: 'staff' }] })
    expect(JSON.stringify(read.body)).not.toContain(support.username)
    const written = await call('cases/messages', { token, text: 'Đây ạ' })
    expect(written).toMatchObject({ status: 201, body: { state: 'open' } })
    await onCase(portal, support, `${id}/close`, {})
    expect((await call('cases/messages', { token, text: 'Còn nữa' })).body.code).toBe('CONFLICT')
    expect((await onCase(portal, support, `${id}/reopen`, {})).status).toBe(200)
  })

  test('asks with a phone whose code was verified, once for each code', async () => {
    const phone = aPhone()
    const code = await verifiedCode(portal, phone)
    const sent = await call('cases', { ...ASKED, phone, code })
    expect(sent.status).toBe(201)
    expect((await call('cases', { ...ASKED, phone, code })).body.code).toBe('OTP_INVALID')
    const again = await verifiedCode(portal, phone)
    const found = await call('cases/list', { phone, code: again })
    expect(found.body).toMatchObject([{ id: sent.body.id, token: sent.body.token }])
  })

  test.each([
    ['a wrong code', async (email: string) => ({ code: wrongCode(await mailedCode(email)) })],
    ['a code of another address', async () => ({ code: await mailedCode(anEmail()) })],
    ['a phone without a code', async () => ({ email: null, phone: aPhone(), code: '012345' })],
  ])('is refused with %s, and no case is opened', async (_, proof) => {
    const email = anEmail()
    const answer = await call('cases', { ...ASKED, email, ...(await proof(email)) })
    expect([answer.status, answer.body.code]).toEqual([422, 'OTP_INVALID'])
    const opened = portal.db.selectFrom('help_visitor').selectAll().where('contact', '=', email)
    expect(await opened.execute()).toEqual([])
  })

  test('opens nothing with a token that was changed, nor a player’s case', async () => {
    const { token, id } = await asked(anEmail())
    const other = await asked(anEmail())
    const mixed = `${other.id}.${token.split('.')[1]}`
    for (const wrong of [mixed, `${token}x`, '', 'x', `${id}.`, token.toLowerCase()])
      expect([(await call('cases/read', { token: wrong })).body.code, wrong]).toEqual([
        'TOKEN_INVALID',
        wrong,
      ])
    await asOwner(portal, 'DELETE FROM help_visitor WHERE case_id = $1', [id])
    expect((await call('cases/read', { token })).body.code).toBe('TOKEN_INVALID')
  })

  test('learns nothing about accounts, which the desk is told', async () => {
    const email = anEmail()
    const player = await aPlayer(portal)
    await giveVerifiedEmail(portal, player.id, email)
    const [known, unknown] = [await asked(email), await asked(anEmail())]
    expect(JSON.stringify(known)).not.toContain(player.username)
    expect(Object.keys(known)).toEqual(Object.keys(unknown))
    expect(await readCase(portal, support, known.id)).toMatchObject({
      user_id: null,
      username: null,
      // Masked, as all contacts are for those who may not reveal them.
      visitor: { channel: 'email', contact: expect.stringContaining('*') },
      guesses: [{ id: player.id, username: player.username, is_proved: true }],
    })
    expect((await readCase(portal, support, unknown.id)).guesses).toEqual([])
    const query = new URLSearchParams({ filter: '{"is_visitor":true}', range: '[0,99]' })
    const { body } = await portal.call('GET', `/api/operator/cases?${query}`, { token: support.token })
    expect(body.map(({ id }: { id: string }) => id)).toContain(known.id)
  })
})

describe('how often', () => {
  test('the fifth wrong try kills a code', async () => {
    const email = anEmail()
    const code = await mailedCode(email)
    for (let step = 1; step <= 5; step++)
      expect((await call('cases/list', { email, code: wrongCode(code, step) })).status).toBe(422)
    expect((await call('cases', { ...ASKED, email, code })).body.code).toBe('OTP_INVALID')
  })

  test('three cases of a contact wait at most', async () => {
    const phone = aPhone()
    const statuses: number[] = []
    for (let count = 0; count <= VISITOR_OPEN_CASES_MAX; count++) {
      const code = await verifiedCode(portal, phone)
      statuses.push((await call('cases', { ...ASKED, phone, code })).status)
    }
    expect(statuses).toEqual([201, 201, 201, 422])
  })

  test('an address is mailed three codes an hour, whoever asks', async () => {
    const email = anEmail()
    const statuses: number[] = []
    for (let count = 0; count < 4; count++)
      statuses.push((await call('send-otp', { email: count % 2 ? email : email.toUpperCase() })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('one client has so many codes mailed and tries so many', async () => {
    const from = anAddress()
    for (let count = 0; count < 30; count++)
      expect((await call('send-otp', { email: anEmail() }, from)).status).toBe(200)
    expect((await call('send-otp', { email: anEmail() }, from)).status).toBe(429)
    const guess = () => call('cases/list', { email: anEmail(), code: '012345' }, from)
    for (let count = 0; count < 60; count++) expect((await guess()).status).toBe(422)
    expect((await guess()).status).toBe(429)
  })
})

test('what was asked with a contact is erased with the account that has it', async () => {
  const email = anEmail()
  const { token } = await asked(email)
  const player = await aPlayer(portal)
  await giveVerifiedEmail(portal, player.id, email)
  await erasePerson(portal.deps, { username: player.username, withBalance: false })
  expect((await call('cases/read', { token })).body.code).toBe('TOKEN_INVALID')
})
