import { BAN_FOREVER } from '#contract/users.ts'
import {
  createMovedAccounts,
  faultsOfNames,
  hashForeignPasswords,
  readContactHint,
  readForeignPassword,
  storeContactHints,
  type ForeignPassword,
} from '#server/modules/accounts/index.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { activateAsInGame } from '#server/modules/traders/index.ts'
import { postOpening } from '#server/modules/wallet/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { inTransaction, sqlState, type Tx } from '#server/platform/db/transaction.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import {
  deleteImported,
  exportImported,
  hasServer,
  insertImported,
  selectImported,
} from './account-import.queries.ts'
import {
  coinsFor,
  readNames,
  type AccountSource,
  type GameAccount,
  type LeftBehind,
  type Plan,
  type Reason,
  type TableNames,
} from './import-source.ts'
import { candidatesFor, type NewNames } from './new-names.ts'

type ImportDeps = Pick<PlatformDeps, 'db' | 'vault'>

type ReadyAccount = Omit<GameAccount, 'password' | 'phone' | 'email'> & {
  coins: number
  password: ForeignPassword
  contacts: ReturnType<typeof readContactHint>
}

type Left = Omit<LeftBehind, 'newName'>

type Sorted = { ready: ReadyAccount[]; left: Left[]; already: number }

/** For these another name is what helps. */
const ABOUT_NAMES: ReadonlySet<Reason> = new Set([
  'name-length',
  'name-characters',
  'identical-name',
  'doubled-name',
  'staff-name',
  'name-registered',
  'erased-name',
])

type Planning = {
  /** Already under the names that `newNames` gives. */
  source: AccountSource
  newNames?: NewNames
  /** Told of every account that cannot come over. */
  leftBehind(account: LeftBehind): void
}

/** What an import would do. Changes nothing. */
export async function planImport(
  deps: ImportDeps,
  { source, newNames = new Map(), leftBehind }: Planning,
): Promise<Plan> {
  if (!(await hasServer(deps.db, source.serverId)))
    throw new SetupProblem(
      `the portal has no server ${source.serverId}: name one of its servers in import.server`,
    )
  const names = await readNames(source.names(), newNames)
  const proposed = new Set<string>()
  const left = new Map<Reason, number>()
  const sums = { ready: 0, activated: 0, banned: 0, coins: 0, hinted: 0, unreadableHints: 0, already: 0 }
  for await (const page of source.accounts()) {
    const sorted = await sort(deps, { source, names }, page)
    sums.ready += sorted.ready.length
    sums.activated += sorted.ready.filter(({ isActivated }) => isActivated).length
    sums.banned += sorted.ready.filter(({ isBanned }) => isBanned).length
    sums.coins += sorted.ready.reduce((sum, { coins }) => sum + coins, 0)
    sums.hinted += sorted.ready.filter(({ contacts: { hint } }) => hint.phone ?? hint.email).length
    sums.unreadableHints += sorted.ready.reduce((sum, { contacts }) => sum + contacts.unreadable, 0)
    sums.already += sorted.already
    for (const account of await withNewNames(deps, { names, proposed }, sorted.left)) {
      left.set(account.reason, (left.get(account.reason) ?? 0) + 1)
      leftBehind(account)
    }
  }
  return { names, left, ...sums }
}

/** Proposes a free name to each account that another name lets in. `proposed` holds those of the run, in lower case. */
async function withNewNames(
  deps: ImportDeps,
  { names, proposed }: { names: TableNames; proposed: Set<string> },
  left: readonly Left[],
): Promise<LeftBehind[]> {
  const candidates = new Map(
    left.filter(({ reason }) => ABOUT_NAMES.has(reason)).map((account) => [account, candidatesFor(account)]),
  )
  const faults = await faultsOfNames(deps, [...candidates.values()].flat())
  return left.map((account) => {
    const isFree = (name: string) =>
      !faults.has(name) && !names.all.has(name.toLowerCase()) && !proposed.has(name.toLowerCase())
    const newName = candidates.get(account)?.find(isFree) ?? null
    if (newName !== null) proposed.add(newName.toLowerCase())
    return { ...account, newName }
  })
}

type Sorting = { source: AccountSource; names: TableNames }

async function sort(
  deps: ImportDeps,
  { source, names }: Sorting,
  page: readonly GameAccount[],
): Promise<Sorted> {
  const sorted: Sorted = { ready: [], left: [], already: 0 }
  if (page.length === 0) return sorted
  const imported = await selectImported(
    deps.db,
    source.name,
    page.map(({ key }) => key),
  )
  const faults = await faultsOfNames(
    deps,
    page.map(({ name }) => name),
  )
  for (const account of page) {
    const { key, name, nameInGame } = account
    const inGame = nameInGame === undefined ? {} : { nameInGame }
    const nameImported = imported.get(key)
    if (nameImported === name.toLowerCase()) {
      sorted.already++
      continue
    }
    const password = readForeignPassword(account.password, source.passwordForm)
    const coins = coinsFor(account.balance, source.rate)
    const reason =
      (nameImported === undefined ? undefined : ('key-of-another-account' as const)) ??
      doubleFault(name, names) ??
      faults.get(name) ??
      (typeof password === 'string' ? password : undefined)
    if (reason !== undefined) sorted.left.push({ key, name, ...inGame, reason })
    else if (coins === undefined) sorted.left.push({ key, name, ...inGame, reason: 'unreadable-balance' })
    else {
      const { phone, email, ...rest } = account
      const contacts = readContactHint({ phone, email })
      sorted.ready.push({ ...rest, coins, password: password as ForeignPassword, contacts })
    }
  }
  return sorted
}

