import * as z from 'zod/mini'
import { openHttpGame } from '#server/modules/game-bridge/http-game.client.ts'
import { BRIDGE_RULES, RANKED_MAX } from './bridge-rules.ts'
import { CHARGE_RULES, WIRE_CHARGE_RULES } from './charge-rules.ts'
import { COLLECTION_RULES } from './collection-rules.ts'
import { NOTICE_RULES } from './notice-rules.ts'
import { NotObservable, type Rule } from './rule.ts'
import { DESCRIPTION_RULES } from './description-rules.ts'
import { WIRE_RULES, type WireSubject } from './wire-rules.ts'

export type ContractOptions = {
  url: string
  secret: string
  serverId: string
  account: string
  /** The account's first one when left out. */
  characterId?: string
  /** How long goods may wait without a reason; shorter in tests. */
  collectMs?: number
}

/** A game that looks every few seconds has looked several times. */
const COLLECT_MS = 20_000

export type RuleOutcome = { rule: string; outcome: 'kept' | 'broken' | 'not-seen'; why: string | null }

/** Checks a game server over HTTP against every rule of the contract, one after the other. */
export async function checkContract(
  options: ContractOptions,
  report: (outcome: RuleOutcome) => void = () => {},
): Promise<RuleOutcome[]> {
  const subject = await subjectOf(options)
  const rules: Rule<WireSubject>[] = [
    ...BRIDGE_RULES,
    ...COLLECTION_RULES,
    ...CHARGE_RULES,
    ...WIRE_RULES,
    ...WIRE_CHARGE_RULES,
    ...DESCRIPTION_RULES,
    ...NOTICE_RULES,
  ]
  const outcomes: RuleOutcome[] = []
  for (const rule of rules) {
    const outcome = await tryRule(rule, subject)
    outcomes.push(outcome)
    report(outcome)
  }
  return outcomes
}

async function subjectOf({
  url,
  secret,
  serverId,
  account,
  characterId,
  collectMs = COLLECT_MS,
}: ContractOptions): Promise<WireSubject> {
  const game = openHttpGame({ url, secret })
  const characters = await game.listCharacters(serverId, account)
  const character = characters.find(({ id }) => characterId === undefined || id === characterId)
  if (!character) {
    const known = characters.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none'
    throw new Error(`account ${account} on server ${serverId} has no such character; it has ${known}`)
  }
  return {
    game,
    url,
    secret,
    serverId,
    account,
    characterId: character.id,
    collectMs,
    async luong() {
      const rows = await game.rankings('luong', { serverId, limit: RANKED_MAX })
      return rows.find((row) => row.account === account && row.name === character.name)?.value ?? null
    },
  }
}

async function tryRule(rule: Rule<WireSubject>, subject: WireSubject): Promise<RuleOutcome> {
  try {
    await rule.check(subject)
    return { rule: rule.name, outcome: 'kept', why: null }
  } catch (error) {
    return {
      rule: rule.name,
      outcome: error instanceof NotObservable ? 'not-seen' : 'broken',
      why: inWords(error),
    }
  }
}

/** A wrong answer is described field by field, which is easier to read than JSON. */
function inWords(error: unknown): string {
  if (error instanceof z.core.$ZodError)
    return z
      .prettifyError(error)
      .replaceAll(/[\s✖]+/g, ' ')
      .trim()
  return error instanceof Error ? error.message : String(error)
}
