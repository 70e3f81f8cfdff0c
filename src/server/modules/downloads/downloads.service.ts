import QRCode from 'qrcode'
import { downloadKeys } from '#contract/downloads.ts'
import { readPublicSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { etagOf } from '#server/platform/http/cached-response.ts'
import { notFound } from '#server/platform/values/errors.ts'

const known = new Set<string>(Object.values(downloadKeys).flat())

/** Drawn here and not in the browser: the pictures are small, and no visitor has to load a QR library. */
export async function drawDownloadQr(db: Db, key: string): Promise<{ body: string; etag: string }> {
  const link = known.has(key) ? (await readPublicSettings(db))[key] : undefined
  if (!link) throw notFound()
  const body = await QRCode.toString(link, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  return { body, etag: etagOf(link) }
}
