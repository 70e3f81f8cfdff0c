import { unescape } from 'node:querystring'
import * as z from 'zod'
import { addressFault } from '#contract/address-fault.ts'
import { en } from 'zod/locales'
import { oneForm, secretLength } from '#contract/fields.ts'
import type { MailSender, SmtpServer } from '#server/modules/mail/index.ts'
import { PAYMENT_VENDORS, type ConfiguredVendor } from '#server/modules/payment-providers/index.ts'
import { hostsOf, joinHosts } from '#server/platform/db/writable-client.ts'
import { metricsPortsOf, poolOf, PROCESSES_MAX, processesOf } from './process-sizes.ts'
import { addressText, secretList, webUrl, wholeNumber } from '#server/platform/process/environment.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { tracingEnvironment, tracingOf } from '../platform/tracing/environment.ts'

export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** The value of GAME_SERVER_URL that chooses the embedded game. */
const EMBEDDED = 'embedded'

const PORT_MAX = 65_535

const BACKUP_KEY_MIN = 20
const BACKUP_KEY_LETTERS_MIN = 6

const flag = z.enum(['0', '1']).transform((text) => text === '1')

const AUTO_OR_SO_MANY = `auto, or a whole number from 1 to ${PROCESSES_MAX}`
const SMTP_ADDRESS = 'smtp[s]://user:password@host:port and nothing after it'

/** 0 is no limit. */
const openMax = wholeNumber(0, 10_000)

const READ_WRITE = 'read-write'
/** A text that is no address is reported once. */
const sessionsOf = (url: string) =>
  URL.canParse(url) ? new URL(url).searchParams.get('target_session_attrs') : READ_WRITE

const postgresUrl = addressText
  .transform((text) => joinHosts(text) ?? '')
  .pipe(z.url({ protocol: /^postgres(ql)?$/, error: 'postgres://user:password@host:port/database' }))
  .refine(
    (url) => [null, READ_WRITE].includes(sessionsOf(url)),
    `target_session_attrs can be ${READ_WRITE} only: the portal writes`,
  )
  .refine(
    (url) => sessionsOf(url) === READ_WRITE || hostsOf(url).length < 2,
    `with several hosts add ?target_session_attrs=${READ_WRITE}: the one that takes writes is used`,
  )

/** The environment the portal reads, beside that of its payment vendors; other variables are ignored. */
const environmentSchema = z.object({
  PORT: wholeNumber(1, PORT_MAX).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: webUrl.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl
    .refine(
      (url) => !URL.canParse(url) || hostsOf(url).length === 0,
      'one host, which follows that of DATABASE_URL',
    )
    .optional(),
  PROCESSES: z
    .union([z.literal('auto'), wholeNumber(1, PROCESSES_MAX, AUTO_OR_SO_MANY)], AUTO_OR_SO_MANY)
    .default(1),
  DATABASE_POOL: wholeNumber(2, 200).optional(),
  DEMO: flag.optional(),
  DEMO_PUBLIC: flag.optional(),
  GAME_SERVER_URL: z
    .union([z.literal(EMBEDDED), webUrl], {
      error: ({ input }) => addressFault(String(input)) ?? `an http address, or ${EMBEDDED}`,
    })
    .optional(),
  // As the game reads it, `new,old` while it is changed: the portal signs with the first and accepts both.
  GAME_SERVER_SECRET: secretList
    .refine(
      (secrets) => secrets.every((secret) => secret.length >= 16),
      'each secret needs at least 16 characters',
    )
    .optional(),
  SMS_MO_SECRET: secretList.optional(),
  DEMO_BEACON_SECRET: z.string().min(16).optional(),
  SMTP_URL: addressText
    .pipe(z.url({ protocol: /^smtps?$/, error: SMTP_ADDRESS, abort: true }))
    .refine((text) => /^\w+:\/\/[^/?#]+\/?$/.test(text), SMTP_ADDRESS)
    .transform(smtpServer)
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>"\p{Cc}]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'name@example.com or Name <name@example.com>',
    )
    .transform(mailSender)
    .optional(),
  TWO_PEOPLE: flag.default(true),
  ADMIN_HOST: z
    .string()
    .toLowerCase()
    .regex(
      /^[a-z0-9.-]+(:\d{1,5})?$/,
      'a host as browsers send it: admin.example.com, with its port if it has one',
    )
    .optional(),
  TRUST_PROXY: z
    .string()
    .transform((text) => text.split(',').map((address) => address.trim()))
    .pipe(
      z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'exact addresses, separated by commas')),
    )
    .optional(),
  CONNECTIONS_PER_ADDRESS: openMax.default(50),
  STREAMS_PER_ADDRESS: openMax.default(10),
  ALARM_WEBHOOK_URL: webUrl.optional(),
  ALARM_WEBHOOK_SECRET: z.string().min(16).optional(),
  METRICS_PORT: z
    .string()
    .regex(/^\+?[1-9]\d{0,4}$/, 'a port, or +6000 for one that is so much above PORT')
    .optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  STOP_DELAY: wholeNumber(0, 60).default(0),
  BACKUP_KEY: z
    .string()
    .refine(
      (key) =>
        secretLength(key.trim()) >= BACKUP_KEY_MIN && new Set(oneForm(key)).size >= BACKUP_KEY_LETTERS_MIN,
      `${BACKUP_KEY_MIN} characters or more, not the same few again and again`,
    )
    .optional(),
  ...tracingEnvironment,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
})

