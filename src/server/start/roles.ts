import { SetupProblem } from '#server/platform/values/errors.ts'

export type Roles = { isWeb: boolean; isWorker: boolean }

export const START_USAGE = `npm start [-- --web | --worker]

Runs the portal: web and worker, or one of them. Its settings are environment variables (docs/configuration.md);
npm run portal -- doctor says what would stop a start.`

/** Both, or those that are named. */
export function readRoles(argumentsGiven: readonly string[]): Roles {
  const unknown = argumentsGiven.filter((word) => word !== '--web' && word !== '--worker')
  if (unknown.length > 0) throw new SetupProblem(`“${unknown.join(' ')}” is not known here\n\n${START_USAGE}`)
  const isWeb = argumentsGiven.includes('--web')
  const isWorker = argumentsGiven.includes('--worker')
  return isWeb || isWorker ? { isWeb, isWorker } : { isWeb: true, isWorker: true }
}
