import { hash as bcryptHash } from '@node-rs/bcrypt'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { signGameCall } from '#contract/game/signature.ts'
import { erasePerson, exportPerson } from '#server/modules/personal-data/index.ts'
import { GAME_SECRET, useGameApp } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aPhone, contactsOf, verifiedCode } from '#tests/support/mail.ts'
import { anAddress, aPlayer } from '#tests/support/players.ts'
import {
  importAccounts,
  planImport,
  underNewNames,
  type AccountSource,
  type GameAccount,
  type LeftBehind,
} from './index.ts'

const { portal } = useGameApp()

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

let lastKey = 0
function anAccount(account: Partial<GameAccount> = {}): GameAccount {
  const key = String(++lastKey)
  return {
    key,
    name: `Kiem${key.padStart(4, '0')}`,
    password: 'matkhau9',
    isActivated: false,
    isBanned: false,
    balance: 0,
    phone: '',
    email: '',
    ...account,
  }
}

let lastTable = 0
function sourceOf(
  accounts: readonly GameAccount[],
  source: Partial<AccountSource> = {},
  pageRows = 2,
): AccountSource {
  async function* pages() {
    for (let at = 0; at < accounts.length; at += pageRows) yield accounts.slice(at, at + pageRows)
  }
  return {
    name: `table_${++lastTable}`,
    columns: { id: 'id', name: 'username' },
    serverId: '1',
    passwordForm: 'detected',
    rate: { coins: 1, per: 1 },
    accounts: pages,
    async *names() {
      for await (const page of pages()) yield page.map(({ key, name }) => ({ key, name }))
    },
    ...source,
  }
}

type Outcome = { imported: number; left: Omit<LeftBehind, 'newName'>[]; already: number }

let proposed: LeftBehind['newName'][] = []

async function runImport(source: AccountSource, isStopping = () => false): Promise<Outcome> {
  const left: Outcome['left'] = []
  proposed = []
  const leftBehind = ({ newName, ...account }: LeftBehind) => {
    proposed.push(newName)
    left.push(account)
  }
  const plan = await planImport(portal.deps, { source, leftBehind })
  const imported = await importAccounts(portal.deps, { source, plan, progress: () => {}, isStopping })
  return { imported, left, already: plan.already }
}

const userOf = (name: string) =>
  portal.db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', name.toLowerCase())
    .executeTakeFirstOrThrow()

const count = async (table: 'users' | 'imported_account' | 'ledger_transfer' | 'ledger_account') =>
  Number(
    (
      await portal.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

const auditRows = (table: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['actor_kind', 'action', 'details'])
    .where('subject_type', '=', 'game-table')
    .where('subject_id', '=', table)
    .execute()

const login = (username: string, password: string) =>
  portal.call('POST', '/api/auth/login', { body: { username, password }, from: anAddress() })

async function signIn(username: string): Promise<string> {
  return (await login(username, 'matkhau9')).body.access_token as string
}

async function gameLogin(account: string, password: string): Promise<Record<string, unknown>> {
  const path = '/api/game/logins'
  const body = JSON.stringify({ server_id: '1', account, password, address: anAddress() })
  const signature = signGameCall(GAME_SECRET, Math.floor(Date.now() / 1000), { method: 'POST', path, body })
  const answer = await portal.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', 'x-portal-signature': signature },
    payload: body,
  })
  return answer.json()
}

const FORMS = {
  plain: async (password: string) => password,
  md5: async (password: string) => md5(password).toUpperCase(),
  bcrypt: async (password: string) => (await bcryptHash(password, 4)).replace('$2b$', '$2y$'),
}

