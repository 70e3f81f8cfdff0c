import type { RawBuilder } from 'kysely'
import {
  type Consent,
  CONSENT_SUBJECTS,
  type ConsentSubject,
  type giveConsent,
  type listConsents as listConsentsCall,
} from '#contract/legal.ts'
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import { PIXEL_QUESTION_VERSION } from '#contract/pages.ts'
import { findCurrentVersion, findCurrentVersions } from '#server/modules/legal/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import {
  consentColumns,
  type ConsentRow,
  exportConsents,
  findLatest,
  insertConsent,
  listLatest,
  listRecords,
} from './consents.queries.ts'

/** What a page shows of a player's consents, read at each visit: columns of another module's statement. */
export const consentState = (userId: RawBuilder<unknown>): RawBuilder<unknown> => consentColumns(userId)

export const anotherVersion = (): Refusal => conflict('Vừa có bản mới, hãy tải lại trang và đọc bản mới')

export const bindingText = (): Refusal =>
  invalidField(
    'given',
    'Điều khoản và chính sách là điều kiện dùng cổng. Nếu không còn đồng ý, bạn có thể yêu cầu xóa tài khoản',
  )

/** Each is a row that stays for good; nobody changes their mind oftener. */
export const CONSENTS_PER_PLAYER = sharedLimit('consents player', 30, 86_400)

/** To register is to agree to terms and privacy as they are at that moment; the form names and links both. */
export async function recordRegistration(tx: Tx, userId: string): Promise<void> {
  const versions = await findCurrentVersions(tx, ['terms', 'privacy'])
  for (const subject of ['terms', 'privacy'] as const)
    await insertConsent(tx, userId, {
      subject,
      version: versions[subject],
      given: true,
      source: 'registration',
    })
}

/** Records a signed-in player's answer; one that is the same as the last is not recorded again. */
export async function recordConsent(
  { db, limits }: PlatformDeps,
  userId: string,
  answered: BodyOf<typeof giveConsent>,
): Promise<Consent> {
  const { subject, version, given } = answered
  if (subject !== 'pixel' && !given) throw bindingText()
  await limits.consume(CONSENTS_PER_PLAYER, userId)
  const row = await inTransaction(db, async (tx) => {
    if (version !== (await currentVersionOf(tx, subject))) throw anotherVersion()
    const latest = await findLatest(tx, userId, subject)
    if (latest?.version === version && latest.given === given) return latest
    return insertConsent(tx, userId, answered)
  })
  return describe(row)
}

type Chosen = { subject: 'ranking' | 'push' | 'digest'; given: boolean; source: 'profile' | 'notices-page' }

/** What a player turned on or off, in the transaction of it; the same answer is recorded once. */
export async function recordChoice(
  tx: Tx,
  userId: string,
  { subject, given, source }: Chosen,
): Promise<void> {
  const latest = await findLatest(tx, userId, subject)
  const version = await findCurrentVersion(tx, subject)
  const isRecorded = given ? latest?.given === true && latest.version === version : latest?.given !== true
  if (!isRecorded) await insertConsent(tx, userId, { subject, version, given, source })
}

export async function listConsents(db: Db, userId: string): Promise<AnswerOf<typeof listConsentsCall>> {
  const latest = await listLatest(db, userId, CONSENT_SUBJECTS)
  const versions = await findCurrentVersions(
    db,
    CONSENT_SUBJECTS.filter((subject) => subject !== 'pixel'),
  )
  const subjects = CONSENT_SUBJECTS.map((subject) => {
    const answered = latest.find((row) => row.subject === subject)
    return {
      subject,
      current_version: subject === 'pixel' ? PIXEL_QUESTION_VERSION : versions[subject],
      latest: answered === undefined ? null : describe(answered),
    }
  })
  return { subjects, records: (await listRecords(db, userId)).map(describe) }
}

async function currentVersionOf(db: Db | Tx, subject: ConsentSubject): Promise<number> {
  return subject === 'pixel' ? PIXEL_QUESTION_VERSION : findCurrentVersion(db, subject)
}

const describe = ({ at, ...row }: ConsentRow): Consent => ({ ...row, at: at.toISOString() })

export const personalConsents: PersonalPart = {
  lists: { consents: exportConsents },
  // That the account agreed to a version stays as proof, as its orders do; it names nobody.
  erase: eraseNothing,
}
