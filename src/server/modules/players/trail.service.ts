import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorUsers, TrailRow, Unmatched } from '#contract/operator/users.ts'
import { findVerifiedPhone } from '#server/modules/accounts/index.ts'
import { describeTrailRows } from '#server/modules/audit/index.ts'
import { listUnmatchedOf } from '#server/modules/bank-inbox/index.ts'
import { describeDevice, describePlace } from '#server/modules/sessions/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { getWho } from './players.queries.ts'
import {
  isBehind,
  microsOf,
  momentOf,
  readMark,
  selectTrail,
  type StoredTrailRow,
  writeMark,
} from './trail.queries.ts'

const ROWS = 30

/** A player's trail, the newest first; `before` is the mark that the last part ended with. */
export async function readTrail(
  db: Db,
  userId: string,
  before: string | undefined,
): Promise<AnswerOf<typeof operatorUsers.trail>> {
  const who = await getWho(db, userId)
  const mark = readMark(before)
  const stored = await selectTrail(db, who, { mark, limit: ROWS + 1 })
  const phone = await findVerifiedPhone(db, userId)
  const unmatched = (await listUnmatchedOf(db, { ...who, phone }))
    .map(asTrailRow)
    .filter((row) => isBehind(row, mark) && !stored.some(({ key }) => key === row.key))
  const rows = [...stored, ...unmatched].sort((one, other) => (isBehind(one, other) ? 1 : -1))
  const shown = rows.slice(0, ROWS)
  const last = shown.at(-1)
  const acts = await describeTrailRows(
    db,
    shown.flatMap(({ kind, ref }) => (kind === 'act' ? [ref] : [])),
  )
  const described = shown.map((row) => toTrailRow(row, (row.kind === 'act' && acts.get(row.ref)) || null))
  return { rows: described, next: last && rows.length > ROWS ? writeMark(last) : null }
}

/** In review and nobody's yet, so that the table does not lead to it. */
const asTrailRow = ({ bank_transfer_id: id, amount, created_at, memo }: Unmatched): StoredTrailRow => ({
  key: `bank-transfer:${id}`,
  micros: microsOf(created_at),
  kind: 'bank-transfer',
  ref: id,
  what: 'review',
  amount,
  note: memo,
  by: null,
})

function toTrailRow({ key, micros, note, ...row }: StoredTrailRow, act: TrailRow['act']): TrailRow {
  return {
    ...row,
    id: key,
    at: momentOf(micros),
    note: row.kind === 'sign-in' ? originIn(note ?? '') : note,
    act: act && { sentence: act.sentence, changes: act.changes },
  }
}

/** The browser and the place of a sign-in, which the table holds as two lines. */
function originIn(note: string): string {
  const [userAgent = '', place = ''] = note.split('\n')
  return `${describeDevice(userAgent)}, ${describePlace(place)}`
}
