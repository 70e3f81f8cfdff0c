import type { BodyOf } from '#contract/endpoint.ts'
import { LEGAL_KINDS, type LegalKind, type LegalText } from '#contract/legal.ts'
import type { LegalDraft, LegalVersion, OperatorLegalText, operatorLegal } from '#contract/operator/legal.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { assertTextLinks } from '#server/modules/settings/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { cleanText } from '#server/platform/html/clean-text.rules.ts'
import { hasText } from '#server/platform/html/safe-html.rules.ts'
import { shownHtml, makeSafe } from '#server/platform/html/safe-html.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { conflict, notFound, invalidField, Refusal } from '#server/platform/values/errors.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
import {
  getText,
  deleteDraft,
  type DraftKey,
  type DraftRow,
  findDraft,
  insertText,
  listCurrentVersions,
  listVersionsOf,
  lockPublishing,
  putDraft,
  selectCurrentVersions,
  type VersionedText,
  type VersionRow,
} from './legal.queries.ts'

/** The numbers of the versions in force. */
export async function findCurrentVersions<Kind extends VersionedText>(
  db: Db | Tx,
  kinds: readonly Kind[],
): Promise<Record<Kind, number>> {
  const versions = new Map(
    (await selectCurrentVersions(db, kinds)).map(({ kind, version }) => [kind, version]),
  )
  return Object.fromEntries(kinds.map((kind) => [kind, versions.get(kind) ?? 0])) as Record<Kind, number>
}

export async function findCurrentVersion<Kind extends VersionedText>(
  db: Db | Tx,
  kind: Kind,
): Promise<number> {
  return (await findCurrentVersions(db, [kind]))[kind]
}

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

export const publishedMeanwhile = (present: object): Refusal =>
  conflict('Người khác vừa phát hành bản mới. Hãy xem bản đang áp dụng rồi phát hành lại', present)

type TextOf = { kind: string; userId: string }

const keyOf = ({ kind, userId }: TextOf): DraftKey => ({ kind: kindOf(kind), userId })

export async function listCurrent(db: Db): Promise<LegalVersion[]> {
  const rows = await listCurrentVersions(db)
  return rows
    .toSorted((one, other) => LEGAL_KINDS.indexOf(one.kind) - LEGAL_KINDS.indexOf(other.kind))
    .map(describeVersion)
}

export async function listVersions(db: Db, kind: string): Promise<LegalVersion[]> {
  return (await listVersionsOf(db, kindOf(kind))).map(describeVersion)
}

export async function getForOperator(db: Db | Tx, text: TextOf): Promise<OperatorLegalText> {
  const key = keyOf(text)
  const { content, ...version } = await getText(db, key.kind)
  const draft = await findDraft(db, key)
  return {
    ...describeVersion(version),
    content: await shownHtml(content),
    draft: draft === undefined ? null : await describeDraft(draft),
  }
}

/** Stores what an operator has written so far. Nobody else sees it, so it is not in the audit trail. */
export async function saveDraft(
  { db }: PlatformDeps,
  text: TextOf,
  body: BodyOf<typeof operatorLegal.saveDraft>,
): Promise<LegalDraft> {
  const key = keyOf(text)
  const content = await makeSafe(cleanText(body.content))
  const draft = await inTransaction(db, (tx) => putDraft(tx, key, { content, basedOn: body.based_on }))
  return describeDraft(draft)
}

export async function dropDraft({ db }: PlatformDeps, text: TextOf): Promise<void> {
  const key = keyOf(text)
  await inTransaction(db, (tx) => deleteDraft(tx, key))
}

/** A new version of a text, in force from now on. Whoever has agreed to an older one gets one question about this one. */
export async function publish(
  deps: PlatformDeps & { publicUrl: string },
  call: UserCall<typeof operatorLegal.publish>,
): Promise<OperatorLegalText> {
  const { params, body, identity } = call
  const kind = kindOf(params.kind)
  const { userId } = identity
  return actAsOperator<OperatorLegalText, string>(deps, call, {
    action: 'legal.publish',
    prepare: () => publishable(body.content),
    async work(tx, content) {
      await lockPublishing(tx)
      const current = await findCurrentVersion(tx, kind)
      const before = await getForOperator(tx, { kind, userId })
      if (body.version !== current) throw publishedMeanwhile(before)
      if (before.content === content)
        throw invalidField('content', 'Nội dung giống hệt bản đang áp dụng, không cần phát hành bản mới')
      await assertTextLinks(deps.publicUrl, tx, { content, before: before.content })
      await insertText(tx, { kind, version: current + 1, content, operatorId: userId })
      await deleteDraft(tx, { kind, userId })
      const after = await getForOperator(tx, { kind, userId })
      return {
        answer: after,
        audit: {
          subject: { type: 'legal_text', id: kind },
          details: { before: audited(before), after: audited(after) },
        },
      }
    },
  })
}

/** What may be published: safe, not empty, and without pictures, which could be deleted while versions stay. */
async function publishable(given: string): Promise<string> {
  const content = await makeSafe(cleanText(given))
  if (content.includes('<img'))
    throw invalidField('content', 'Văn bản này chỉ gồm chữ, hãy bỏ ảnh trong nội dung')
  if (!hasText(content)) throw invalidField('content', 'Nội dung không được bỏ trống')
  return content
}

/** The trail can prove which text it was; the versions hold it. */
const audited = ({ version, content }: OperatorLegalText) => ({
  version,
  content: { sha256: sha256Hex(content), length: content.length },
})

const describeVersion = ({ published_at, ...row }: VersionRow): LegalVersion => ({
  ...row,
  published_at: published_at.toISOString(),
})

const describeDraft = async ({ content, based_on, saved_at }: DraftRow): Promise<LegalDraft> => ({
  content: await shownHtml(content),
  based_on,
  saved_at: saved_at.toISOString(),
})
