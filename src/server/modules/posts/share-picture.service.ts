import { access } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Sharp } from 'sharp'
import type { Db } from '#server/platform/db/database.ts'
import { olderTitle } from '#contract/pages.ts'
import { shareSubjectOf, type ShareSubject } from '#contract/share-pictures.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { PICTURE_WIDTHS, uploadAddress } from '#contract/post-html.ts'
import { findUpload, uploadsIn } from '#server/modules/pictures/index.ts'
import { boundedQueue } from '#server/platform/process/bounded-queue.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { etagOf } from '#server/platform/http/cached-response.ts'
import { orNotFound, Refusal } from '#server/platform/values/errors.ts'
import { loadSharp } from '#server/platform/pictures/reencode.ts'
import { findCategory, findPublishedPost } from './posts.queries.ts'
import { isCover } from './posts.rules.ts'

type SharePicture = { png: Buffer; etag: string }

const publicFile = (path: string) => fileURLToPath(new URL(`../../../../public${path}`, import.meta.url))

const WIDEST = Math.max(...PICTURE_WIDTHS)
const GROUND = '/images/share-ground.jpg'
const COLOURS = 160
/** Raised when pictures are rendered another way, so that no cache serves the old ones. */
const DESIGN_VERSION = 3
const CACHED_MAX = 60

const SITE = '/images/og-default.png'

/** `address` is the client's. */
type PictureRequest = { db: Db; address: string }

export type ShareDeps = {
  /** Of a tournament that is there; another module has them. */
  findTournamentName: (db: Db, id: string) => Promise<string | undefined>
}

type SharePictures = {
  /** The picture of this name, see `shareNameOf`; throws NOT_FOUND where there is none. */
  of: (request: PictureRequest, name: string) => Promise<SharePicture>
}

/** The title of a page, and what lies behind it. */
type Titled = { title: string; cover: string | null }

/** What a picture shows; the title is null of the portal itself. */
type Shown = { ageClass: string; titled: Titled | null }

/**
 * Pictures for shared pages, rendered at the first request, one at a time, and cached by what they show. Requesting
 * addresses are served in turn.
 */
export function createSharePictures(
  { findTournamentName }: ShareDeps,
  render = renderSharePicture,
): SharePictures {
  const cached = new Map<string, Buffer>()
  /** Those that wait or are being rendered, for the address that requested them first. */
  const pending = new Map<string, Promise<Buffer>>()
  // A picture takes about a third of a second and 4 MB. Chat groups retry.
  const queued = boundedQueue({
    runningMax: 1,
    waitingMax: 12,
    waitMsMax: 10_000,
    refusal: (_, isOwnDoing) =>
      new Refusal(isOwnDoing ? 'RATE_LIMITED' : 'UNAVAILABLE', { retryAfterSeconds: 5 }),
  })

  function cache(etag: string, png: Buffer): Buffer {
    // Moved to the end of the map, whose first entry is the least recently requested.
    cached.delete(etag)
    cached.set(etag, png)
    for (const oldest of cached.keys()) {
      if (cached.size <= CACHED_MAX) break
      cached.delete(oldest)
    }
    return png
  }

  /** Waits for the turn of this address, and of the one that requested the same picture before: the earlier one counts. */
  function renderedInTurn(request: PictureRequest, shown: Shown, etag: string): Promise<Buffer> {
    const own = queued(
      async () => cached.get(etag) ?? cache(etag, await render(request.db, shown)),
      clientKey(request.address),
    )
    const earlier = pending.get(etag)
    if (earlier !== undefined) return Promise.any([earlier, own]).catch(() => own)
    pending.set(etag, own)
    const isOver = () => void pending.delete(etag)
    own.then(isOver, isOver)
    return own
  }

  return {
    async of(request, name) {
      const subject = shareSubjectOf(name)
      const titled = orNotFound(subject && (await titledOf(request.db, subject, findTournamentName)))
      const { ageClass } = await readSettings(request.db)
      const shown = { ageClass, titled }
      const etag = etagOf(JSON.stringify([DESIGN_VERSION, shown]))
      const known = cached.get(etag)
      const png = known === undefined ? await renderedInTurn(request, shown, etag) : cache(etag, known)
      return { png, etag }
    },
  }
}

/** Nothing of a row that is not there or not published. */
async function titledOf(
  db: Db,
  subject: ShareSubject,
  findTournamentName: ShareDeps['findTournamentName'],
): Promise<Titled | null | undefined> {
  const withoutCover = (title: string | undefined) =>
    title === undefined ? undefined : { title, cover: null }
  switch (subject.kind) {
    case 'site':
      return null
    case 'page':
      return withoutCover(subject.title)
    case 'post': {
      const post = await findPublishedPost(db, subject.id)
      return post && { title: post.title, cover: post.cover }
    }
    case 'category':
      return withoutCover((await findCategory(db, subject.id))?.title)
    case 'older': {
      const category = await findCategory(db, subject.id)
      return withoutCover(category && olderTitle(category.title))
    }
    case 'tournament':
      return withoutCover(await findTournamentName(db, subject.id))
  }
}

/** What a picture shows behind its title: the cover of a post, a file of ours or an upload, else the usual ground. */
async function groundOf(db: Db, cover: string | null): Promise<string | Buffer> {
  const upload = cover === null ? null : (uploadsIn(cover)[0] ?? null)
  if (upload !== null) return (await findUpload(db, uploadAddress(upload, WIDEST))) ?? publicFile(GROUND)
  const file = isCover(cover) ? publicFile(`${cover}-og.jpg`) : null
  const isThere =
    file !== null &&
    (await access(file).then(
      () => true,
      () => false,
    ))
  return isThere ? file : publicFile(GROUND)
}

async function renderSharePicture(db: Db, { ageClass, titled }: Shown): Promise<Buffer> {
  const sharp = await loadSharp()
  // With the reader of fonts, as large as all the rest of the posts.
  const { LOGO, sealSheet, SHARE_SIZE, titleSheet } = await import('./share-picture.rendering.ts')
  if (titled === null) {
    const seal = Buffer.from(sealSheet(ageClass))
    return asPng(sharp(publicFile(SITE)).composite([{ input: seal }]))
  }
  const { svg, paperHeight } = titleSheet(titled.title, ageClass)
  const shown = await sharp(await groundOf(db, titled.cover))
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
