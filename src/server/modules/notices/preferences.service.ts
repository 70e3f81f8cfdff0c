import type { BodyOf } from '#contract/endpoint.ts'
import { NOTICE_KINDS, type NoticePreferences, type putNoticePreferences } from '#contract/notices.ts'
import { recordChoice } from '#server/modules/consents/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { conflict } from '#server/platform/values/errors.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { deleteDigest, hasProvedEmail, insertDigest, isDigestWanted } from './digest.queries.ts'
import { selectPreferences, upsertPreferences } from './notices.queries.ts'
import { CHANGES_PER_PLAYER } from './notices.service.ts'

export async function readPreferences(db: Db, userId: string): Promise<NoticePreferences> {
  const stored = new Map((await selectPreferences(db, userId)).map((one) => [one.kind, one]))
  const kinds = NOTICE_KINDS.map((kind) => {
    const { byBell, byMail } = stored.get(kind) ?? { byBell: true, byMail: true }
    return [kind, { bell: byBell, ...(kind === 'tournament' && { mail: byMail }) }]
  })
  return {
    ...(Object.fromEntries(kinds) as Omit<NoticePreferences, 'digest'>),
    digest: await isDigestWanted(db, userId),
  }
}

export async function changePreferences(
  deps: Deps,
  userId: string,
  chosen: BodyOf<typeof putNoticePreferences>,
): Promise<NoticePreferences> {
  const { db, limits } = deps
  await limits.consume(CHANGES_PER_PLAYER, userId)
  if (chosen.digest !== undefined) await chooseDigest(deps, userId, chosen.digest)
  const preferences = NOTICE_KINDS.flatMap((kind) => {
    const one = chosen[kind]
    return one === undefined ? [] : [{ kind, byBell: one.bell, byMail: 'mail' in one ? one.mail : true }]
  })
  await upsertPreferences(db, userId, preferences)
  return readPreferences(db, userId)
}

type Deps = Pick<PlatformDeps, 'db' | 'limits' | 'clock'>

/** Each change of mind is recorded for good. */
const DIGEST_PER_PLAYER = sharedLimit('digest player', 30, 86_400)

/** The first mail comes on the day after; the consent to it is recorded with it. */
async function chooseDigest({ db, limits, clock }: Deps, userId: string, isWanted: boolean): Promise<void> {
  await limits.consume(DIGEST_PER_PLAYER, userId)
  await inTransaction(db, async (tx) => {
    if (!isWanted) await deleteDigest(tx, userId)
    else {
      if (!(await hasProvedEmail(tx, userId))) throw conflict('Hãy xác thực email ở hồ sơ trước khi nhận thư')
      await insertDigest(tx, userId, vietnamDay(clock.now()))
    }
    await recordChoice(tx, userId, { subject: 'digest', given: isWanted, source: 'notices-page' })
  })
}
