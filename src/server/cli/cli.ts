import type { ErrorCode } from '#contract/errors.ts'
import { phone as phoneSchema } from '#contract/fields.ts'
import { ROLES, type Role } from '#contract/operator/roles.ts'
import { paths } from '#contract/pages.ts'
import {
  findCredentials,
  grantRole,
  listOperators,
  revokeRole,
  usernameKey,
} from '#server/modules/accounts/index.ts'
import { sandboxSms } from '#server/modules/otp/index.ts'
import { openDeliveries } from '#server/modules/purchases/index.ts'
import { isDay } from '#server/modules/reconciliation/index.ts'
import { listServerIds } from '#server/modules/servers/index.ts'
import { sandboxPay } from '#server/modules/recharge/index.ts'
import { createOperatorAccount, LINK_MINUTES_MAX } from '#server/modules/passwords/index.ts'
import { dropSecondFactor } from '#server/modules/second-factor/index.ts'
import { endConsoleSessionsOf } from '#server/modules/sessions/index.ts'
import { printGameRecord, printReconciliation, printTrailCheck, printClose, printPull } from './reports.ts'
import { diagnose, lineOf } from '../health/checkup.ts'
import type { PortalDeps } from '../app/deps.ts'
import { printAfterFailover } from './after-failover.ts'
import { databaseCommands, openDeliveryLine, type DatabaseCommand } from './backups.ts'
import { printImport, readImportOptions } from './import-accounts.ts'
import { checkGame } from './game-check.ts'
import { printOldPasswords } from './old-passwords.ts'
import { printGameComparison, readOptions } from './game.ts'
import { printErasure, writeExport } from './personal-data.ts'
import { tournamentCommands } from './tournament.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { onPortal, UsageError } from './with-portal.ts'
import { openLog } from '../platform/log/log.ts'
import { readConfigOnly } from '../config/secrets.ts'
import { sentenceOf } from '../start/start-failure.ts'

type Context = { deps: PortalDeps; appUrl: string; rest: string[] }

/** `run` answers the exit code when it is not always 0. What has to work before a start has no database to be given. */
type Command = { args?: string; does: string } & (
  | { run(context: Context): Promise<number | void> }
  | { runWithoutDatabase(): Promise<number> }
)

/** Refusals are written for players; these texts are for the command line. */
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'there is no account of that name',
  USERNAME_TAKEN: 'that username belongs to another account',
  PHONE_TAKEN: 'that phone belongs to another account',
}

