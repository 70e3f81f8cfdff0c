import { join } from 'node:path'
import { sql } from 'kysely'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { countKeys, effects, keyOf } from '../judge.ts'
import type { Done, Notified } from './people.ts'

/** The moments (ms) that decide what has to be in the books. */
export type Moments = { backup: number; lost: number; back: number }

export type Verdict = {
  /** Confirmed before the backup or after the restore, and not in the books, or in them more often. */
  lost: number
  unasked: number
  /** By the game’s journal. */
  appliedTwice: number
  /** What the game had applied before the loss and a worker sent again instead of asking. */
  sentAgain: number
  deliveredNotApplied: number
  refundedButApplied: number
  open: number
  /** Goods that the game delivered and the books do not know: those that compare-game did not list, or listed beside them. */
  notListed: number
  wronglyListed: number
  /** Bank transfers that are not there exactly once, or neither credited to their order nor waiting for an operator. */
  transfersMissing: number
  transfersUndecided: number
  reconcile: Record<string, number>
}

export type Found = { verdict: Verdict; forgottenGoods: number; credited: number; inReview: number }

type Books = {
  url: string
  gameDir: string
  done: Done[]
  notified: Notified[]
  listed: string[]
  moments: Moments
}

/** Holds the players’ logs, the bank’s, and the game’s journal against the restored books. */
export async function judgeRestored(books: Books): Promise<Found> {
  const db = openDatabase({
    url: books.url,
    log: openLog('fatal'),
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
  })
  try {
    const goods = await judgeGoods(db, books)
    const transfers = await judgeTransfers(db, books.notified)
    const checks = await reconcile(db)
    return {
      verdict: {
        ...(await judgeActs(db, books)),
        ...goods.verdict,
        ...transfers.verdict,
        reconcile: Object.fromEntries(checks.map(({ check, count }) => [check, count])),
      },
      forgottenGoods: goods.forgotten,
      credited: transfers.credited,
      inReview: transfers.inReview,
    }
  } finally {
    await db.destroy()
  }
}

export const faultsOf = ({ reconcile: books, ...faults }: Verdict): number =>
  [...Object.values(faults), ...Object.values(books)].reduce((sum, count) => sum + count, 0)

async function judgeActs(db: Db, { done, moments }: Books) {
  const keysOf = (acts: readonly Done[]) => countKeys(acts.flatMap(({ seen }) => keyOf(seen) ?? []))
  const isCertain = ({ began, ended }: Done) => ended < moments.backup || began > moments.back
  const certain = keysOf(done.filter(isCertain))
  const possible = keysOf(done)
  const players = [...new Set(done.map(({ seen }) => seen.player))]
  const actual = countKeys(await effects(db, players))
  let lost = 0
  let unasked = 0
  for (const [key, times] of certain) lost += Math.max(0, times - (actual.get(key) ?? 0))
  for (const [key, times] of actual) unasked += Math.max(0, times - (possible.get(key) ?? 0))
  return { lost, unasked }
}

async function judgeGoods(db: Db, { gameDir, listed, moments }: Books) {
  const { rows: journal } = await readJournal(join(gameDir, JOURNAL_FILE))
  const applied = journal.filter(({ status }) => status === 'applied')
  const times = countKeys(applied.map(({ id }) => id))
  const beforeLoss = applied.filter(({ at = '' }) => Date.parse(at) < moments.lost).map(({ id }) => id)
  const { rows } = await sql<{ id: string; state: string }>`SELECT id, state FROM delivery`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  const forgotten = [...times.keys()].filter((id) => !known.has(id))
  const { rows: sent } = await sql`
    SELECT FROM delivery_attempt WHERE asked = 'deliver' AND asked_at > ${new Date(moments.lost)}
       AND delivery_id = ANY (${beforeLoss}::uuid[])`.execute(db)
  const count = (state: string, isApplied: boolean) =>
    rows.filter((row) => row.state === state && times.has(row.id) === isApplied).length
  return {
    forgotten: forgotten.length,
    verdict: {
      appliedTwice: [...times.values()].filter((each) => each > 1).length,
      sentAgain: sent.length,
      deliveredNotApplied: count('delivered', false),
      refundedButApplied: count('refunded', true),
      open: rows.filter(({ state }) => state !== 'delivered' && state !== 'refunded').length,
      notListed: forgotten.filter((id) => !listed.includes(id)).length,
      wronglyListed: listed.filter((id) => !forgotten.includes(id)).length,
    },
  }
}

/** A transfer of an order that the books know is credited to it; of another one it waits for an operator. */
async function judgeTransfers(db: Db, notified: readonly Notified[]) {
  const { rows } = await sql<{ ref: string; state: string; code: string | null; known: boolean }>`
    SELECT told.ref, b.state, o.code, EXISTS (SELECT FROM payment_order WHERE code = told.code) AS known
      FROM unnest(${notified.map(({ ref }) => ref)}::text[],
                  ${notified.map(({ memo }) => /TCX[A-Z2-9]{10}/.exec(memo)?.[0] ?? '')}::text[]) AS told (ref, code)
      JOIN bank_transaction b ON b.bank_ref = told.ref
      LEFT JOIN payment_order o ON o.id = b.order_id`.execute(db)
  const times = countKeys(rows.map(({ ref }) => ref))
  const isDecided = ({ state, code, known }: (typeof rows)[number]) =>
    known ? state === 'credited' && code !== null : state === 'review'
  const refs = new Set(notified.map(({ ref }) => ref as string))
  return {
    credited: rows.filter(({ state }) => state === 'credited').length,
    inReview: rows.filter(({ state }) => state === 'review').length,
    verdict: {
      transfersMissing: [...refs].filter((ref) => times.get(ref) !== 1).length,
      transfersUndecided: rows.filter((row) => !isDecided(row)).length,
    },
  }
}
