import { openControlServer } from './control-server.ts'
import { GameServerConfigError, readGameServerConfig, USAGE } from './environment.ts'
import { Faults } from './faults.ts'
import { startGameServer } from './game-server.ts'
import { newcomers, residents, World } from './world.ts'

const print = (line: string) => process.stderr.write(`${line}\n`)

/** The reference game server as a program: `GAME_SERVER_SECRET=… npm run game-server`. */
async function main(): Promise<void> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    print(USAGE)
    return
  }
  const config = readGameServerConfig(process.env, process.argv.slice(2))
  const world = new World(newcomers)
  for (const resident of residents()) world.add(resident)
  const faults = new Faults(config.faults)
  const { secrets, host, port, dataDir, controlPort } = config
  const onError = (error: unknown) =>
    print(error instanceof Error ? (error.stack ?? error.message) : String(error))
  const server = await startGameServer({ secrets, host, port, dataDir, world, faults, onError })
  print(`The game listens at ${server.url}`)
  if (config.faults.kinds.length > 0) {
    print(`Of all calls ${config.faults.rate * 100} % meet one of: ${config.faults.kinds.join(', ')}`)
  }
  const control = controlPort === null ? null : await openControlServer(server, controlPort)
  if (control) print(`Faults are changed at ${control.url}/faults`)
  const stop = () =>
    void Promise.all([server.close(), control?.close()]).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

try {
  await main()
} catch (error) {
  const { code, message, stack } = error as NodeJS.ErrnoException
  const isExpected = error instanceof GameServerConfigError || code === 'EADDRINUSE'
  print(`The game server cannot start: ${isExpected ? message : (stack ?? message)}`)
  process.exitCode = 1
}
