export type Roles = { isWeb: boolean; isWorker: boolean }

/** Both, or those that are named. */
export function readRoles(argumentsGiven: readonly string[]): Roles {
  const isWeb = argumentsGiven.includes('--web')
  const isWorker = argumentsGiven.includes('--worker')
  return isWeb || isWorker ? { isWeb, isWorker } : { isWeb: true, isWorker: true }
}
