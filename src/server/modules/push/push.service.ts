import webpush from 'web-push'
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { addPushSubscription, getPushKey } from '#contract/notices.ts'
import { recordChoice } from '#server/modules/consents/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Identity } from '#server/platform/http/api.ts'
import type { PublicOutbound } from '#server/platform/http/outbound.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { invalidField, invariant, notFound, Refusal } from '#server/platform/values/errors.ts'
import { unusableKey } from './push.rules.ts'
import {
  deleteSubscription,
  eraseSubscriptionsOf,
  exportSubscriptions,
  hasSubscriptions,
  insertKeys,
  lockSession,
  selectKeys,
  selectSubscriptionOf,
  upsertSubscription,
} from './push.queries.ts'

/** Each change of mind is recorded for good. */
export const PUSH_PER_PLAYER = sharedLimit('push player', 30, 86_400)

const SEAL_PURPOSE = 'push key'

type Keys = { publicKey: string; privateKey: string }

/** Of each database, once read: they never change. */
const known = new WeakMap<Db, Keys>()

/** The portal's keys for push services; made by whoever needs them first. */
export async function readKeys({ db, vault }: { db: Db; vault: Vault }): Promise<Keys> {
  const found = known.get(db)
  if (found) return found
  if ((await selectKeys(db)) === undefined) {
    const { publicKey, privateKey } = webpush.generateVAPIDKeys()
    await insertKeys(db, { publicKey, sealedPrivateKey: await vault.seal(SEAL_PURPOSE, privateKey) })
  }
  const stored = await selectKeys(db)
  invariant(stored, 'keys that were stored are there')
  const { publicKey, sealedPrivateKey } = stored
  const keys = { publicKey, privateKey: await vault.open(SEAL_PURPOSE, sealedPrivateKey) }
  known.set(db, keys)
  return keys
}

type Own = Pick<Identity, 'userId' | 'sessionId'>
type Deps = Pick<PlatformDeps, 'db' | 'limits' | 'vault'>

export async function readPushKey(deps: Deps, { sessionId }: Own): Promise<AnswerOf<typeof getPushKey>> {
  const { publicKey } = await readKeys(deps)
  return { public_key: publicKey, subscription_id: await selectSubscriptionOf(deps.db, sessionId) }
}

/** Notices are also sent to the browser of a session; the consent to it is recorded with it. */
export async function subscribe(
  { db, limits, pushOutbound }: Deps & { pushOutbound: PublicOutbound },
  { userId, sessionId }: Own,
  { endpoint, keys }: BodyOf<typeof addPushSubscription>,
): Promise<AnswerOf<typeof addPushSubscription>> {
  if (!pushOutbound.mayCall(endpoint))
    throw invalidField('endpoint', 'Dịch vụ thông báo của trình duyệt không hợp lệ')
  const unusable = unusableKey(keys)
  if (unusable !== null) throw invalidField(`keys.${unusable}`, 'Khóa của trình duyệt không hợp lệ')
  await limits.consume(PUSH_PER_PLAYER, userId)
  const id = await inTransaction(db, async (tx) => {
    if (!(await lockSession(tx, { userId, sessionId }))) throw new Refusal('UNAUTHENTICATED')
    await recordChoice(tx, userId, { subject: 'push', given: true, source: 'notices-page' })
    return upsertSubscription(tx, { userId, sessionId, endpoint, ...keys })
  })
  return { id }
}

/** With the last browser the consent is withdrawn. */
export async function unsubscribe({ db }: Pick<Deps, 'db'>, userId: string, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await deleteSubscription(tx, { id, userId }))) throw notFound()
    if (!(await hasSubscriptions(tx, userId)))
      await recordChoice(tx, userId, { subject: 'push', given: false, source: 'notices-page' })
  })
}

export const personalPush: PersonalPart = {
  lists: { push_subscriptions: exportSubscriptions },
  erase: eraseSubscriptionsOf,
}