const commands: Record<string, Command> = {
  'operator grant': {
    args: '<username> <role>',
    does: `gives a player a role (${ROLES.join(', ')})`,
    async run({ deps, rest: [username, role] }) {
      if (!username || !ROLES.includes(role as Role)) throw new UsageError()
      await grantRole(deps.db, { username, role: role as Role, vault: deps.vault })
      console.log(
        `${username} is now ${role}; operator calls also want a second factor, set up at ${paths.profile}`,
      )
    },
  },
  'operator revoke': {
    args: '<username> <role>',
    does: 'takes a role away again',
    async run({ deps, rest: [username, role] }) {
      if (!username || !ROLES.includes(role as Role)) throw new UsageError()
      const outcome = await revokeRole(deps.db, { username, role: role as Role, vault: deps.vault })
      console.log(outcome === 'revoked' ? `${username} is no longer ${role}` : `${username} was not ${role}`)
    },
  },
  'operator list': {
    does: 'who holds which role, whether their second factor is on, and when they last signed in',
    async run({ deps }) {
      const operators = await listOperators(deps.db)
      for (const { username, roles, hasSecondFactor, lastSignInAt } of operators)
        console.log(
          [
            username.padEnd(20),
            roles.join(',').padEnd(24),
            `second factor ${hasSecondFactor ? 'on' : 'off'}`.padEnd(18),
            lastSignInAt === null ? 'no recent sign-in' : `signed in ${lastSignInAt.toISOString()}`,
          ].join('  '),
        )
      if (operators.length === 0) console.log('nobody holds a role')
    },
  },
  'operator create': {
    args: '<username> <phone>',
    does: 'makes an account, also under a name kept for staff, and prints the link that sets its password',
    async run({ deps, rest: [username, typed] }) {
      const phone = phoneSchema.safeParse(typed)
      if (!username || usernameKey(username) === null || !phone.success) throw new UsageError()
      const link = await createOperatorAccount(deps, { username, phone: phone.data })
      console.log(`${username} sets a password within ${LINK_MINUTES_MAX} minutes, once, at\n${link}`)
    },
  },
  'audit verify': {
    does: 'checks the chain of the audit trail; exit code 1 and the first broken row when it is broken',
    run: ({ deps }) => printTrailCheck(deps, console.log),
  },
  'second-factor remove': {
    args: '<username>',
    does: 'for whoever has lost app and recovery codes; make sure first that it is them',
    async run({ deps, rest: [username] }) {
      if (!username) throw new UsageError()
      const found = await findCredentials(deps.db, username)
      if (found === undefined) throw new Error(`there is no account ${username}`)
      const outcome = await dropSecondFactor({ ...deps, endConsoleSessionsOf }, found.id)
      console.log(outcome === 'removed' ? `${username} signs in by password alone now` : 'it was not on')
    },
  },
  reconcile: {
    does: 'runs R1–R16, a row each, and keeps it for the console; exit code 1 when any is not 0',
    run: ({ deps, appUrl }) => printReconciliation(deps, appUrl, console.log),
  },
  close: {
    args: '<YYYY-MM-DD>',
    does: 'closes a day: a row per receiving account; exit code 1 when one is red',
    async run({ deps, rest: [day] }) {
      if (!day || !isDay(day)) throw new UsageError()
      return printClose(deps, day, console.log)
    },
  },
  'compare-game': {
    args: '<file>',
    does: 'lists what the game applied (one delivery a line) and is not counted here; exit code 1 then',
    async run({ deps, rest: [file] }) {
      if (!file) throw new UsageError()
      return printGameRecord(deps, file, console.log)
    },
  },
  'game compare': {
    args: '[--server <id>] [--since <moment>] [--until <moment>]',
    does: 'asks the game about what was delivered, lists what it does not know any more; exit code 1 then',
    run: ({ deps, rest }) => printGameComparison(deps, rest, console.log),
  },
  'game check': {
    args: '--account <name>',
    does: 'connects, delivers one yen to the account’s first character, waits until it is collected; exit code 1 if not',
    async run({ deps, rest }) {
      const { account } = readOptions(rest, ['account'])
      if (account === undefined) throw new UsageError()
      const serverIds = await listServerIds(deps.db)
      return checkGame({ game: deps.game, account: account.toLowerCase(), serverIds, print: console.log })
    },
  },
  'after-failover': {
    args: '--since <moment> [--log <file>…] [--record <file>…]',
    does: 'compares the books with game, providers and the portal’s own log, and names what was lost; exit code 1 then',
    run: ({ deps, appUrl, rest }) => printAfterFailover(deps, { appUrl, rest }, console.log),
  },
  'open-deliveries': {
    does: 'lists every delivery that is neither delivered nor refunded, the oldest first',
    async run({ deps }) {
      for await (const delivery of openDeliveries(deps.db)) console.log(openDeliveryLine(delivery))
    },
  },
  'reconcile-providers': {
    args: '[YYYY-MM-DD]',
    does: 'asks the providers for what is new, or for one day, which is closed anew; exit code 1 when red',
    async run({ deps, rest: [day] }) {
      if (day !== undefined && !isDay(day)) throw new UsageError()
      return printPull(deps, day, console.log)
    },
  },
  export: {
    args: '<username> <file>',
    does: 'writes everything kept of a player to a new JSON file, for whoever asks for their own data',
    async run({ deps, rest: [username, file] }) {
      if (!username || !file) throw new UsageError()
      await writeExport(deps, { username, file })
      console.log(`everything kept of ${username} is in ${file}`)
    },
  },
  erase: {
    args: '<username> [--with-balance]',
    does: 'erases what names a player, for good; the books stay. Exit code 1 and the reasons while money is open',
    async run({ deps, rest: [username, option] }) {
      if (!username || (option !== undefined && option !== '--with-balance')) throw new UsageError()
      return printErasure(deps, { username, withBalance: option !== undefined }, console.log)
    },
  },
  'import-accounts': {
    args: '<game.json> [--dry-run] [--report <file>] [--rename <file>]',
    does: 'takes over the accounts of a game’s database; what stays behind is counted, and listed in the report with the next step; new names of a report are taken by --rename',
    async run({ deps, rest }) {
      const options = readImportOptions(rest)
      if (options === null) throw new UsageError()
      return printImport(deps, options, console.log)
    },
  },
  'overwrite-game-passwords': {
    args: '<game.json> [--yes]',
    does: 'counts the passwords that a game’s table still has of accounts that came over; with --yes overwrites them',
    async run({ deps, rest: [file, option] }) {
      if (!file || (option !== undefined && option !== '--yes')) throw new UsageError()
      await printOldPasswords(deps, { file, isCarriedOut: option !== undefined }, console.log)
    },
  },
  doctor: {
    does: 'says what would stop a start, what is connected and what is not; notes whether the game keeps accounts. Exit code 1 with an error',
    async runWithoutDatabase() {
      const findings = await diagnose(process.env)
      for (const finding of findings) console.log(lineOf(finding))
      return findings.some(({ level }) => level === 'error') ? 1 : 0
    },
  },
  migrate: {
    does: 'brings the database up to date (a start does it too)',
    async run() {
      console.log('the database is up to date')
    },
  },
  'sandbox pay': {
    args: '<code> [amount]',
    does: 'in a demo: sends the signed notification a bank transfer would cause to the public webhook',
    async run({ deps: { db, payments, sandbox }, rest: [code, amount] }) {
      if (!code || (amount !== undefined && !/^[1-9]\d{0,12}$/.test(amount))) throw new UsageError()
      if (sandbox === null || payments.sandbox === null)
        throw new Error('the sandbox exists only with DEMO=1')
      const answer = await sandboxPay(
        { db, sender: payments.sandbox, ...sandbox },
        { code, ...(amount === undefined ? {} : { amount: Number(amount) }) },
      )
      console.log(`the portal answered ${answer.status} ${answer.text}`)
      return answer.status === 200 ? 0 : 1
    },
  },
  'sandbox sms': {
    args: '<phone> <text>',
    does: 'in a demo: sends the signed message a phone would cause by texting to 7039 to the public endpoint',
    async run({ deps: { sms, sandbox }, rest: [phone, ...words] }) {
      if (!phone || words.length === 0) throw new UsageError()
      if (sandbox === null || sms === null) throw new Error('the sandbox exists only with DEMO=1')
      const answer = await sandboxSms({ sms, ...sandbox }, { phone, text: words.join(' ') })
      console.log(`the portal answered ${answer.status} ${answer.text}`)
      return answer.status === 200 ? 0 : 1
    },
  },
}

