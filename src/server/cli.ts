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
import { verifyAuditChain } from '#server/modules/audit/index.ts'
import { sandboxSms } from '#server/modules/otp/index.ts'
import { openPayments } from '#server/modules/payment-providers/index.ts'
import { isDay } from '#server/modules/reconciliation/index.ts'
import { sandboxPay } from '#server/modules/recharge/index.ts'
import { createOperatorAccount, LINK_MINUTES_MAX } from '#server/modules/passwords/index.ts'
import { dropSecondFactor } from '#server/modules/second-factor/index.ts'
import { forgetProofs, markProved } from '#server/modules/sessions/index.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import { examine, lineOf } from './checkup.ts'
import type { Config } from './config.ts'
import { openPortalDatabase, type OpenedDatabase } from './database.ts'
import { printClose, printPull } from './closing.ts'
import { ownUrl, wireDeps } from './deps.ts'
import { openDatabase } from './platform/db/database.ts'
import { Refusal } from './platform/http/refusal.ts'
import { openLog, type Log } from './platform/log/log.ts'
import { SetupProblem } from './platform/setup-problem.ts'
import { openVault } from './platform/vault/vault.ts'
import { readConfigWithSecrets } from './secrets.ts'

type Context = { config: Config; database: OpenedDatabase; log: Log; rest: string[] }

type Command = { usage: string; does: string; run(context: Context): Promise<number> }

/** A wrong call of a command; the message is its usage. */
class UsageError extends Error {}

const REPORT_TIMEOUT_MS = 600_000

/** Refusals are written for players; these texts are for the command line. */
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'there is no account of that name',
  USERNAME_TAKEN: 'that username belongs to another account',
  PHONE_TAKEN: 'that phone belongs to another account',
}

