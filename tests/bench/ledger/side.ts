import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { buildApp } from '#server/app/app.ts'
import { wireDeps, type PortalDeps } from '#server/app/deps.ts'
import { readConfig } from '#server/config/config.ts'
import { prepareInstallation } from '#server/start/database.ts'
import { takeInEvent } from '#server/modules/bank-inbox/index.ts'
import { exchangeOffer } from '#server/modules/purchases/offers.ts'
import { purchase } from '#server/modules/purchases/purchase.service.ts'
import { openSession } from '#server/modules/sessions/index.ts'
import { HOUSE, postTransfer, reconcile } from '#server/modules/wallet/index.ts'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { DatabaseListener } from '#server/platform/db/notices.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { openLog } from '#server/platform/log/log.ts'
import {
  addOrders,
  fillPlayers,
  type Part,
  type Payable,
  PLAYERS,
  RECEIVING,
  signedNotification,
} from './world.ts'

/**
 * One program under measurement, in a process of its own: the services as its own tree has them, on its own database.
 * The file is copied into the tree of a commit from before it was there, so it uses what both have.
 */
export type Job = { part: Part; clients: number; ms: number } | 'reconcile'
export type Ran = { done: number; ms: number; cpuMs: number; latenciesMs: number[] }

const ORDERS_A_SECOND = 1_500
const PRICE = 10_000
const SEPAY_SECRET = 'sepay-secret-of-the-bench'
/** Players with a session, in turn. */
const CALLERS = 100

const [ownerUrl = ''] = process.argv.slice(2)
const log = openLog('error')
await migrateDatabase(ownerUrl, log)
const url = await openAppRole(ownerUrl, log)
await prepareInstallation({ ownerUrl, isDemo: false, providers: ['sepay'] })
await fillPlayers(ownerUrl)
const db = openDatabase({ url, log, connectionsMax: 20 })
const config = readConfig({
  DATABASE_URL: url,
  DEMO: '0',
  GAME_SERVER_URL: 'embedded',
  SEPAY_WEBHOOK_SECRET: SEPAY_SECRET,
  TRUST_PROXY: '127.0.0.1',
})
const listener = new DatabaseListener(url, log)
const overrides = { withPages: false }
const deps: PortalDeps = wireDeps({ config, log, database: { db, listener }, overrides })
const wallets = await walletsOf()
const orders: Payable[] = []
const tokens = await tokensOf()
const portal = await (await buildApp(deps)).listen({ host: '127.0.0.1', port: 0 })

let turn = 0
const nextPlayer = () => turn++ % PLAYERS

async function walletsOf(): Promise<{ id: string; walletId: string }[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'wallet_account_id'])
    .orderBy('id')
    .limit(PLAYERS)
    .execute()
  return rows.map((row) => ({ id: row.id, walletId: row.wallet_account_id }))
}

async function tokensOf(): Promise<string[]> {
  const caller = { log, address: '127.0.0.1', userAgent: 'the measurement', deviceToken: randomUUID() }
  const opened: string[] = []
  for (const { id } of wallets.slice(0, CALLERS)) {
    const { token } = await inTransaction(db, (tx) => openSession(deps, tx, { userId: id, caller }))
    opened.push(token)
  }
  return opened
}

function takeOrder(): Payable {
  const order = orders.pop()
  if (order === undefined) throw new Error('there were too few orders')
  return order
}

/** Each call from another address, so that none is one too many. */
const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

const agent = new Agent({ keepAlive: true })

async function call(path: string, headers: Record<string, string>, body: string): Promise<void> {
  const job = request(new URL(path, portal), {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anAddress(), ...headers },
  }).end(body)
  const [answer] = (await once(job, 'response')) as [IncomingMessage]
  const content = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${content}`)
}

const WORK: Record<Part, () => Promise<unknown>> = {
  post: () =>
    inTransaction(db, (tx) =>
      postTransfer(tx, {
        kind: 'adjustment',
        debit: HOUSE.recharge,
        credit: wallets[nextPlayer()]?.walletId ?? '',
        amount: 1,
        source: { type: 'bench', id: randomUUID() },
      }),
    ),
  async recharge() {
    const order = takeOrder()
    const id = String(randomInt(1, 2 ** 47))
    const event = {
      provider: 'sepay',
      providerEventId: id,
      direction: 'in' as const,
      amountVnd: order.amount,
      accountNumber: RECEIVING.number,
      bankRef: `FT${id}`,
      memo: `${order.code} nap tien`,
      fullText: `MBVCB.${id}.${order.code} nap tien`,
      code: null,
      bookedAt: new Date(),
    }
    const raw = Buffer.from(JSON.stringify(event))
    await takeInEvent(deps, { event, signature: 'valid', raw }, randomUUID())
  },
  purchase: () =>
    purchase(deps, exchangeOffer, {
      userId: wallets[nextPlayer()]?.id ?? '',
      key: randomUUID(),
      body: { character_id: '1', amount: PRICE },
      overLimit: null,
      requestId: randomUUID(),
    }),
  'recharge by HTTP': async () => {
    const { headers, body } = signedNotification(takeOrder(), SEPAY_SECRET)
    await call('/api/webhooks/sepay', headers, body)
  },
  'purchase by HTTP': () =>
    call(
      '/api/exchange/store',
      { authorization: `Bearer ${tokens[nextPlayer() % CALLERS]}`, 'idempotency-key': randomUUID() },
      JSON.stringify({ character_id: '1', amount: PRICE }),
    ),
}

async function run({ part, clients, ms }: Exclude<Job, string>): Promise<Ran> {
  if (part.startsWith('recharge')) {
    const missing = Math.ceil((ms / 1_000) * ORDERS_A_SECOND) - orders.length
    if (missing > 0) orders.push(...(await addOrders(ownerUrl, missing)))
  }
  const latenciesMs: number[] = []
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const client = async () => {
    while (performance.now() - start < ms) {
      const begun = performance.now()
      await WORK[part]()
      latenciesMs.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const { user, system } = process.cpuUsage(cpuBefore)
  const took = performance.now() - start
  return { done: latenciesMs.length, ms: took, cpuMs: (user + system) / 1_000, latenciesMs }
}

async function answer(job: Job): Promise<Ran | string[]> {
  if (job !== 'reconcile') return run(job)
  return (await reconcile(db)).filter(({ count }) => count > 0).map(({ check }) => check)
}

process.on('message', (job: Job) => {
  answer(job).then(
    (answered) => process.send?.(answered),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
// The parent is gone.
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
