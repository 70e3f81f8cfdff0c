import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorPicture, operatorPictures } from '#contract/operator/pictures.ts'
import { PICTURE_WIDTHS, uploadAddress } from '#contract/uploads.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { processLimit } from '#server/platform/limits/limits.ts'
import { drawPicture } from './pictures.drawing.ts'
import { noPicture, pictureInUse } from './pictures.errors.ts'
import {
  countPictures,
  deletePicture,
  listPictureRows,
  lockPicture,
  storePicture,
  type PictureRow,
} from './pictures.queries.ts'

export type PicturesDeps = PlatformDeps & {
  /** Some of the posts that show a picture now, in a draft or in a revision. */
  listPictureUses(tx: Tx, hash: string): Promise<{ id: string; title: string }[]>
}

type Operator = { operatorId: string; requestId: string }

/** To draw costs time, also what is refused. */
const PICTURES_PER_OPERATOR = processLimit('operator-pictures', 300, 3_600)

type Given = NonNullable<QueryOf<typeof operatorPictures.list>['filter']>

export async function listPictures(
  db: Db,
  { q, id }: Given,
  page: ListPage,
): Promise<ListRows<OperatorPicture>> {
  const filter = { id, altPart: q }
  const rows = await listPictureRows(db, filter, page)
  return { total: await countPictures(db, filter), rows: rows.map(describe) }
}

export async function addPicture(
  deps: PicturesDeps,
  { bytes, alt }: { bytes: Buffer | null; alt: string },
  operator: Operator,
): Promise<OperatorPicture> {
  if (bytes === null) throw noPicture()
  await deps.limits.consume(PICTURES_PER_OPERATOR, operator.operatorId)
  // Drawn before the transaction, which would stay open that long.
  const drawn = await drawPicture(deps.log, bytes)
  return inTransaction(deps.db, async (tx) => {
    const { picture, isNew } = await storePicture(tx, drawn, alt)
    await audit(tx, operator, {
      action: isNew ? 'pictures.create' : 'pictures.update',
      before: null,
      after: picture,
    })
    return describe(picture)
  })
}

export async function removePicture(deps: PicturesDeps, id: string, operator: Operator): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const before = await lockPicture(tx, id)
    const uses = await deps.listPictureUses(tx, before.hash)
    if (uses.length > 0) throw pictureInUse(uses)
    await deletePicture(tx, id)
    await audit(tx, operator, { action: 'pictures.delete', before, after: null })
  })
}

type Change = { action: string } & ({ before: null; after: PictureRow } | { before: PictureRow; after: null })

async function audit(
  tx: Tx,
  { operatorId, requestId }: Operator,
  { action, before, after }: Change,
): Promise<void> {
  await appendAudit(tx, {
    actor: { kind: 'operator', id: operatorId },
    action,
    subject: { type: 'picture', id: (before ?? after).id },
    details: { before, after },
    requestId,
  })
}

const describe = ({ hash, created_at, ...row }: PictureRow): OperatorPicture => ({
  ...row,
  urls: Object.fromEntries(PICTURE_WIDTHS.map((width) => [String(width), uploadAddress(hash, width)])),
  created_at: created_at.toISOString(),
})
