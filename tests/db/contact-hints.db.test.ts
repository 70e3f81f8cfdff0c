import { expect, test } from 'vitest'
import {
  importAccounts,
  planImport,
  type AccountSource,
  type GameAccount,
  type Plan,
} from '#server/modules/account-import/index.ts'
import { erasePerson, exportPerson } from '#server/modules/personal-data/index.ts'
import type { TestAnswer } from '#tests/support/app.ts'
import { useMailingApp } from '#tests/support/fixtures.ts'
import {
  anEmail,
  aPhone,
  contactsOf,
  deliverMail,
  fromAnywhere,
  mailedCode,
  proveEmail,
  provePhone,
  verifiedCode,
  waitingMail,
} from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

const { server, portal } = useMailingApp()

type Given = Partial<Pick<GameAccount, 'phone' | 'email'>>

let made = 0
function sourceOf(given: readonly Given[]): AccountSource {
  const accounts = given.map((contacts): GameAccount => ({
    key: String(++made),
    name: `GoiY${String(made).padStart(4, '0')}`,
    password: 'matkhau9',
    isActivated: false,
    isBanned: false,
    balance: 0,
    phone: '',
    email: '',
    ...contacts,
  }))
  async function* pages() {
    yield accounts
  }
  return {
    name: `table_${made}`,
    columns: { id: 'id', name: 'username' },
    serverId: '1',
    passwordForm: 'detected',
    rate: { coins: 1, per: 1 },
    names: pages,
    accounts: pages,
  }
}

async function runImport(source: AccountSource): Promise<Plan> {
  const plan = await planImport(portal.deps, { source, leftBehind: () => {} })
  await importAccounts(portal.deps, { source, plan, progress: () => {}, isStopping: () => false })
  return plan
}

type Imported = Pick<TestPlayer, 'id' | 'username' | 'token'>

async function signIn(username: string): Promise<Imported> {
  const { body } = await portal.call('POST', '/api/auth/login', {
    body: { username, password: 'matkhau9' },
    headers: fromAnywhere(),
  })
  const token = body.access_token as string
  const { body: user } = await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })
  return { id: user.id, username, token }
}

/** A player who came over with these. */
async function anImported(given: Given): Promise<TestPlayer> {
  const source = sourceOf([given])
  await runImport(source)
  return (await signIn(`GoiY${String(made).padStart(4, '0')}`)) as TestPlayer
}

const hintsOf = async ({ token }: Pick<TestPlayer, 'token'>) =>
  (await portal.call('GET', '/api/user/contact-hints', { token })).body

const stored = ({ id }: Pick<TestPlayer, 'id'>) =>
  portal.db.selectFrom('contact_hint').select(['phone', 'email']).where('user_id', '=', id).execute()

/** What is seen from outside, without request id and time. */
function visibleParts({ status, body, headers }: TestAnswer) {
  const { requestId: _, ...rest } = body as Record<string, unknown>
  const { date: _date, 'x-server-time': _time, 'x-request-id': _id, ...visible } = headers
  return { status, body: rest, headers: visible }
}

test('phones and addresses come over in one form each; what cannot be one is counted and left out', async () => {
  const given: Given[] = [
    { phone: ' 0912 345.678', email: ' Kiem@Thu.test ' },
    { phone: '912345679' },
    { phone: '+84 (912) 345-670', email: 'khongphai' },
    { phone: '02412345678', email: 'a@b' },
    { phone: '0', email: 'NULL' },
    {},
  ]
  const plan = await runImport(sourceOf(given))
  expect(plan).toMatchObject({ ready: 6, hinted: 3, unreadableHints: 3 })
  const rows = await portal.db
    .selectFrom('contact_hint')
    .select(['phone', 'email'])
    .orderBy('user_id')
    .execute()
  expect(rows).toEqual([
    { phone: '84912345678', email: 'Kiem@Thu.test' },
    { phone: '84912345679', email: null },
    { phone: '84912345670', email: null },
  ])
  expect(await portal.db.selectFrom('user_contacts').select('user_id').execute()).toEqual([])
})

