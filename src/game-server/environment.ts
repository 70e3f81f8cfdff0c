import { parseArgs } from 'node:util'
import { NO_FAULTS, FAULTS, faultsNamed, type FaultSettings } from './faults.ts'

export type GameServerConfig = {
  secrets: string[]
  host: string
  port: number
  dataDir: string
  faults: FaultSettings
  /** Null: no control server. */
  controlPort: number | null
}

/** The options or the environment are wrong; the message lists every problem at once. */
export class GameServerConfigError extends Error {}

const SECRET_LENGTH_MIN = 16

export const USAGE = `GAME_SERVER_SECRET=… npm run game-server -- [--faults slow,hang] [--rate 0.2] [--seed 1] [--slow-ms 2000] [--control 4001]

A small game that fulfils the contract of docs/game-server.md, where each option and its variable is explained.`

function readOptions(argumentsGiven: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args: [...argumentsGiven],
      options: { faults: text, rate: text, seed: text, 'slow-ms': text, control: text },
    })
    return values
  } catch (error) {
    throw new GameServerConfigError(`${(error as Error).message.split('. ')[0]}\n\n${USAGE}`)
  }
}

/** `--faults slow,hang … --rate 0.2 --seed 7 --slow-ms 2000 --control 4001`, each also by its name in the environment. */
export function readGameServerConfig(
  environment: Record<string, string | undefined>,
  argumentsGiven: readonly string[],
): GameServerConfig {
  const values = readOptions(argumentsGiven)
  const problems: string[] = []
  const number = (name: string, given: string | undefined, [min, max]: [number, number], usual: number) => {
    if (given === undefined || given === '') return usual
    const value = Number(given)
    if (!(value >= min && value <= max)) problems.push(`${name}: a number from ${min} to ${max}`)
    return value
  }
  const secrets = (environment.GAME_SERVER_SECRET ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  if (secrets.length === 0 || secrets.some((secret) => secret.length < SECRET_LENGTH_MIN)) {
    problems.push(`GAME_SERVER_SECRET: new,old or one alone; each at least ${SECRET_LENGTH_MIN} characters`)
  }
  const words = (values.faults ?? environment.GAME_FAULTS ?? '').split(',').filter((word) => word !== '')
  const kinds = faultsNamed(words)
  if (kinds === undefined) problems.push(`--faults: out of ${FAULTS.join(', ')}, separated by commas`)
  const control = values.control ?? environment.GAME_CONTROL_PORT ?? ''
  const config: GameServerConfig = {
    secrets,
    host: environment.GAME_HOST || '127.0.0.1',
    port: number('GAME_PORT', environment.GAME_PORT, [0, 65_535], 4000),
    dataDir: environment.GAME_DATA_DIR || './data/game-server',
    faults: {
      kinds: kinds ?? [],
      rate: number('--rate', values.rate ?? environment.GAME_FAULT_RATE, [0, 1], NO_FAULTS.rate),
      seed: number('--seed', values.seed ?? environment.GAME_FAULT_SEED, [0, 2 ** 32], NO_FAULTS.seed),
      slowMs: number('--slow-ms', values['slow-ms'], [0, 60_000], NO_FAULTS.slowMs),
    },
    controlPort: control === '' ? null : number('--control', control, [0, 65_535], 0),
  }
  if (problems.length > 0) {
    const list = problems.map((problem) => `  - ${problem}`).join('\n')
    throw new GameServerConfigError(`this is not right:\n${list}`)
  }
  return config
}
