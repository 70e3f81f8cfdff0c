import { NAME_LENGTH } from '#contract/fields.ts'
import { type GameLimits, hasAllLetters, lettersInWords, nameLengthOf } from '#contract/game/limits.ts'
import { findKeptOut } from '#server/modules/accounts/index.ts'
import { ConfigError, type Config } from '../config/config.ts'
import { type AccountsAnswer, askWhetherAccountsAreKept } from '#server/modules/game-accounts/index.ts'
import { openHttpGame } from '#server/modules/game-bridge/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { systemClock, withTimeout } from '#server/platform/values/clock.ts'
import { readConfigOnly } from '../config/secrets.ts'
import { sentenceOf } from '../start/start-failure.ts'
import { examineCertificates } from './certificates.ts'
import { examineDatabase, findDatabase } from './database.ts'
import { failing, ok, warning, type Finding } from './finding.ts'
import { examineData, examineMachine, examineMetricsPorts, examinePort } from './machine.ts'
import { examineServices, examineTokens, examineTraces } from './services.ts'

const GAME_ASK_MS = 3_000
const GAME_ACCOUNTS = 'accounts'

export const lineOf = ({ level, name, text }: Finding): string =>
  `${level.padEnd(9)}${name.padEnd(12)}${text}`

/** What is connected and what is not: printed at each start and by `portal doctor`. Changes nothing, and never rejects. */
export async function examine(config: Config): Promise<Finding[]> {
  const parts = await Promise.all([
    examineMachine(),
    examineDatabase(config, systemClock),
    examineData(config),
    examineServices(config),
    examineTraces(config),
  ])
  return parts.flat()
}

/**
 * What would stop a start, found without one; and what only matters when somebody runs doctor. Changes nothing but what the
 * portal knows of the game.
 */
export async function diagnose(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config
  try {
    config = await readConfigOnly(environment)
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [sentenceOf(error)]
    return [...(await examineMachine()), ...problems.map((problem) => failing('environment', problem))]
  }
  const parts = await Promise.all([
    examine(config),
    examinePort(config),
    examineMetricsPorts(config),
    examineTokens(config),
    examineCertificates(config, systemClock),
    examineGameAccounts(config),
  ])
  return parts.flat()
}

function accountsInWords(answer: AccountsAnswer): Finding {
  if ('failure' in answer)
    return warning(
      GAME_ACCOUNTS,
      `the game does not say whether it keeps accounts (${answer.failure}): no name can be registered, and changes wait (docs/runbooks/game-accounts.md)`,
    )
  return answer.areKept
    ? ok(GAME_ACCOUNTS, 'the game keeps accounts: bans and new passwords are sent to it')
    : warning(
        GAME_ACCOUNTS,
        'the game keeps no accounts: a ban reaches it with the next login alone, and anybody can register its names (docs/game-server.md)',
      )
}

const WIDEN = 'docs/runbooks/connect-a-game.md, The adapter, says how to widen them'

/** What the game's own limits mean for names; nothing where they narrow nothing. */
export function limitsInWords(
  limits: GameLimits,
  keptOut: { count: number; first: string | null },
): Finding[] {
  const { least, most } = nameLengthOf(limits)
  const letters = lettersInWords(limits)
  if (least > most || letters === '')
    return [failing('limits', `the game takes no name that the portal takes, nobody can register: ${WIDEN}`)]
  const text = `new names have ${least} to ${most} characters in ${letters}, as the game takes them`
  if (keptOut.count > 0)
    return [
      warning(
        'limits',
        `${text}; accounts with other names, which cannot enter it: ${keptOut.count}, such as ${keptOut.first} (${WIDEN})`,
      ),
    ]
  const isNarrow = least > NAME_LENGTH.least || most < NAME_LENGTH.most || !hasAllLetters(limits)
  return isNarrow ? [ok('limits', text)] : []
}

/**
 * Asks the game anew whether it keeps accounts, and stores the answer: what waits for a game that did not is sent then.
 * Nothing without a database, which another finding is about.
 */
async function examineGameAccounts(config: Config): Promise<Finding[]> {
  const { gameServer } = config
  const place = await findDatabase(config).catch(() => null)
  if (gameServer === null || place === null || place.ownerUrl === null) return []
  const log = openLog('silent')
  const db = openDatabase({ url: place.ownerUrl, log, connectionsMax: 1 })
  try {
    const game = openHttpGame({ ...gameServer, callTimeoutMs: GAME_ASK_MS })
    const asked = askWhetherAccountsAreKept({ db, log, game })
    const asking = Promise.all([asked, game.describeGame?.({ accountsUntil: null })])
    const [answer, described] = await withTimeout(GAME_ASK_MS, asking)
    const limits = described?.limits ?? {}
    const keptOut = await findKeptOut(db, limits)
    return [accountsInWords(answer), ...limitsInWords(limits, keptOut)]
  } catch {
    return []
  } finally {
    await db.destroy()
  }
}
