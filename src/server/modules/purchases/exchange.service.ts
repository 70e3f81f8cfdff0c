import type { AnswerOf } from '#contract/endpoint.ts'
import type { getExchange } from '#contract/exchange.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { amountsOnOffer } from './exchange.rules.ts'
import { listCharactersOf, type PurchaseDeps } from './purchase.service.ts'

/** What is on offer, and for whom; a visitor sees the amounts only. */
export async function readExchange(
  deps: PurchaseDeps,
  userId: string | null,
): Promise<AnswerOf<typeof getExchange>> {
  const settings = await readSettings(deps.db)
  const { characters, fetchedAt } =
    userId === null ? { characters: [], fetchedAt: null } : await listCharactersOf(deps, userId)
  return {
    amounts: amountsOnOffer(settings),
    characters: characters.map(({ id, name, head, classId, level }) => ({
      id,
      name,
      info: { head, classId, level },
    })),
    bonus: settings.exchangeBonusPercent,
    characters_at: fetchedAt?.toISOString() ?? null,
  }
}
