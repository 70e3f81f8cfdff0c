import { parseArgs } from 'node:util'
import { addressFault } from '#contract/address-fault.ts'
import { startAdapter } from './adapter.ts'
import { DATABASE_VARIABLE, GameAdapterError, readConfigFile } from './config.ts'
import { explained } from './database.ts'
import { detect } from './detect/detect.ts'
import { install } from './install.ts'
import { openLog } from './log.ts'

const USAGE = `npm run game-adapter -- game.json                  serves the contract over the database of a game
npm run game-adapter -- detect [mysql://…]         proposes game.json and says why, what may be wrong and what to do now;
                                                   reads only; with --json all of it as one JSON object
npm run game-adapter -- install game.json [--yes]  prints the tables and indexes that are missing, and makes them

The file and its variables: docs/game-adapter.md.`

const say = (line: string) => void process.stderr.write(`${line}\n`)
const print = (line: string) => void process.stdout.write(`${line}\n`)

function readCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { yes: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
    return { ...values, words: positionals }
  } catch (error) {
    throw new GameAdapterError(`${(error as Error).message.split('. ')[0]}\n\n${USAGE}`)
  }
}

async function main(): Promise<void> {
  const { words, yes = false, json = false, help = false } = readCommand()
  const [first, second] = words
  if (help) return print(USAGE)
  if (first === undefined || words.length > 2 || (json && first !== 'detect'))
    throw new GameAdapterError(USAGE)
  if (first === 'detect') return runDetect(second ?? process.env[DATABASE_VARIABLE] ?? '', json)
  if (first === 'install') return runInstall(second ?? 'game.json', yes)
  if (second !== undefined || yes) throw new GameAdapterError(USAGE)
  await serve(first)
}

async function runDetect(url: string, isJson: boolean): Promise<void> {
  const wrong = addressFault(url)
  if (wrong !== null) throw new GameAdapterError(`The address of the database: ${wrong}.`)
  if (!URL.canParse(url) || new URL(url).protocol !== 'mysql:' || new URL(url).pathname.length < 2) {
    const fault = url === '' ? 'is missing' : 'cannot be read'
    throw new GameAdapterError(
      `The address of the database ${fault}, such as mysql://user:password@host/game.\n\n${USAGE}`,
    )
  }
  try {
    const { file, reasons, findings, next } = await detect(url)
    print(JSON.stringify(isJson ? { file, reasons, findings, next } : file, null, 2))
    if (isJson) return
    for (const reason of reasons) say(`+ ${reason}`)
    for (const finding of findings) say(`- ${finding}`)
    for (const step of next) say(`> ${step}`)
  } catch (error) {
    throw explained(error, url)
  }
}

async function runInstall(path: string, isCarriedOut: boolean): Promise<void> {
  // Serving needs a secret, this does not.
  const config = await readConfigFile(path, { GAME_SERVER_SECRET: 'not-needed-to-install', ...process.env })
  try {
    await install(config, { isCarriedOut, print })
  } catch (error) {
    throw explained(error, config.database)
  }
}

async function serve(path: string): Promise<void> {
  const config = await readConfigFile(path, process.env)
  const log = openLog((line) => process.stdout.write(line))
  try {
    const adapter = await startAdapter(config, log)
    const stop = () =>
      void adapter.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  } catch (error) {
    throw explained(error, config.database)
  }
}

try {
  await main()
} catch (error) {
  const { code, message, stack } = error as NodeJS.ErrnoException
  const isExpected = error instanceof GameAdapterError || code === 'EADDRINUSE' || code === 'EACCES'
  say(isExpected ? message : (stack ?? message))
  process.exitCode = 1
}