function doubleFault(name: string, { identical, doubled }: TableNames): Reason | undefined {
  if (identical.has(name)) return 'identical-name'
  return doubled.has(name.toLowerCase()) ? 'doubled-name' : undefined
}

type Run = {
  source: AccountSource
  plan: Plan
  /** Called after each batch. */
  progress(imported: number): void
  /** True ends the run after the batch that is being written. */
  isStopping(): boolean
}

/** Imports what the plan found. Answers how many accounts were made; each batch is a transaction. */
export async function importAccounts(deps: ImportDeps, run: Run): Promise<number> {
  let imported = 0
  for await (const batch of hashedAhead(deps, run)) {
    if (batch.ready.length > 0)
      imported += await writeBatch(deps, { ...run, ...batch, isFirst: imported === 0 })
    run.progress(imported)
    if (run.isStopping()) break
  }
  return imported
}

/** Of the names that an operator gave, those under which accounts are on the portal, from this run or an earlier one. */
export async function namesInUse(
  { db }: ImportDeps,
  { name }: Pick<AccountSource, 'name'>,
  newNames: NewNames,
): Promise<NewNames> {
  const imported = await selectImported(db, name, [...newNames.keys()])
  return new Map([...newNames].filter(([key, newName]) => imported.get(key) === newName.toLowerCase()))
}

type Batch = { page: readonly GameAccount[]; ready: ReadyAccount[]; hashes: Map<string, string> }

/** The passwords of one batch are hashed while the batch before it is being written. */
async function* hashedAhead(deps: ImportDeps, { source, plan }: Run): AsyncGenerator<Batch> {
  const sorting = { source, names: plan.names }
  let next: Promise<Batch> | null = null
  for await (const page of source.accounts()) {
    const ahead = prepare(deps, sorting, { page, before: next })
    // Waited for with the next page at the latest, or never after an error.
    ahead.catch(() => {})
    if (next !== null) yield await next
    next = ahead
  }
  if (next !== null) yield await next
}

type Ahead = { page: readonly GameAccount[]; before: Promise<unknown> | null }

async function prepare(deps: ImportDeps, sorting: Sorting, { page, before }: Ahead): Promise<Batch> {
  const { ready } = await sort(deps, sorting, page)
  // Until then the threads are those of the batch before.
  await before
  const stored = await hashForeignPasswords(ready.map(({ password }) => password))
  return { page, ready, hashes: new Map(ready.map(({ key }, at) => [key, stored[at] as string])) }
}

const UNIQUE_VIOLATION = '23505'
const TRIES_MAX = 5

type Writing = Run & Batch & { isFirst: boolean }

/** A name that was registered since the batch was sorted undoes the batch; it is then sorted again. */
async function writeBatch(deps: ImportDeps, writing: Writing): Promise<number> {
  let { ready } = writing
  for (let tries = 1; ; tries++) {
    if (ready.length === 0) return 0
    try {
      await inTransaction(deps.db, (tx) => write(tx, { ...writing, ready }))
      return ready.length
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION || tries === TRIES_MAX) throw error
      const sorting = { source: writing.source, names: writing.plan.names }
      ready = (await sort(deps, sorting, writing.page)).ready.filter(({ key }) => writing.hashes.has(key))
    }
  }
}

async function write(tx: Tx, { source, plan, ready, hashes, isFirst }: Writing): Promise<void> {
  const made = await createMovedAccounts(
    tx,
    ready.map(({ key, name, isBanned }) => ({
      username: name,
      passwordHash: hashes.get(key) as string,
      serverId: source.serverId,
      signInBan: isBanned ? { until: BAN_FOREVER, reason: 'Đã bị khóa trong game' } : null,
    })),
  )
  const accounts = ready.map((account, at) => ({ ...account, ...(made[at] as (typeof made)[number]) }))
  const activated = accounts.filter(({ isActivated }) => isActivated).map(({ id }) => id)
  if (activated.length > 0) await activateAsInGame(tx, activated)
  for (const { key, walletId, coins } of accounts) {
    const cause = { type: 'game_account', id: `${source.name}:${key}` }
    if (coins > 0) await postOpening(tx, { walletId, amount: coins, source: cause })
  }
  await storeContactHints(
    tx,
    accounts.map(({ id, contacts }) => ({ userId: id, ...contacts.hint })),
  )
  await insertImported(
    tx,
    source.name,
    accounts.map(({ key, id }) => ({ key, userId: id })),
  )
  // With the first accounts, so that a run which is cut off has its row.
  if (!isFirst) return
  await appendAudit(tx, {
    actor: { kind: 'system' },
    action: 'users.import',
    subject: { type: 'game-table', id: source.name },
    details: { accounts: plan.ready, coins: plan.coins },
  })
}

export const personalImport: PersonalPart = {
  lists: { imported_account: exportImported },
  erase: deleteImported,
}
