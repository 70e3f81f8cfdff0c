import { type RawBuilder, sql } from 'kysely'
import type { AuditAction } from '#contract/operator/audit-sentences/sentences.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isPast } from '#server/platform/db/due.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

/** A place in one of the chains that the trail consists of. Rows from before there were lines are the one without a number. */
export type Head = { line: number | null; seq: string; hash: Buffer }

export type ChainFault = { seq: string; fault: 'link' | 'hash' | 'head' | 'seal' | 'personal' }

const ofLine = (line: number | null): RawBuilder<boolean> =>
  line === null ? sql`a.line IS NULL` : sql`a.line = ${line}`

/** The ends of all chains at one moment, and the last seal made by then. */
export async function listHeads(db: Db): Promise<{ heads: Head[]; seal: string }> {
  const { rows } = await sql<Head & { seal: string | null }>`
    SELECT NULL::smallint AS line, seq, hash, seal FROM audit_head
    UNION ALL
    SELECT line, seq, hash, NULL FROM audit_line`.execute(db)
  const seal = rows.find(({ line }) => line === null)?.seal ?? '0'
  return { heads: rows, seal }
}

/** What the chains begin with, before their first rows. */
export async function listBeginnings(db: Db): Promise<Head[]> {
  const { rows } = await sql<Head>`
    SELECT NULL::smallint AS line, 0::bigint AS seq, sha256('cong-ninja audit'::bytea) AS hash
    UNION ALL
    SELECT n, 0, sha256(convert_to('cong-ninja audit line ' || n, 'UTF8')) FROM generate_series(0, 15) AS n`.execute(
    db,
  )
  return rows
}

/** The ends of all chains as a seal has them; none when there is no such seal. */
export async function listSealedHeads(db: Db, seal: string): Promise<Head[]> {
  const { rows } = await sql<Head>`
    SELECT head.line, head.seq, decode(head.hash, 'hex') AS hash
      FROM audit_seal, jsonb_to_recordset(heads) AS head (line smallint, seq bigint, hash text)
     WHERE number = ${seal}::bigint`.execute(db)
  return rows
}

const ROWS_AT_ONCE = 2_000

type Part = { rows: number; last: Head; faults: ChainFault[] }

/**
 * The next rows of a chain behind a place and up to its end: those that are not chained to the one before them, and those
 * whose hash is not that of their content.
 */
export async function readChain(db: Db, start: Head, end: string): Promise<Part> {
  type Row = {
    rows: number
    seq: string | null
    hash: Buffer | null
    unlinked: string[] | null
    changed: string[] | null
  }
  const { rows } = await sql<Row>`
    WITH part AS (
      SELECT a, a.seq, a.hash, a.prev_hash FROM audit_log a
       WHERE ${ofLine(start.line)} AND a.seq > ${start.seq}::bigint AND a.seq <= ${end}::bigint
       ORDER BY a.seq LIMIT ${ROWS_AT_ONCE}),
    checked AS (
      SELECT seq, hash, prev_hash <> lag(hash, 1, ${start.hash}::bytea) OVER (ORDER BY seq) AS is_unlinked,
             hash <> sha256(prev_hash || audit_canonical(a)) AS is_changed
        FROM part)
    SELECT count(*)::integer AS rows, max(seq) AS seq, (array_agg(hash ORDER BY seq DESC))[1] AS hash,
           array_agg(seq) FILTER (WHERE is_unlinked) AS unlinked, array_agg(seq) FILTER (WHERE is_changed) AS changed
      FROM checked`.execute(db)
  const [read] = rows
  if (!read || read.seq === null || read.hash === null) return { rows: 0, last: start, faults: [] }
  return {
    rows: read.rows,
    last: { line: start.line, seq: read.seq, hash: read.hash },
    faults: [
      ...(read.unlinked ?? []).map((seq) => ({ seq, fault: 'link' as const })),
      ...(read.changed ?? []).map((seq) => ({ seq, fault: 'hash' as const })),
    ],
  }
}

/** The personal parts of rows of a chain, with the hash the chain holds of each. */
export async function listPersonal(db: Db, line: number | null, from: string, to: string) {
  return db
    .selectFrom('audit_log as a')
    .innerJoin('audit_personal', 'audit_personal.seq', 'a.seq')
    .select(['a.seq', 'audit_personal.content', 'a.personal_hash'])
    .where(ofLine(line))
    .where('a.seq', '>', from)
    .where('a.seq', '<=', to)
    .execute()
}