const commands: Record<string, Command> = {
  'operator grant': {
    usage: 'operator grant <username> <role>',
    does: `gives a player a role (${ROLES.join(', ')})`,
    async run({ database, rest: [username, role] }) {
      if (!username || !ROLES.includes(role as Role)) throw new UsageError()
      await grantRole(database.db, { username, role: role as Role })
      console.log(
        `${username} is now ${role}; operator calls also want a second factor, set up at ${paths.profile}`,
      )
      return 0
    },
  },
  'operator revoke': {
    usage: 'operator revoke <username> <role>',
    does: 'takes a role away again',
    async run({ database, rest: [username, role] }) {
      if (!username || !ROLES.includes(role as Role)) throw new UsageError()
      const outcome = await revokeRole(database.db, { username, role: role as Role })
      console.log(outcome === 'revoked' ? `${username} is no longer ${role}` : `${username} was not ${role}`)
      return 0
    },
  },
  'operator list': {
    usage: 'operator list',
    does: 'who holds which role, whether their second factor is on, and when they last signed in',
    async run({ database }) {
      const operators = await listOperators(database.db)
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
      return 0
    },
  },
  'operator create': {
    usage: 'operator create <username> <phone>',
    does: 'makes an account, also under a name kept for staff, and prints the link that sets its password',
    async run({ config, database: { db }, rest: [username, typed] }) {
      const phone = phoneSchema.safeParse(typed)
      if (!username || usernameKey(username) === null || !phone.success) throw new UsageError()
      const vault = openVault(db)
      await vault.prepare()
      const { publicUrl } = config
      const link = await createOperatorAccount({ db, vault, publicUrl }, { username, phone: phone.data })
      console.log(`${username} sets a password within ${LINK_MINUTES_MAX} minutes, once, at\n${link}`)
      return 0
    },
  },
  'audit verify': {
    usage: 'audit verify',
    does: 'checks the chain of the audit trail; exit code 1 and the first broken row when it is broken',
    async run({ database }) {
      const faults = await verifyAuditChain(database.db)
      const first = faults.toSorted((one, other) => Number(BigInt(one.seq) - BigInt(other.seq)))[0]
      console.log(
        first ? `the audit trail is broken at row ${first.seq} (${first.fault})` : 'the audit trail is whole',
      )
      return first ? 1 : 0
    },
  },
  'second-factor remove': {
    usage: 'second-factor remove <username>',
    does: 'for whoever has lost app and recovery codes; make sure first that it is them',
    async run({ database: { db }, rest: [username] }) {
      if (!username) throw new UsageError()
      const found = await findCredentials(db, username)
      if (found === undefined) throw new Error(`there is no account ${username}`)
      const vault = openVault(db)
      await vault.prepare()
      const outcome = await dropSecondFactor({ db, vault, markProved, forgetProofs }, found.id)
      console.log(outcome === 'removed' ? `${username} signs in by password alone now` : 'it was not on')
      return 0
    },
  },
  reconcile: {
    usage: 'reconcile',
    does: 'runs R1–R11, a row each; exit code 1 when any is not 0',
    async run({ database, log }) {
      const db = openDatabase({
        url: database.appUrl,
        log,
        connectionsMax: 1,
        statementTimeoutMs: REPORT_TIMEOUT_MS,
      })
      try {
        const rows = await reconcile(db)
        for (const row of rows)
          console.log(`${row.check.padEnd(4)}${String(row.count).padStart(8)}  ${row.meaning}`)
        return rows.every((row) => row.count === 0) ? 0 : 1
      } finally {
        await db.destroy()
      }
    },
  },
  close: {
    usage: 'close <YYYY-MM-DD>',
    does: 'closes a day: a row per receiving account; exit code 1 when one is red',
    async run({ config, database, log, rest: [day] }) {
      if (!day || !isDay(day)) throw new UsageError()
      return printClose(wireDeps({ config, log, database }), day, console.log)
    },
  },
  'reconcile-providers': {
    usage: 'reconcile-providers [YYYY-MM-DD]',
    does: 'asks the providers for what is new, or for one day, which is closed anew; exit code 1 when red',
    async run({ config, database, log, rest: [day] }) {
      if (day !== undefined && !isDay(day)) throw new UsageError()
      return printPull(wireDeps({ config, log, database }), day, console.log)
    },
  },
  doctor: {
    usage: 'doctor',
    does: 'says what is connected and what is not, as each start does; exit code 1 with an error',
    async run({ config, database, log }) {
      const findings = await examine(wireDeps({ config, log, database }))
      for (const finding of findings) console.log(lineOf(finding))
      return findings.some(({ level }) => level === 'error') ? 1 : 0
    },
  },
  migrate: {
    usage: 'migrate',
    does: 'brings the database up to date (a start does it too)',
    async run() {
      console.log('the database is up to date')
      return 0
    },
  },
  'sandbox pay': {
    usage: 'sandbox pay <code> [amount]',
    does: 'in a demo: sends the signed notification a bank transfer would cause, through the public door',
    async run({ config, database, rest: [code, amount] }) {
      if (!code || (amount !== undefined && !/^[1-9]\d{0,12}$/.test(amount))) throw new UsageError()
      const { sandbox } = openPayments(config.payments)
      if (!config.isDemo || sandbox === null) throw new Error('the sandbox exists only with DEMO=1')
      const answer = await sandboxPay(
        { db: database.db, sender: sandbox, portalUrl: ownUrl(config) },
        { code, ...(amount === undefined ? {} : { amount: Number(amount) }) },
      )
      console.log(`the portal answered ${answer.status} ${answer.text}`)
      return answer.status === 200 ? 0 : 1
    },
  },
  'sandbox sms': {
    usage: 'sandbox sms <phone> <text>',
    does: 'in a demo: sends the signed message a phone would cause by texting to 7039, through the public door',
    async run({ config, rest: [phone, ...words] }) {
      if (!phone || words.length === 0) throw new UsageError()
      if (!config.isDemo || config.sms === null) throw new Error('the sandbox exists only with DEMO=1')
      const answer = await sandboxSms(
        { sms: config.sms, portalUrl: ownUrl(config) },
        { phone, text: words.join(' ') },
      )
      console.log(`the portal answered ${answer.status} ${answer.text}`)
      return answer.status === 200 ? 0 : 1
    },
  },
}

function help(): string {
  const lines = Object.values(commands).map(({ usage, does }) => `  ${usage.padEnd(36)}${does}`)
  return ['npm run portal -- <command>', '', ...lines, `  ${'help'.padEnd(36)}this list`].join('\n')
}

function find(argumentsGiven: string[]): { command: Command; rest: string[] } | null {
  for (const words of [2, 1]) {
    const command = commands[argumentsGiven.slice(0, words).join(' ')]
    if (command) return { command, rest: argumentsGiven.slice(words) }
  }
  return null
}

async function run(argumentsGiven: string[]): Promise<number> {
  const found = find(argumentsGiven)
  if (!found) {
    console.log(help())
    return argumentsGiven.length === 0 || argumentsGiven[0] === 'help' ? 0 : 2
  }
  const config = await readConfigWithSecrets(process.env)
  const log = openLog('error')
  const database = await openPortalDatabase(config, log)
  try {
    return await found.command.run({ config, database, log, rest: found.rest })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`usage: npm run portal -- ${found.command.usage}`)
    return 2
  } finally {
    await database.close()
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const refusal = error instanceof Refusal ? (REFUSALS[error.code] ?? error.message) : null
  const mark = process.argv[2] === 'doctor' ? 'error    ' : ''
  if (refusal !== null) console.error(refusal)
  else console.error(error instanceof SetupProblem ? mark + error.message : error)
  process.exitCode = 1
}
