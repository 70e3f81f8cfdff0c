import { createHmac } from 'node:crypto'
import { canonicalJson } from '#server/platform/idempotency/idempotency.ts'
import { type Db, logOf } from '#server/platform/db/database.ts'
import { afterCommit, isInTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { installationKey } from '#server/platform/db/vault.ts'
import { type AuditEntry, insertAudit, selectTrailRows, type TrailRow } from './audit.queries.ts'
import {
  type ChainFault,
  type Head,
  listBeginnings,
  listBeyond,
  listHeads,
  listPersonal,
  listSealedHeads,
  listSealFaults,
  readChain,
  readSeals,
} from './chain.queries.ts'

export type AuditActor = AuditEntry['actor']

const personalHashOf = (key: string, personal: unknown) =>
  createHmac('sha256', key).update(canonicalJson(personal)).digest()

/**
 * Writes one row of the audit trail inside the act's own transaction, so that there is no act without its row.
 * It locks one of the sixteen lines of the trail until the end: make it the last statement of a transaction.
 */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { personal, action, subject, requestId } = entry
  const hash = personal && personalHashOf(await installationKey(tx), personal)
  const seq = await insertAudit(tx, entry, hash ? { text: JSON.stringify(personal), hash } : null)
  // A transaction that was opened another way, as the trail's own tests do, has no commit to wait for.
  if (!isInTransaction()) return
  const facts = { seq, action, subjectType: subject.type, subjectId: subject.id, requestId }
  afterCommit('report an act', (db) =>
    logOf(db)?.info({ event: 'audit.appended', ...facts }, 'an act is in the audit trail'),
  )
}

/** Rows of the trail by their numbers, as the log names them. */
export const findTrailRows = async (db: Db, seqs: readonly string[]): Promise<Map<string, TrailRow>> =>
  new Map((await selectTrailRows(db, seqs)).map((row) => [row.seq, row]))

/** An act of a player on their own account. */
export async function appendOwnAct(
  tx: Tx,
  userId: string,
  act: Omit<AuditEntry, 'actor' | 'subject'>,
): Promise<void> {
  const user = { id: userId }
  await appendAudit(tx, { actor: { kind: 'user', ...user }, subject: { type: 'user', ...user }, ...act })
}

export type Verified = {
  /** How many rows were read. */
  rows: number
  faults: ChainFault[]
  /** The last seal when the reading began: all that it covers was read now or before. */
  seal: string
}

/** The fault to examine first: of rows before those of seals, which only name rows. */
export const firstOf = (faults: readonly ChainFault[]): ChainFault | null =>
  faults.toSorted((one, other) => {
    const [rank, otherRank] = [one, other].map(({ fault }) => (fault === 'seal' ? 1 : 0)) as [number, number]
    return rank - otherRank || Number(BigInt(one.seq) - BigInt(other.seq))
  })[0] ?? null

/** Where a reading begins that reads everything. */
export const WHOLE = '0'
/** A trail with more is broken anywhere; the rest is not read. */
const FAULTS_MAX = 1_000

/**
 * Reads the trail behind the seal `since`, part by part, and all seals. Personal parts that were erased are no fault;
 * changed ones are. Rows appended meanwhile are left to the next reading.
 */
export async function verifyAuditChain(db: Db, since = WHOLE): Promise<Verified> {
  const { heads, seal } = await listHeads(db)
  const sealed = await listSealedHeads(db, since)
  const starts = sealed.length > 0 ? sealed : await listBeginnings(db)
  const key = await installationKey(db)
  const faults = await listSealFaults(db, seal)
  let rows = 0
  for (const start of starts) {
    const end = heads.find(({ line }) => line === start.line)
    for await (const part of partsOf(db, start, end ?? start)) {
      rows += part.rows
      faults.push(...part.faults, ...(await personalFaults(db, key, part)))
      if (faults.length >= FAULTS_MAX) return { rows, faults, seal }
    }
  }
  faults.push(...(await missedBySeals(db, sealed.length > 0 ? since : WHOLE, seal)))
  faults.push(...(await listBeyond(db)))
  return { rows, faults, seal }
}

type Read = { rows: number; faults: ChainFault[]; start: Head; last: Head }

/** A chain part by part; the last one also reports a chain that does not end at its head. */
async function* partsOf(db: Db, from: Head, end: Head): AsyncGenerator<Read> {
  let start = from
  for (;;) {
    const { rows, last, faults } = await readChain(db, start, end.seq)
    yield { rows, faults, start, last }
    if (rows === 0) break
    start = last
  }
  const isEnd = start.seq === end.seq && start.hash.equals(end.hash)
  if (!isEnd) yield { rows: 0, faults: [{ seq: end.seq, fault: 'head' }], start, last: start }
}

async function personalFaults(db: Db, key: string, { rows, start, last }: Read): Promise<ChainFault[]> {
  if (rows === 0) return []
  const parts = await listPersonal(db, start.line, start.seq, last.seq)
  return parts
    .filter(({ content, personal_hash }) => !personal_hash?.equals(personalHashOf(key, content)))
    .map(({ seq }) => ({ seq, fault: 'personal' }))
}

async function missedBySeals(db: Db, since: string, last: string): Promise<ChainFault[]> {
  const missed: ChainFault[] = []
  let after: string | null = since
  while (after !== null) {
    const part: { last: string | null; faults: ChainFault[] } = await readSeals(db, after, last)
    missed.push(...part.faults)
    after = part.last
  }
  return missed
}