export type Config = ReturnType<typeof configOf>

/** The environment was wrong; the message lists every problem at once. */
export class ConfigError extends SetupProblem {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the environment is not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads and checks the environment once; nothing else in the program reads it. An empty value counts as absent. */
export function readConfig(
  environment: Record<string, string | undefined>,
  vendors = PAYMENT_VENDORS,
): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const english = { error: kindOf }
  const result = environmentSchema.safeParse(given, english)
  const payments = vendors.map((vendor) => ({ vendor, read: vendor.env.safeParse(given, english) }))
  const wrong = [result, ...payments.map(({ read }) => read)].flatMap(({ error }) => error?.issues ?? [])
  if (!result.success || wrong.length > 0) {
    // An issue without a path is about several variables, which its message names.
    const shape = Object.assign({}, environmentSchema.shape, ...vendors.map((vendor) => vendor.env.shape))
    throw new ConfigError([...new Set(wrong.map((issue) => problemOf(issue, shape)))])
  }
  const config = configOf(
    result.data,
    payments.map(({ vendor, read }) => ({ vendor, env: read.data ?? {} })),
  )
  const problems = contradictions(config, result.data)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** What a variable takes, where its schema has no words of its own. */
const kindOf: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`
  if (issue.code === 'too_small' && issue.origin === 'string') return `${issue.minimum} characters or more`
  return en().localeError(issue)
}

/** The variable, what it takes, and the cure; never the value, which may be a secret. */
function problemOf({ path: [name], message }: z.core.$ZodIssue, shape: z.core.$ZodShape): string {
  // One about several variables names them itself, and what to do.
  if (name === undefined) return message
  const schema = shape[String(name)]
  const byDefault = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined
  const leftOut =
    byDefault === undefined ? '' : `, or leave it out for ${byDefault === true ? 1 : String(byDefault)}`
  return `${String(name)}: ${message}; correct it${leftOut}`
}

type ReadEnvironment = z.output<typeof environmentSchema>

function configOf(env: ReadEnvironment, payments: ConfiguredVendor[]) {
  const hostInUrl = env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST
  return {
    host: env.HOST,
    port: env.PORT,
    /** Without a slash at the end. */
    publicUrl: env.PUBLIC_URL ?? `http://${hostInUrl}:${env.PORT}`,
    dataDir: env.DATA_DIR,
    /** Null means the embedded database in `dataDir`. */
    databaseUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL ?? null,
    /** Null where requests use `databaseUrl` too; else the pooler in front of it, in transaction mode. */
    poolerUrl: env.DATABASE_DIRECT_URL === undefined ? null : (env.DATABASE_URL ?? null),
    /** Null where public data is read from the one database. */
    replicaUrl: env.DATABASE_REPLICA_URL ?? null,
    databasePool: env.DATABASE_POOL ?? poolOf(processesOf(env.PROCESSES)),
    /** Web processes that share one listener; with more than one the worker is a process beside them. */
    processes: processesOf(env.PROCESSES),
    isDemo: isDemo(env),
    /** Whether strangers may reach a demo; every page then shows that it is one. */
    isDemoPublic: env.DEMO_PUBLIC ?? false,
    /** Null means the embedded game. */
    gameServer:
      isGameElsewhere(env.GAME_SERVER_URL) && env.GAME_SERVER_SECRET !== undefined
        ? {
            url: env.GAME_SERVER_URL,
            /** Signs the portal's calls. */
            secret: env.GAME_SERVER_SECRET[0] as string,
            /** Those that the game's own calls may be signed with. */
            secrets: env.GAME_SERVER_SECRET,
          }
        : null,
    /** The environment of each vendor of the registry (in a demo with generated secrets). */
    payments,
    /** Null means: no message from a phone is accepted (in a demo: a generated secret). */
    sms: env.SMS_MO_SECRET ? { secrets: env.SMS_MO_SECRET } : null,
    /** Null outside a demo: tournaments are drawn by the public beacon. */
    demoBeaconSecret: isDemo(env) ? (env.DEMO_BEACON_SECRET ?? null) : null,
    /** Null means: mail is written to files in `dataDir`. */
    smtp: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? null,
    /** Whether changes of money settings wait for a second person. */
    isSecondPersonNeeded: env.TWO_PEOPLE,
    adminHost: env.ADMIN_HOST ?? null,
    trustProxy: env.TRUST_PROXY ?? [],
    /** For each client address; 0 is no limit. */
    connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
    streamsPerAddress: env.STREAMS_PER_ADDRESS,
    /** Null means: alarms are shown in the console only. */
    alarmWebhook:
      env.ALARM_WEBHOOK_URL !== undefined && env.ALARM_WEBHOOK_SECRET !== undefined
        ? { url: env.ALARM_WEBHOOK_URL, secret: env.ALARM_WEBHOOK_SECRET }
        : null,
    /** Null means: no metrics. */
    metrics:
      env.METRICS_PORT === undefined
        ? null
        : { host: env.METRICS_HOST, port: metricsPort(env.METRICS_PORT, env.PORT) },
    /** Null means: no traces, and OpenTelemetry is not loaded. */
    tracing: tracingOf(env),
    /** How long a stopping process still serves while /readyz reports that it stops, in milliseconds. */
    stopDelayMs: env.STOP_DELAY * 1_000,
    /** Null means: backups are not encrypted. */
    backupKey: env.BACKUP_KEY ?? null,
    logLevel: env.LOG_LEVEL,
  }
}