const all: Record<string, Command | DatabaseCommand> = {
  ...commands,
  ...databaseCommands,
  ...tournamentCommands,
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

const usageOf = (name: string): string => [name, all[name]?.args].filter(Boolean).join(' ')

function help(): string {
  const lines = Object.keys(all).map((name) => `  ${usageOf(name).padEnd(36)}${all[name]?.does}`)
  return ['npm run portal -- <command>', '', ...lines, `  ${'help'.padEnd(36)}this list`].join('\n')
}

function find(
  argumentsGiven: string[],
): { name: string; command: Command | DatabaseCommand; rest: string[] } | null {
  for (const words of [2, 1]) {
    const name = argumentsGiven.slice(0, words).join(' ')
    const command = all[name]
    if (command) return { name, command, rest: argumentsGiven.slice(words) }
  }
  return null
}

async function run(argumentsGiven: string[]): Promise<number> {
  const [first = 'help'] = argumentsGiven
  if (first === 'help' || HELP.has(first)) {
    console.log(help())
    return 0
  }
  const found = find(argumentsGiven)
  if (!found) {
    console.error(`there is no command “${argumentsGiven.join(' ')}”\n\n${help()}`)
    return 2
  }
  const { name, command, rest } = found
  if (rest.some((word) => HELP.has(word))) {
    console.log(`npm run portal -- ${usageOf(name)}\n\n${command.does}`)
    return 0
  }
  if (command.args === undefined && rest.length > 0) return misused(name)
  if ('runWithoutDatabase' in command) return command.runWithoutDatabase()
  const config = await readConfigOnly(process.env)
  const log = openLog('error')
  try {
    if ('runAsItIs' in command) return await command.runAsItIs({ config, log, rest, print: console.log })
    return await onPortal(config, log, (deps, appUrl) => command.run({ deps, appUrl, rest }))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return misused(name)
  }
}

function misused(name: string): number {
  console.error(`usage: npm run portal -- ${usageOf(name)}`)
  return 2
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const refusal = error instanceof Refusal ? (REFUSALS[error.code] ?? error.message) : null
  console.error(refusal ?? sentenceOf(error))
  process.exitCode = 1
}
