import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorPicture, operatorPictures } from '#contract/operator/posts.ts'
import { PICTURE_WIDTHS, uploadAddress, uploadHash } from '#contract/post-html.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
import { renderPicture } from './pictures.rendering.ts'
import {
  countPictures,
  deletePicture,
  findPictureFile,
  listPictureRows,
  lockPicture,
  lockPictureRows,
  type PictureRow,
  storePicture,
} from './pictures.queries.ts'

const noPicture = (): Refusal => invalidField('picture', 'Vui lòng chọn ảnh')

type Use = { id: string; title: string }

const pictureInUse = (posts: readonly Use[]): Refusal =>
  conflict(
    `Ảnh đang được dùng trong bài “${posts[0]?.title}” (bài, bản nháp hoặc bản lưu cũ), chưa thể xóa`,
    { posts },
  )

export type PicturesDeps = PlatformDeps & {
  /** Some of the posts that show a picture now, in a draft or in a revision. */
  listPictureUses(tx: Tx, hash: string): Promise<{ id: string; title: string }[]>
}

/** Rendering takes time, also of what is then refused. */
const PICTURES_PER_OPERATOR = machineLimit('operator-pictures', 300, 3_600)

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
  call: UserCall<typeof operatorPictures.create>,
): Promise<OperatorPicture> {
  const { file: bytes, body, identity } = call
  // The file is a part of the request: the same key with another one is refused.
  const picture = bytes && sha256Hex(bytes)
  const withFile = { ...call, body: { ...body, picture } }
  return actAsOperator(deps, withFile, {
    action: 'pictures.create',
    // A transaction would stay open as long as this takes.
    async prepare() {
      if (bytes === null) throw noPicture()
      await deps.limits.consume(PICTURES_PER_OPERATOR, identity.userId)
      return renderPicture(deps.log, bytes)
    },
    async work(tx, rendered) {
      const { picture: after, isNew } = await storePicture(tx, rendered, body.alt)
      return {
        answer: describe(after),
        audit: {
          action: isNew ? 'pictures.create' : 'pictures.update',
          subject: { type: 'picture', id: after.id },
          details: { before: null, after },
        },
      }
    },
  })
}

export async function removePicture(
  deps: PicturesDeps,
  call: UserCall<typeof operatorPictures.remove>,
): Promise<void> {
  await actAsOperator(deps, call, {
    action: 'pictures.delete',
    async work(tx) {
      const before = await lockPicture(tx, call.params.id)
      const uses = await deps.listPictureUses(tx, before.hash)
      if (uses.length > 0) throw pictureInUse(uses)
      await deletePicture(tx, before.id)
      return {
        answer: null,
        audit: { subject: { type: 'picture', id: before.id }, details: { before, after: null } },
      }
    },
  })
}

const describe = ({ hash, created_at, ...row }: PictureRow): OperatorPicture => ({
  ...row,
  urls: Object.fromEntries(PICTURE_WIDTHS.map((width) => [String(width), uploadAddress(hash, width)])),
  created_at: created_at.toISOString(),
})

/** The file behind an address of an uploaded picture; undefined when nothing is there. */
export async function findUpload(db: Db, address: string): Promise<Buffer | undefined> {
  const hash = uploadHash(address)
  const width = /-(\d+)[.]webp$/.exec(address)?.[1]
  return hash === null ? undefined : findPictureFile(db, hash, Number(width))
}

/** Prevents these pictures from being deleted until the transaction ends; answers the hashes of those that do not exist. */
export async function lockPictures(tx: Tx, hashes: readonly string[]): Promise<string[]> {
  const existing = hashes.length === 0 ? [] : await lockPictureRows(tx, hashes)
  return hashes.filter((hash) => !existing.includes(hash))
}

/** The hashes of the uploaded pictures that texts (HTML, the address of a cover) name, each once. */
export function uploadsIn(...texts: readonly (string | null)[]): string[] {
  const found = texts.flatMap((text) => [...(text ?? '').matchAll(/\/uploads\/([0-9a-f]{32})(?![0-9a-f])/g)])
  return [...new Set(found.map(([, hash]) => hash as string))]
}
