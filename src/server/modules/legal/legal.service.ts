import { LEGAL_KINDS, type LegalKind, type LegalText } from '#contract/legal.ts'
import type { Db } from '#server/platform/db/database.ts'
import { shownHtml } from '#server/platform/html/safe-html.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { findCurrentVersion, getText } from './legal.queries.ts'

/** Throws NOT_FOUND for what is no legal text. */
export function kindOf(text: string): LegalKind {
  if (!isLegalKind(text)) throw notFound()
  return text
}

/** One text as its readers get it: the version in force, or an older one by its number. */
export async function readLegalText(db: Db, name: string, version?: string): Promise<LegalText> {
  const kind = kindOf(name)
  if (version !== undefined && !isVersion(version)) throw notFound()
  const text = await getText(db, kind, version)
  return {
    kind,
    version: text.version,
    current_version: version === undefined ? text.version : await findCurrentVersion(db, kind),
    content: await shownHtml(text.content),
    published_at: text.published_at.toISOString(),
  }
}

const isLegalKind = (text: string): text is LegalKind => LEGAL_KINDS.some((kind) => kind === text)

/** A number of a version as PostgreSQL's bigint holds it. */
const isVersion = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)