/** `+6000` gives each process of one machine its own, since each has its own PORT. */
const metricsPort = (text: string, port: number) => Number(text) + (text.startsWith('+') ? port : 0)

const isDemo = ({ DEMO, DATABASE_URL }: ReadEnvironment) => DEMO ?? DATABASE_URL === undefined

const isGameElsewhere = (url: string | undefined): url is string => url !== undefined && url !== EMBEDDED

function smtpServer(text: string): SmtpServer {
  const url = new URL(text)
  const isSecure = url.protocol === 'smtps:'
  const login = { user: unescape(url.username), pass: unescape(url.password) }
  return {
    host: url.hostname,
    port: Number(url.port || (isSecure ? 465 : 587)),
    isSecure,
    login: login.user === '' ? null : login,
  }
}

function mailSender(text: string): MailSender {
  const named = /^(.*) <(.*)>$/.exec(text)
  return named ? { name: named[1] ?? null, address: named[2] ?? '' } : { name: null, address: text }
}

function isSameLogin(pooled: string | undefined, direct: string): boolean {
  const login = ({ username, password, pathname }: URL) => [username, password, pathname].join('\n')
  return pooled !== undefined && login(new URL(pooled)) === login(new URL(direct))
}

function contradictions(config: Config, env: ReadEnvironment): string[] {
  const problems: string[] = []
  const isReachedByStrangers = !isLoopback(config.host) || !isLoopback(new URL(config.publicUrl).hostname)
  if (config.isDemo && isReachedByStrangers && !config.isDemoPublic) {
    problems.push('DEMO: a demo listens on loopback only (HOST, PUBLIC_URL), unless DEMO_PUBLIC=1')
  }
  if (isGameElsewhere(env.GAME_SERVER_URL) !== (env.GAME_SERVER_SECRET !== undefined)) {
    problems.push('GAME_SERVER_URL and GAME_SERVER_SECRET: give both or neither')
  }
  if (!config.isDemo && env.GAME_SERVER_URL === undefined) {
    problems.push(
      'GAME_SERVER_URL: without the game real accounts would get invented characters; ' +
        `give its address and GAME_SERVER_SECRET, or GAME_SERVER_URL=${EMBEDDED} if that is what you want`,
    )
  }
  if (env.DATABASE_DIRECT_URL !== undefined && !isSameLogin(env.DATABASE_URL, env.DATABASE_DIRECT_URL)) {
    problems.push('DATABASE_DIRECT_URL: give DATABASE_URL too, with the same user, password and database')
  }
  if (env.DATABASE_REPLICA_URL !== undefined && !isSameLogin(env.DATABASE_URL, env.DATABASE_REPLICA_URL)) {
    problems.push('DATABASE_REPLICA_URL: give DATABASE_URL too, with the same user, password and database')
  }
  if (config.smtp !== null && config.mailFrom === null) {
    problems.push('MAIL_FROM: a mail server takes nothing without a sender it knows')
  }
  if ((env.ALARM_WEBHOOK_URL === undefined) !== (env.ALARM_WEBHOOK_SECRET === undefined)) {
    problems.push('ALARM_WEBHOOK_URL and ALARM_WEBHOOK_SECRET: give both or neither')
  }
  const metricsPorts = metricsPortsOf(config)
  if (metricsPorts.includes(config.port)) {
    problems.push('METRICS_PORT: players reach PORT; metrics need a port of their own for each process')
  }
  const noPort = metricsPorts.find((port) => port > PORT_MAX)
  if (noPort !== undefined) {
    problems.push(`METRICS_PORT: ${noPort} is no port; the highest is ${PORT_MAX}`)
  }
  return problems
}