test.each(['plain', 'md5', 'bcrypt'] as const)(
  'an account with a %s password signs in at the site and in the game, and is hashed anew by the first login',
  async (form) => {
    const accounts = [
      anAccount({ password: await FORMS[form]('matkhau9'), isActivated: true }),
      anAccount({ password: await FORMS[form]('Mật khẩu %') }),
    ]
    const [first, second] = accounts as [GameAccount, GameAccount]
    expect(await runImport(sourceOf(accounts))).toEqual({ imported: 2, left: [], already: 0 })
    const before = await userOf(first.name)
    expect(before).toMatchObject({ username: first.name, server_id: '1' })
    expect(before.password_hash).toMatch(
      { plain: /^\$argon2id\$/, md5: /^md5:\$argon2id\$/, bcrypt: /^\$2y\$04\$/ }[form],
    )
    expect((await login(first.name, 'matkhau8')).status).toBe(422)
    expect((await userOf(first.name)).password_hash).toBe(before.password_hash)
    expect((await login(first.name.toUpperCase(), 'matkhau9')).status).toBe(200)
    const renewed = (await userOf(first.name)).password_hash
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await login(first.name, 'matkhau9')).status).toBe(200)
    expect((await userOf(first.name)).password_hash).toBe(renewed)
    expect(await gameLogin(first.name, 'matkhau9')).toMatchObject({ status: 'ok' })

    expect(await gameLogin(second.name, '%')).toEqual({ status: 'wrong' })
    expect(await gameLogin(second.name, 'Mật khẩu %')).toEqual({
      status: 'not-activated',
      account: second.name,
    })
    expect((await userOf(second.name)).password_hash).toMatch(/^\$argon2id\$/)
    expect(await gameLogin(second.name, 'Mật khẩu %')).toMatchObject({ status: 'not-activated' })
  },
)

test('the digest of an imported password is no password', async () => {
  const account = anAccount({ password: md5('123456') })
  await runImport(sourceOf([account]))
  expect(await gameLogin(account.name, md5('123456'))).toEqual({ status: 'wrong' })
})

test('an account that is banned in the game is banned from signing in', async () => {
  const account = anAccount({ isBanned: true })
  await runImport(sourceOf([account]))
  expect((await login(account.name, 'matkhau9')).body).toMatchObject({ code: 'BANNED' })
  expect(await gameLogin(account.name, 'matkhau9')).toEqual({ status: 'banned', account: account.name })
})

test('what cannot come over is listed with its reason, and nothing is made of it', async () => {
  const registered = await aPlayer(portal)
  const twin = anAccount({ name: 'DoiTen' })
  const cases: [GameAccount, LeftBehind['reason']][] = [
    [twin, 'doubled-name'],
    [anAccount({ name: 'bonk' }), 'name-length'],
    [anAccount({ name: 'a'.repeat(21) }), 'name-length'],
    [anAccount({ name: '' }), 'name-length'],
    [anAccount({ name: 'kiếm khách' }), 'name-characters'],
    [anAccount({ name: 'quantri01' }), 'staff-name'],
    [anAccount({ name: registered.username.toUpperCase() }), 'name-registered'],
    [anAccount({ password: '' }), 'empty-password'],
    [anAccount({ password: 'a'.repeat(21) }), 'password-length'],
    [anAccount({ password: `$2y$15$${'.'.repeat(53)}` }), 'costly-password'],
    [anAccount({ balance: undefined }), 'unreadable-balance'],
    [anAccount({ balance: -1 }), 'unreadable-balance'],
    [anAccount({ name: 'doiten' }), 'doubled-name'],
  ]
  const before = await count('users')
  const good = anAccount()
  const { imported, left } = await runImport(sourceOf([...cases.map(([account]) => account), good]))
  expect(left).toEqual(cases.map(([{ key, name }, reason]) => ({ key, name, reason })))
  const isForTheName = cases.map(([, reason]) => reason.includes('name'))
  expect(proposed.map((newName) => newName !== null)).toEqual(isForTheName)
  expect([imported, (await count('users')) - before]).toEqual([1, 1])
  expect(await userOf(good.name)).toBeDefined()
})