/** Chains that have rows behind their ends, rows of no line, and a seal behind the last: the numbers where they begin. */
export async function listBeyond(db: Db): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    SELECT seq, 'head' AS fault FROM audit_head
     WHERE EXISTS (SELECT FROM audit_log a WHERE a.line IS NULL AND a.seq > audit_head.seq)
    UNION ALL
    SELECT seq, 'head' FROM audit_line
     WHERE EXISTS (SELECT FROM audit_log a WHERE a.line = audit_line.line AND a.seq > audit_line.seq)
    UNION ALL
    (SELECT seq, 'head' FROM audit_log WHERE line < 0 OR line > 15 LIMIT 100)
    UNION ALL
    SELECT seal, 'seal' FROM audit_head
     WHERE EXISTS (SELECT FROM audit_seal WHERE number > audit_head.seal)`.execute(db)
  return rows
}

/** Seals up to the last that do not follow the one before or are not as they were made, and the last one when it is gone. */
export async function listSealFaults(db: Db, last: string): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    WITH seals AS (
      SELECT s, s.number, s.hash, s.prev_hash,
             lag(s.number, 1, 0::bigint) OVER line AS last_number,
             lag(s.hash, 1, sha256('cong-ninja audit seal'::bytea)) OVER line AS last_hash
        FROM audit_seal s WHERE s.number <= ${last}::bigint WINDOW line AS (ORDER BY s.number))
    SELECT number AS seq, 'seal' AS fault FROM seals
     WHERE number <> last_number + 1 OR prev_hash <> last_hash OR hash <> sha256(prev_hash || audit_seal_canonical(s))
    UNION ALL
    SELECT head.seal, 'seal' FROM audit_head head
     WHERE head.seal > 0
       AND NOT EXISTS (SELECT FROM audit_seal s WHERE s.number = head.seal AND s.hash = head.seal_hash)`.execute(
    db,
  )
  return rows
}

export type ChainedAct = {
  seq: string
  at: Date
  details: Record<string, unknown>
  /** Its hash is still that of its content. */
  isAsWritten: boolean
}

/** The first act of this kind on one thing. */
export async function findFirstAct(
  db: Db,
  { type, id }: { type: string; id: string },
  action: AuditAction,
): Promise<ChainedAct | undefined> {
  const { rows } = await sql<ChainedAct>`
    SELECT a.seq, a.at, a.details, a.hash = sha256(a.prev_hash || audit_canonical(a)) AS "isAsWritten"
      FROM audit_log a WHERE a.subject_type = ${type} AND a.subject_id = ${id} AND a.action = ${action}
     ORDER BY a.seq LIMIT 1`.execute(db)
  return rows[0]
}

const SEALS_AT_ONCE = 100

/** The next seals behind one, up to the last: the last of them, and those of them that name a row the trail does not have. */
export async function readSeals(
  db: Db,
  after: string,
  last: string,
): Promise<{ last: string | null; faults: ChainFault[] }> {
  const { rows } = await sql<{ number: string; misses: boolean }>`
    SELECT s.number, EXISTS (
        SELECT FROM jsonb_to_recordset(s.heads) AS head (line smallint, seq bigint, hash text)
         WHERE head.seq > 0 AND NOT EXISTS (
           SELECT FROM audit_log a
            WHERE a.seq = head.seq AND a.line IS NOT DISTINCT FROM head.line AND a.hash = decode(head.hash, 'hex'))) AS misses
      FROM audit_seal s WHERE s.number > ${after}::bigint AND s.number <= ${last}::bigint
     ORDER BY s.number LIMIT ${SEALS_AT_ONCE}`.execute(db)
  return {
    last: rows.at(-1)?.number ?? null,
    faults: rows.filter(({ misses }) => misses).map(({ number }) => ({ seq: number, fault: 'seal' })),
  }
}

/** Makes the seal of the day; null when the day has one. */
export async function sealDay(db: Db): Promise<{ number: string; hash: string } | null> {
  const { rows } = await sql<{ number: string; hash: string }>`
    SELECT number, encode(hash, 'hex') AS hash FROM audit_seal_day() WHERE number IS NOT NULL`.execute(db)
  return rows[0] ?? null
}

export async function findTrailCheck(db: Db) {
  return db
    .selectFrom('stored_check')
    .select(['faults', 'checked_at', 'whole_at', 'verified_seal', 'first_fault', 'first_place'])
    .$narrowType<{ first_fault: ChainFault['fault'] | null }>()
    .where('name', '=', 'audit-chain')
    .executeTakeFirstOrThrow()
}

/** The check, if none was begun for a day. */
export async function listDueChecks(db: Db, isResting: IsResting): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM stored_check
     WHERE name = 'audit-chain' AND ${isPast(sql`started_at`, 86_400)}
       AND NOT ${isResting(sql`stored_check.name`)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** False when no check is due for a day, or another process has it. */
export async function claimTrailCheck(db: Db): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stored_check')
    .set({ started_at: sql<Date>`now()` })
    .where('name', '=', 'audit-chain')
    .where(isPast(sql`started_at`, 86_400))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A check that came to no end is due again after so long. */
export async function postponeTrailCheck(db: Db, seconds: number): Promise<void> {
  await db
    .updateTable('stored_check')
    .set({ started_at: sql<Date>`now() - interval '1 day' + make_interval(secs => ${seconds})` })
    .where('name', '=', 'audit-chain')
    .execute()
}

type Found = { faults: number; first: ChainFault | null; seal: string; isWhole: boolean }

/** What a check found. After faults the next check starts from the beginning, so that they are reported until they are gone. */
export async function storeTrailCheck(db: Db, { faults, first, seal, isWhole }: Found): Promise<void> {
  await db
    .updateTable('stored_check')
    .set({
      started_at: sql<Date>`now()`,
      checked_at: sql<Date>`clock_timestamp()`,
      faults: String(faults),
      first_fault: first?.fault ?? null,
      first_place: first?.seq ?? null,
      verified_seal: faults === 0 ? seal : '0',
      ...(isWhole ? { whole_at: sql<Date>`clock_timestamp()` } : {}),
    })
    .where('name', '=', 'audit-chain')
    .execute()
}
