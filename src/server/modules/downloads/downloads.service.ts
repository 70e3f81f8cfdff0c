import type { FastifyInstance } from 'fastify'
import QRCode from 'qrcode'
import { downloadKeys } from '#contract/downloads.ts'
import { readPublicSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { etagOf, sendTagged } from '#server/platform/http/cached-response.ts'
import { notFound } from '#server/platform/values/errors.ts'

const known = new Set<string>(Object.values(downloadKeys).flat())

/** Rendered here and not in the browser: the pictures are small, and no visitor has to load a QR library. */
async function renderDownloadQr(db: Db, key: string): Promise<{ body: string; etag: string }> {
  const link = known.has(key) ? (await readPublicSettings(db))[key] : undefined
  if (!link) throw notFound()
  const body = await QRCode.toString(link, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  return { body, etag: etagOf(link) }
}

/** `/download/qr/{key}.svg`: the link of a version for the phone of a visitor who sits at a desktop. */
export function registerDownloads(app: FastifyInstance, deps: PlatformDeps): void {
  app.get<{ Params: { key: string } }>('/download/qr/:key.svg', async (request, reply) => {
    const tagged = await renderDownloadQr(deps.db, request.params.key)
    reply.header('cache-control', 'public, max-age=300').type('image/svg+xml; charset=utf-8')
    return sendTagged(request, reply, tagged)
  })
}
