import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { appliedTimes, compareWithJournal } from '../../harness/game-journal.ts'
import { compareEffects, reconciled, type Verification } from '../../harness/verification.ts'
import { countsOf } from '../../harness/numbers.ts'
import type { TestTransfer } from '#tests/support/signed-notifications.ts'
import type { Done } from './crowd.ts'

/** The moments (ms) that decide what has to be in the books. */
export type Moments = { backup: number; lost: number; back: number }

type Evidence = {
  gameDir: string
  done: Done[]
  notified: TestTransfer[]
  /** Goods that compare-game listed as unknown. */
  listed: string[]
  moments: Moments
}

/** Compares the players’ logs, the bank’s, and the game’s journal with the restored books. */
export async function verifyRestored(db: Db, evidence: Evidence) {
  const goods = await verifyGoods(db, evidence)
  const { books, ...transfers } = await verifyTransfers(db, evidence.notified)
  const verification: Verification = {
    acknowledged: evidence.done.length,
    books: { ...(await verifyActs(db, evidence)), ...goods.books, ...books },
    reconcile: await reconciled(db),
  }
  return { verification, forgottenGoods: goods.forgotten, ...transfers }
}

/** Lost is what was confirmed before the backup or after the restore and is not in the books as often. */
function verifyActs(db: Db, { done, moments }: Evidence) {
  const isCertain = ({ began, ended }: Done) => ended < moments.backup || began > moments.back
  const actsOf = (acts: readonly Done[]) => acts.map(({ confirmed }) => confirmed)
  return compareEffects(db, actsOf(done.filter(isCertain)), actsOf(done))
}

/** Goods that the game delivered and the books do not know have to be listed by compare-game, and no others. */
async function verifyGoods(db: Db, { gameDir, listed, moments }: Evidence) {
  const applied = await appliedTimes(gameDir)
  const beforeLoss = [...(await appliedTimes(gameDir, moments.lost)).keys()]
  const { rows } = await sql<{ id: string; state: string }>`SELECT id, state FROM delivery`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  const forgotten = [...applied.keys()].filter((id) => !known.has(id))
  // Sent again although the game had applied it before the loss, in place of asking.
  const { rows: sent } = await sql`
    SELECT FROM delivery_attempt WHERE asked = 'deliver' AND asked_at > ${new Date(moments.lost)}
       AND delivery_id = ANY (${beforeLoss}::uuid[])`.execute(db)
  return {
    forgotten: forgotten.length,
    books: {
      ...(await compareWithJournal(db, applied)),
      sentAgain: sent.length,
      deliveriesOpen: rows.filter(({ state }) => state !== 'delivered' && state !== 'refunded').length,
      notListed: forgotten.filter((id) => !listed.includes(id)).length,
      wronglyListed: listed.filter((id) => !forgotten.includes(id)).length,
    },
  }
}

/** A transfer of an order that the books know is credited to it; of another one it waits for an operator. */
async function verifyTransfers(db: Db, notified: readonly TestTransfer[]) {
  const { rows } = await sql<{ ref: string; state: string; code: string | null; known: boolean }>`
    SELECT sent.ref, b.state, o.code, EXISTS (SELECT FROM payment_order WHERE code = sent.code) AS known
      FROM unnest(${notified.map(({ ref }) => ref)}::text[],
                  ${notified.map(({ memo }) => /TCX[A-Z2-9]{10}/.exec(memo)?.[0] ?? '')}::text[]) AS sent (ref, code)
      JOIN bank_transaction b ON b.bank_ref = sent.ref
      LEFT JOIN payment_order o ON o.id = b.order_id`.execute(db)
  const times = countsOf(rows.map(({ ref }) => ref))
  const isDecided = ({ state, code, known }: (typeof rows)[number]) =>
    known ? state === 'credited' && code !== null : state === 'review'
  const refs = new Set(notified.map(({ ref }) => ref as string))
  return {
    transfersCredited: rows.filter(({ state }) => state === 'credited').length,
    transfersInReview: rows.filter(({ state }) => state === 'review').length,
    books: {
      transfersMissing: [...refs].filter((ref) => times.get(ref) !== 1).length,
      transfersUndecided: rows.filter((row) => !isDecided(row)).length,
    },
  }
}
