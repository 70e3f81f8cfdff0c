import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { formatNumber } from '#contract/format.ts'
import { findCreatedAt } from '#server/modules/accounts/index.ts'
import { findMovements, type StoredMovement } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'

/** The lines of a file, or of standard input for `-`. */
export async function* linesOf(file: string, what: string): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!/^E[A-Z]+$/.test(code ?? '')) throw error
    throw new SetupProblem(`${file} cannot be read (${code}): name a file with ${what}`, { cause: error })
  }
}

const text = z.string()
const movedSchema = z.object({
  event: z.literal('ledger.posted'),
  time: text,
  transferId: text,
  kind: text,
  debit: text,
  credit: text,
  amount: z.number(),
  source: text,
  sourceId: z.optional(text),
  requestId: z.optional(text),
})
const registeredSchema = z.object({
  event: z.literal('registration.succeeded'),
  time: text,
  userId: text,
})
const lineSchema = z.union([movedSchema, registeredSchema])

type Moved = z.infer<typeof movedSchema>
type Registered = z.infer<typeof registeredSchema>

/** What the portal wrote down of itself after a commit and the database does not have; `line` names it. */
export type LostAct = { at: string; line: string }

const ASKED_AT_ONCE = 1_000

/**
 * Holds what the portal logged after its commits since then against the database: every movement of TCoin and every
 * registration. A failover that lost some leaves books without a fault, and only what was written elsewhere shows it.
 */
export async function* lostFromLog(
  db: Db,
  lines: AsyncIterable<string>,
  since: Date,
): AsyncGenerator<LostAct, number> {
  let logged: (Moved | Registered)[] = []
  let compared = 0
  for await (const line of lines) {
    const read = readLine(line)
    if (read === null || new Date(read.time) < since) continue
    compared++
    logged.push(read)
    if (logged.length < ASKED_AT_ONCE) continue
    yield* lostOf(db, logged)
    logged = []
  }
  yield* lostOf(db, logged)
  return compared
}

/** A line of the log, whatever a log service put in front of it. */
function readLine(line: string): Moved | Registered | null {
  if (!line.includes('"ledger.posted"') && !line.includes('"registration.succeeded"')) return null
  try {
    const read = lineSchema.safeParse(JSON.parse(line.slice(line.indexOf('{'))))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

async function* lostOf(db: Db, logged: readonly (Moved | Registered)[]): AsyncGenerator<LostAct> {
  const moved = logged.flatMap((one) => (one.event === 'ledger.posted' ? one : []))
  const registered = logged.flatMap((one) => (one.event === 'registration.succeeded' ? one : []))
  const movements = await findMovements(
    db,
    moved.map(({ transferId }) => transferId),
  )
  const createdAt = await findCreatedAt(
    db,
    registered.map(({ userId }) => userId),
  )
  for (const one of logged) {
    if (one.event === 'ledger.posted') {
      if (!isSame(one, movements.get(one.transferId))) yield { at: one.time, line: movementLine(one) }
    } else if (!isCreatedBefore(one, createdAt.get(one.userId)))
      yield { at: one.time, line: `registration of account ${one.userId}` }
  }
}

/** After a failover another movement may have the number of a lost one. Of the house's accounts the log names no stripe. */
function isSame(one: Moved, stored: StoredMovement | undefined): boolean {
  return (
    stored !== undefined &&
    stored.kind === one.kind &&
    stored.amount === one.amount &&
    stored.source === one.source &&
    (one.sourceId === undefined || stored.sourceId === one.sourceId) &&
    (stored.requestId ?? undefined) === one.requestId
  )
}

/** The clocks of the portal and of the database differ by less. */
const CLOCKS_MS_MAX = 5_000

/** An account made after the line has the number of a lost one. */
const isCreatedBefore = ({ time }: Registered, at: Date | undefined): boolean =>
  at !== undefined && at.getTime() <= Date.parse(time) + CLOCKS_MS_MAX

const movementLine = ({ transferId, kind, amount, debit, credit, source, sourceId }: Moved): string =>
  [
    `movement ${transferId}`,
    kind,
    `${formatNumber(amount)} TCoin`,
    `from ${debit} to ${credit}`,
    [source, sourceId].filter(Boolean).join(' '),
  ].join('  ')
