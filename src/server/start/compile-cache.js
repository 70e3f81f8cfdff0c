import { accessSync, constants, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url))

/**
 * What Node compiles of the program from now on is cached from one start to the next, which takes less memory and time:
 * beside the built site, or in the data folder where the program belongs to somebody else.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export function cacheCompiledCode(environment) {
  const folder = isWritable(dist) ? dist : (environment.DATA_DIR ?? 'data')
  enableCompileCache({ directory: join(folder, 'compiled'), portable: true })
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