test('names that no account can have come over under others, and are the same account in every later run', async () => {
  const [admin, short, one, other, third] = [
    anAccount({ name: 'admin' }),
    anAccount({ name: 'bo' }),
    anAccount({ name: 'TrungTen' }),
    anAccount({ name: 'TrungTen' }),
    anAccount({ name: 'trungten' }),
  ] as const
  const table = sourceOf([admin, short, one, other, third])
  const left: LeftBehind[] = []
  await planImport(portal.deps, { source: table, leftBehind: (account) => left.push(account) })
  expect(left.map(({ reason, newName }) => [reason, newName])).toEqual([
    ['staff-name', `nhanvat${admin.key}`],
    ['name-length', 'bo000'],
    ['identical-name', 'TrungTen1'],
    ['identical-name', 'TrungTen2'],
    ['doubled-name', 'trungten3'],
  ])
  const newNames = new Map(
    left.flatMap(({ key, newName }) => (key === one.key || newName === null ? [] : [[key, newName]])),
  )
  const source = underNewNames(table, newNames)
  expect(await runImport(source)).toEqual({ imported: 5, left: [], already: 0 })
  for (const name of ['TrungTen', ...newNames.values()])
    expect((await login(name, 'matkhau9')).status).toBe(200)
  expect(await runImport(source)).toEqual({ imported: 0, left: [], already: 5 })
  const inGame = [admin, short, one, other, third].map((account) => ({
    ...account,
    name: newNames.get(account.key) ?? account.name,
  }))
  expect(await runImport(sourceOf(inGame, { name: table.name }))).toMatchObject({ imported: 0, already: 5 })
  await expectReconciled(portal)
})

test('a chosen name is judged like any other, and one for a key that is not there is refused', async () => {
  const account = anAccount()
  const given = (key: string, name: string) => {
    const newNames = new Map([[key, name]])
    return { source: underNewNames(sourceOf([account, anAccount({ name: 'CoRoi' })]), newNames), newNames }
  }
  const reasonOf = async (name: string) => (await runImport(given(account.key, name).source)).left[0]
  expect(await reasonOf('coroi')).toMatchObject({ nameInGame: account.name, reason: 'doubled-name' })
  expect(await reasonOf('quantri')).toMatchObject({ nameInGame: account.name, reason: 'staff-name' })
  await expect(
    planImport(portal.deps, { ...given('999999', 'tenmoi'), leftBehind: () => {} }),
  ).rejects.toThrow('no account with the key 999999')
})

test('a plan alone changes nothing and says what an import would do', async () => {
  const accounts = [anAccount({ balance: 7 }), anAccount({ balance: 10 }), anAccount({ name: 'bonk' })]
  const before = [await count('users'), await count('ledger_account')]
  const source = sourceOf(accounts, { rate: { coins: 1, per: 2 } })
  const plan = await planImport(portal.deps, { source, leftBehind: () => {} })
  expect(plan).toMatchObject({ ready: 2, coins: 8, already: 0, left: new Map([['name-length', 1]]) })
  expect([await count('users'), await count('ledger_account')]).toEqual(before)
  expect(await auditRows(source.name)).toEqual([])
})

test('balances of the old site come from one account of the house, whole TCoin by the rate', async () => {
  const accounts = [anAccount({ balance: 999 }), anAccount({ balance: 50_000 }), anAccount({ balance: 99 })]
  const source = sourceOf(accounts, { rate: { coins: 3, per: 200 } })
  await runImport(source)
  const held = await portal.db
    .selectFrom('users')
    .innerJoin('ledger_account', 'ledger_account.id', 'wallet_account_id')
    .select('balance')
    .where(
      'username',
      'in',
      accounts.map(({ name }) => name),
    )
    .orderBy('users.id')
    .execute()
  expect(held.map(({ balance }) => balance)).toEqual(['14', '750', '1'])
  const { sum } = await portal.db
    .selectFrom('ledger_account')
    .select(({ fn }) => fn.sum('balance').as('sum'))
    .where('kind', '=', 'opening')
    .executeTakeFirstOrThrow()
  expect(sum).toBe('-765')
  const token = await signIn(accounts[1]?.name ?? '')
  const { body } = await portal.call('GET', '/api/user/transactions', { token })
  expect(body.data).toEqual([
    expect.objectContaining({ amount: 750, description: 'Số dư chuyển sang từ cổng cũ' }),
  ])
  expect(await auditRows(source.name)).toEqual([
    { actor_kind: 'system', action: 'users.import', details: { accounts: 3, coins: 765 } },
  ])
  await expectReconciled(portal)
})

