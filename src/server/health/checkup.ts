import { ConfigError, type Config } from '../config/config.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { readConfigOnly } from '../config/secrets.ts'
import { sentenceOf } from '../start/start-failure.ts'
import { examineDatabase } from './database.ts'
import { failing, type Finding } from './finding.ts'
import { examineGameAccounts } from './game-accounts.ts'
import { examineData, examineMachine, examineMetricsPorts, examinePort } from './machine.ts'
import { examineServices, examineTokens, examineTraces } from './services.ts'

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
    examineGameAccounts(config),
  ])
  return parts.flat()
}
