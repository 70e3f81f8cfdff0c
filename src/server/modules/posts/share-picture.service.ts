import { access } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Sharp } from 'sharp'
import type { Db } from '#server/platform/db/database.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { PICTURE_WIDTHS } from '#contract/uploads.ts'
import { findPictureFile, uploadsIn } from '#server/modules/pictures/index.ts'
import { boundedQueue } from '#server/platform/bounded-queue.ts'
import { etagOf } from '#server/platform/http/etag.ts'
import { notFound, Refusal } from '#server/platform/http/refusal.ts'
import { loadSharp } from '#server/platform/pictures/load-sharp.ts'
import { findPublishedPost } from './posts.queries.ts'
import { isCover, isId } from './posts.rules.ts'

export type SharePicture = { png: Buffer; etag: string }

const publicFile = (path: string) => fileURLToPath(new URL(`../../../../public${path}`, import.meta.url))

const WIDEST = Math.max(...PICTURE_WIDTHS)
const GROUND = '/images/share-ground.jpg'
const COLOURS = 160
/** Goes up with the look, so that no cache serves the old one. */
const LOOK = 2
const KEPT_MAX = 60

const SITE = '/images/og-default.png'

export type SharePictures = {
  of: (db: Db, postId: string) => Promise<SharePicture>
  /** Of every page that has none of its own. */
  ofSite: (db: Db) => Promise<SharePicture>
}

/** What a picture shows; null is the portal itself. */
type Shown = { ageClass: string; post: { title: string; cover: string | null } | null }

/** Pictures for shared pages, drawn when they are first asked for, one at a time, and kept by what they show. */
export function createSharePictures(draw = drawSharePicture): SharePictures {
  const kept = new Map<string, Promise<Buffer>>()
  // A picture takes about a third of a second and 4 MB. Chat groups ask again.
  const queued = boundedQueue({
    runningMax: 1,
    waitingMax: 12,
    waitMsMax: 10_000,
    refusal: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 }),
  })

  async function pictureOf(db: Db, post: Shown['post']): Promise<SharePicture> {
    const { ageClass } = await readSettings(db)
    const shown = { ageClass, post }
    const etag = etagOf(JSON.stringify([LOOK, shown]))
    const work = kept.get(etag) ?? queued(() => draw(db, shown))
    // Moved to the end of the map, whose first entry is the one asked for the longest ago.
    kept.delete(etag)
    kept.set(etag, work)
    const png = await work.catch((error: unknown) => {
      if (kept.get(etag) === work) kept.delete(etag)
      throw error
    })
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MAX) break
      kept.delete(oldest)
    }
    return { png, etag }
  }

  return {
    async of(db, id) {
      const post = isId(id) ? await findPublishedPost(db, id) : undefined
      if (post === undefined) throw notFound()
      return pictureOf(db, { title: post.title, cover: post.cover })
    },
    ofSite: (db) => pictureOf(db, null),
  }
}

/** What the picture of a post shows behind its title: its cover, a file of ours or an upload, else the usual ground. */
async function groundOf(db: Db, cover: string | null): Promise<string | Buffer> {
  const upload = cover === null ? null : (uploadsIn(cover)[0] ?? null)
  if (upload !== null) return (await findPictureFile(db, upload, WIDEST)) ?? publicFile(GROUND)
  const file = isCover(cover) ? publicFile(`${cover}-og.jpg`) : null
  const isThere =
    file !== null &&
    (await access(file).then(
      () => true,
      () => false,
    ))
  return isThere ? file : publicFile(GROUND)
}

async function drawSharePicture(db: Db, { ageClass, post }: Shown): Promise<Buffer> {
  const sharp = await loadSharp()
  // With the reader of fonts, as large as all the rest of the posts.
  const { LOGO, sealSheet, SHARE_SIZE, titleSheet } = await import('./share-picture.drawing.ts')
  if (post === null) {
    const seal = Buffer.from(sealSheet(ageClass))
    return asPng(sharp(publicFile(SITE)).composite([{ input: seal }]))
  }
  const { svg, paperHeight } = titleSheet(post.title, ageClass)
  const shown = await sharp(await groundOf(db, post.cover))
    .resize(SHARE_SIZE.width, SHARE_SIZE.height - paperHeight, { fit: 'cover' })
    .toBuffer()
  const logo = await sharp(publicFile('/images/logo.png')).resize(LOGO.width, LOGO.height).toBuffer()
  const paper = sharp({ create: { ...SHARE_SIZE, channels: 3, background: '#FBF7F0' } })
  return asPng(
    paper.composite([
      { input: shown, left: 0, top: 0 },
      { input: Buffer.from(svg), left: 0, top: 0 },
      {
        input: logo,
        left: SHARE_SIZE.width - LOGO.width - LOGO.right,
        top: SHARE_SIZE.height - LOGO.height - LOGO.bottom + 10,
      },
    ]),
  )
}

const asPng = (picture: Sharp): Promise<Buffer> =>
  picture.png({ palette: true, colours: COLOURS, effort: 5, compressionLevel: 8 }).toBuffer()
