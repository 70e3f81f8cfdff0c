import { goodsInWords } from '#contract/deliveries.ts'
import type { Comparison } from '#contract/operator/game/comparison.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { allMissing, compareNow } from '#server/modules/purchases/index.ts'
import type { PortalDeps } from '../app/deps.ts'
import { UsageError } from './with-portal.ts'

type Print = (line: string) => void

/** The values of options written as `--name value`, each at most once. Throws a UsageError for anything else. */
export function readOptions<Name extends string>(
  words: readonly string[],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const options: Partial<Record<Name, string>> = {}
  for (let at = 0; at < words.length; at += 2) {
    const name = names.find((one) => `--${one}` === words[at])
    const value = words[at + 1]
    if (name === undefined || value === undefined || value === '' || name in options) throw new UsageError()
    options[name] = value
  }
  return options
}

/** A moment in ISO 8601, or a day, which begins at midnight in Vietnam. */
export function momentIn(text: string | undefined): string | null {
  if (text === undefined) return null
  const moment = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00+07:00` : text)
  if (Number.isNaN(moment.getTime())) throw new UsageError()
  return moment.toISOString()
}

/** Asks the game about what was delivered, and prints what it does not know; answers the exit code, 1 when there is any. */
export async function printGameComparison(
  deps: PortalDeps,
  rest: readonly string[],
  print: Print,
): Promise<number> {
  const { server = null, since, until } = readOptions(rest, ['server', 'since', 'until'])
  const span = { serverId: server, since: momentIn(since), until: momentIn(until) }
  const { id, state, asked, missing } = await compareNow(deps, span, progressPrinter(print))
  const names = await readGameNames(deps.db)
  for await (const delivery of allMissing(deps.db, id)) {
    const { created_at, server_id, account, character_name } = delivery
    const goods = goodsInWords(names.withItemNames(delivery.goods))
    print([delivery.id, created_at.toISOString(), server_id, account, character_name, goods].join('  '))
  }
  if (state === 'failed') print('the game did not answer: start it, see portal doctor, and compare again')
  if (state === 'too-many')
    print('too many are missing: is GAME_SERVER_URL the game that they were delivered to?')
  print(
    `${missing} of ${asked} deliveries are not known to the game; give them again at /admin/game-comparison`,
  )
  return state === 'done' && missing === 0 ? 0 : 1
}

const PROGRESS_EVERY = 5_000

function progressPrinter(print: Print): (comparison: Comparison) => void {
  let printed = 0
  return ({ asked, missing, reached_at }) => {
    if (asked < printed + PROGRESS_EVERY) return
    printed = asked
    print(`asked about ${asked}, ${missing} missing, up to ${reached_at}`)
  }
}