test('a player alone is told the own ones, and has no contact by them', async () => {
  const [phone, email] = [aPhone(), anEmail()]
  const player = await anImported({ phone, email })
  expect(await hintsOf(player)).toEqual({ phone: phone.replace(/^84/, '0'), email })
  expect(await hintsOf(await aPlayer(portal))).toEqual({ phone: null, email: null })
  const { body } = await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })
  expect(body).toMatchObject({ phone: null, phone_verified: false, email: null, email_verified: false })
  expect(await contactsOf(portal, player.id)).toBeUndefined()
})

test('what came over opens nothing: resets by it are answered as for a name that does not exist, and nothing is sent', async () => {
  const [phone, email] = [aPhone(), anEmail()]
  const player = await anImported({ phone, email })
  const code = await verifiedCode(portal, phone)
  const post = (path: string, body: object) =>
    portal.call('POST', `/api/password/${path}`, { body, headers: fromAnywhere() })
  const byPhone = (username: string) =>
    post('reset-via-phone', { username, phone, code, password: 'mat-khau-moi' })
  const refused = visibleParts(await byPhone(player.username))
  expect(refused).toMatchObject({ status: 422, body: { code: 'OTP_INVALID' } })
  expect(refused).toEqual(visibleParts(await byPhone('khongcoaica')))
  const byMail = async (username: string) => visibleParts(await post('request', { username, email }))
  expect(await byMail(player.username)).toEqual(await byMail('khongcoaica'))
  await deliverMail(portal)
  expect(server.to(email)).toEqual([])
  expect(await waitingMail(portal)).toEqual([])
  expect((await signIn(player.username)).token).toEqual(expect.any(String))
})

test('it keeps nobody else from the same phone and address, who takes nothing from it', async () => {
  const [phone, email] = [aPhone(), anEmail()]
  const player = await anImported({ phone, email })
  const other = await aPlayer(portal, { phone })
  await provePhone(portal, { player: other, phone })
  expect(await hintsOf(player)).toEqual({ phone: phone.replace(/^84/, '0'), email })
  await deliverMail(portal)
  expect(server.to(email)).toEqual([])
})

test.each(['phone', 'email'] as const)(
  'both are gone as soon as one is proved (%s), and do not come back',
  async (channel) => {
    const [phone, email] = [aPhone(), anEmail()]
    const source = sourceOf([{ phone, email }])
    await runImport(source)
    const player = (await signIn(`GoiY${String(made).padStart(4, '0')}`)) as TestPlayer
    expect(await stored(player)).toHaveLength(1)
    if (channel === 'phone') await provePhone(portal, { player, phone })
    else await proveEmail(portal, server, { player, email: anEmail() })
    expect(await stored(player)).toEqual([])
    expect(await hintsOf(player)).toEqual({ phone: null, email: null })
    await runImport(source)
    expect(await stored(player)).toEqual([])
  },
)

test('a code that was mailed for the form proves nothing yet', async () => {
  const email = anEmail()
  const player = await anImported({ email })
  expect(await mailedCode(portal, server, { player, email })).toMatch(/^\d{6}$/)
  expect(await stored(player)).toEqual([{ phone: null, email }])
})

test('they are in the player’s own data, and are erased with the person', async () => {
  const [phone, email] = [aPhone(), anEmail()]
  const player = await anImported({ phone, email })
  let text = ''
  for await (const piece of await exportPerson({ db: portal.db, now: new Date() }, player.username))
    text += String(piece)
  expect(JSON.parse(text)).toMatchObject({ contact_hint: [{ phone, email }] })
  await erasePerson(portal.deps, { username: player.username, withBalance: false })
  expect(await stored(player)).toEqual([])
})
