import type { BankEvent } from '#server/modules/payment-providers/index.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import { listStoredEventIds } from './pulled.queries.ts'
import { insertEvent } from './settlement.queries.ts'
import { settleEvent } from './settlement.service.ts'

const IDS_PER_QUESTION = 500

/** Of a provider's own ids, those whose events are stored already. */
export async function knownEventIds(
  deps: BankInboxDeps,
  provider: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>()
  for (let at = 0; at < ids.length; at += IDS_PER_QUESTION) {
    const asked = ids.slice(at, at + IDS_PER_QUESTION)
    for (const id of await listStoredEventIds(deps.db, provider, asked)) known.add(id)
  }
  return known
}

/**
 * Takes in a movement the portal asked for instead of being told: the same inbox, the same id, the same matching, so
 * that a notification that comes before, after or at the same moment is the same event. Answers whether it was new.
 */
export async function takeInPulled(
  deps: BankInboxDeps,
  { event, raw }: { event: BankEvent; raw: Buffer },
): Promise<boolean> {
  const eventId = await insertEvent(deps.db, { event, signature: 'pulled', raw })
  if (eventId === undefined) return false
  try {
    await settleEvent(deps, { eventId })
  } catch (error) {
    // The event is safe and the sweeper comes back to it; the rows behind it must not wait.
    deps.log.error({ err: error, eventId }, 'a pulled movement was stored but not settled yet')
  }
  return true
}