test('a second import changes nothing, also where the table has new accounts and other passwords', async () => {
  const accounts = [anAccount({ balance: 5 }), anAccount(), anAccount()]
  const source = sourceOf(accounts)
  await runImport(source)
  const hashes = await Promise.all(accounts.map(({ name }) => userOf(name)))
  const added = anAccount()
  const again = sourceOf(
    [...accounts.map((account) => ({ ...account, password: 'matkhaukhac', balance: 900 })), added],
    { name: source.name },
  )
  expect(await runImport(again)).toEqual({ imported: 1, left: [], already: 3 })
  expect(await Promise.all(accounts.map(({ name }) => userOf(name)))).toEqual(hashes)
  const transfers = await count('ledger_transfer')
  expect(await runImport(again)).toEqual({ imported: 0, left: [], already: 4 })
  expect(await count('ledger_transfer')).toBe(transfers)
  expect(await auditRows(source.name)).toHaveLength(2)
})

test('a run that was stopped goes on where it stopped', async () => {
  const accounts = Array.from({ length: 9 }, () => anAccount({ balance: 1 }))
  const source = sourceOf(accounts)
  let batches = 0
  expect(await runImport(source, () => ++batches === 2)).toMatchObject({ imported: 4 })
  expect(await runImport(source)).toEqual({ imported: 5, left: [], already: 4 })
  await expectReconciled(portal)
})

test('two runs at once make each account once', async () => {
  const accounts = Array.from({ length: 20 }, () => anAccount({ balance: 1 }))
  const source = sourceOf(accounts, {}, 5)
  const outcomes = await Promise.all([runImport(source), runImport(source), runImport(source)])
  expect(outcomes.reduce((sum, { imported }) => sum + imported, 0)).toBe(20)
  await expectReconciled(portal)
})

test('a key that came over under another name is of another account', async () => {
  const account = anAccount()
  const source = sourceOf([account])
  await runImport(source)
  const other = { ...anAccount(), key: account.key }
  const { imported, left } = await runImport(sourceOf([other], { name: source.name }))
  expect([imported, left]).toEqual([
    0,
    [{ key: account.key, name: other.name, reason: 'key-of-another-account' }],
  ])
})

test('a person exports where their account came from, and an erased one does not come back', async () => {
  const account = anAccount()
  const source = sourceOf([account])
  await runImport(source)
  let text = ''
  const now = new Date()
  for await (const piece of await exportPerson({ db: portal.db, now }, account.name)) text += String(piece)
  expect(JSON.parse(text)).toMatchObject({
    imported_account: [{ source: source.name, game_key: account.key }],
  })
  const rows = await count('imported_account')
  await erasePerson(portal.deps, { username: account.name, withBalance: false })
  expect(await count('imported_account')).toBe(rows - 1)
  expect(await runImport(source)).toMatchObject({ imported: 0, left: [{ reason: 'erased-name' }] })
})

test('a server that the portal does not have is named before anything is read', async () => {
  const source = sourceOf([anAccount()], { serverId: 'khongco' })
  await expect(planImport(portal.deps, { source, leftBehind: () => {} })).rejects.toThrow('no server khongco')
})

test('a player comes without contacts, and adds and proves a phone as any other', async () => {
  const account = anAccount()
  await runImport(sourceOf([account]))
  const token = await signIn(account.name)
  const profile = async () =>
    (await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })).body
  expect(await profile()).toMatchObject({ username: account.name, email: null, phone: null })
  const phone = aPhone()
  const code = await verifiedCode(portal, phone)
  const answer = await portal.call('POST', '/api/phone/update', { token, body: { code, newPhone: phone } })
  expect(answer.status).toBe(200)
  expect(await contactsOf(portal, (await userOf(account.name)).id)).toMatchObject({ isPhoneVerified: true })
})
