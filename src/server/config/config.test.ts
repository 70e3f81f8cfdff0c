import { readFileSync } from 'node:fs'
import { hostsOf } from '#server/platform/db/writable-client.ts'
import { describe, expect, test } from 'vitest'
import { openPayments, PAYMENT_VENDORS } from '#server/modules/payment-providers/index.ts'
// Sets the language of every refusal to Vietnamese, as in the portal's process.
import '../platform/http/validate.ts'
import { type ConfigError, readConfig } from './config.ts'

const base = { DEMO: '1' }
const from = { MAIL_FROM: 'Tinh Hoa Ninja <khong-tra-loi@ninja.test>' }

describe('the webhook of the alarms', () => {
  const ALARM_WEBHOOK_URL = 'https://chat.ninja.test/alarms?room=1'
  const ALARM_WEBHOOK_SECRET = 'a secret of sixteen'

  test('is none unless address and secret are given', () => {
    expect(readConfig(base).alarmWebhook).toBeNull()
    expect(readConfig({ ...base, ALARM_WEBHOOK_URL, ALARM_WEBHOOK_SECRET }).alarmWebhook).toEqual({
      url: ALARM_WEBHOOK_URL,
      secret: ALARM_WEBHOOK_SECRET,
    })
  })

  test.each([
    ['an address without a secret', { ALARM_WEBHOOK_URL }],
    ['a secret without an address', { ALARM_WEBHOOK_SECRET }],
    ['a short secret', { ALARM_WEBHOOK_URL, ALARM_WEBHOOK_SECRET: 'short' }],
    ['what is no web address', { ALARM_WEBHOOK_URL: 'mailto:a@b.test', ALARM_WEBHOOK_SECRET }],
  ])('stops the start with %s', (_, environment) => {
    expect(() => readConfig({ ...base, ...environment })).toThrow(/ALARM_WEBHOOK/)
  })
})

describe('the key of the backups', () => {
  test('has 20 characters that are not the same few', () => {
    const BACKUP_KEY = 'pX3v8-qLm27-Zt0kR-e9'
    expect(readConfig({ ...base, BACKUP_KEY }).backupKey).toBe(BACKUP_KEY)
    expect(readConfig({ ...base, BACKUP_KEY: '' }).backupKey).toBeNull()
  })

  test.each([
    ['too short', 'pX3v8-qLm27-Zt0kR-e'],
    ['blank', ' '.repeat(40)],
    ['mostly blank', `pX3v8-qLm2${' '.repeat(30)}`],
    ['one letter', 'a'.repeat(40)],
    ['the same few letters', 'abcab'.repeat(8)],
  ])('stops the start when it is %s', (_, BACKUP_KEY) => {
    expect(() => readConfig({ ...base, BACKUP_KEY })).toThrow(
      /BACKUP_KEY: 20 characters or more, not the same few/,
    )
  })
})

describe('the port of the metrics', () => {
  test('is none unless one is given, then on this machine only by default', () => {
    expect(readConfig(base).metrics).toBeNull()
    expect(readConfig({ ...base, METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    expect(readConfig({ ...base, METRICS_PORT: '9464', METRICS_HOST: '10.0.0.5' }).metrics?.host).toBe(
      '10.0.0.5',
    )
  })

  test('is so much above the port of each process where it begins with +', () => {
    for (const PORT of ['3001', '3002'])
      expect(readConfig({ ...base, PORT, METRICS_PORT: '+6000' }).metrics?.port).toBe(Number(PORT) + 6_000)
  })

  test.each(['3000', '0', '+0', '-1', '65536', '+62536', '1e3', 'metrics'])('is not %s', (METRICS_PORT) => {
    expect(() => readConfig({ ...base, METRICS_PORT })).toThrow(/METRICS_PORT/)
  })
})

describe('the mail server of the environment', () => {
  test('is none unless one is given: letters then become files', () => {
    expect(readConfig(base)).toMatchObject({ smtp: null, mailFrom: null })
  })

  test('is read with its login, its usual port and its sender', () => {
    expect(
      readConfig({ ...base, ...from, SMTP_URL: 'smtp://ninja:m%40t%2Fkhau@mail.ninja.test' }),
    ).toMatchObject({
      smtp: {
        host: 'mail.ninja.test',
        port: 587,
        isSecure: false,
        login: { user: 'ninja', pass: 'm@t/khau' },
      },
      mailFrom: { name: 'Tinh Hoa Ninja', address: 'khong-tra-loi@ninja.test' },
    })
    expect(
      readConfig({ ...base, SMTP_URL: 'smtps://mail.ninja.test', MAIL_FROM: 'khong-tra-loi@ninja.test' }),
    ).toMatchObject({
      smtp: { port: 465, isSecure: true, login: null },
      mailFrom: { name: null, address: 'khong-tra-loi@ninja.test' },
    })
  })

  test.each([
    ['another protocol', { ...from, SMTP_URL: 'http://mail.ninja.test' }, /SMTP_URL/],
    ['no address at all', { ...from, SMTP_URL: 'mail.ninja.test' }, /SMTP_URL/],
    [
      'options in the address',
      { ...from, SMTP_URL: 'smtp://mail.ninja.test?tls.rejectUnauthorized=false' },
      /SMTP_URL/,
    ],
    ['no sender', { SMTP_URL: 'smtp://mail.ninja.test' }, /MAIL_FROM/],
    ['a sender that is none', { MAIL_FROM: 'Tinh Hoa Ninja' }, /MAIL_FROM/],
    ['a sender on two lines', { MAIL_FROM: 'Ninja\r\nBcc: b@ninja.test <a@ninja.test>' }, /MAIL_FROM/],
  ])('stops the start with %s', (_, environment, problem) => {
    expect(() => readConfig({ ...base, ...environment })).toThrow(problem)
  })
})

describe('the providers of payments in the environment', () => {
  const momo = {
    MOMO_PARTNER_CODE: 'MOMONINJA',
    MOMO_ACCESS_KEY: 'access-new, access-old',
    MOMO_SECRET_KEY: 'secret-new, secret-old',
  }

  /** What the environment configures for one of them, with defaults. */
  const read = (name: string, environment: Record<string, string>): Record<string, any> =>
    readConfig({ ...base, ...environment }).payments.find(({ vendor }) => vendor.name === name)!.env

  test('are all closed, and nothing is requested from them, unless they are given', () => {
    const { payments } = readConfig(base)
    const { webhooks, lists, checkouts, sandbox } = openPayments(payments)
    expect(webhooks).toEqual(PAYMENT_VENDORS.map(({ name }) => ({ provider: name, reader: null })))
    expect({ lists, checkouts, sandbox }).toEqual({ lists: [], checkouts: [], sandbox: null })
  })

  test('are read with the secret in use and the one before', () => {
    expect(read('sepay', momo).SEPAY_WEBHOOK_SECRET).toBeUndefined()
    const casso = read('casso', { CASSO_WEBHOOK_KEY: 'casso-new,casso-old' })
    expect(casso.CASSO_WEBHOOK_KEY).toEqual(['casso-new', 'casso-old'])
    expect(read('payos', { PAYOS_CHECKSUM_KEY: 'payos-one' }).PAYOS_CHECKSUM_KEY).toEqual(['payos-one'])
    expect(read('momo', momo)).toMatchObject({
      MOMO_ACCESS_KEY: ['access-new', 'access-old'],
      MOMO_SECRET_KEY: ['secret-new', 'secret-old'],
    })
  })

  test('are called at their own addresses or at those given', () => {
    const given = { SEPAY_API_TOKEN: 'token', PAYOS_CLIENT_ID: 'id', PAYOS_API_KEY: 'key', ...momo }
    const here = { SEPAY_BASE_URL: 'http://127.0.0.1:9/', MOMO_BASE_URL: 'http://127.0.0.1:9' }
    const all = { ...given, ...here, PAYOS_CHECKSUM_KEY: 'payos-one', MOMO_MODE: 'gateway' }
    expect(read('sepay', all)).toMatchObject({
      SEPAY_BASE_URL: 'http://127.0.0.1:9',
      SEPAY_API_TOKEN: 'token',
    })
    expect(read('casso', all)).toEqual({ CASSO_BASE_URL: 'https://oauth.casso.vn' })
    expect(read('payos', all)).toMatchObject({
      PAYOS_BASE_URL: 'https://api-merchant.payos.vn',
      PAYOS_CLIENT_ID: 'id',
      PAYOS_API_KEY: 'key',
    })
    expect(read('momo', all)).toMatchObject({ MOMO_BASE_URL: 'http://127.0.0.1:9', MOMO_MODE: 'gateway' })
    const { lists, checkouts } = openPayments(readConfig({ ...base, ...all }).payments)
    expect(lists.map(({ provider }) => provider)).toEqual(['sepay'])
    expect(checkouts.map(({ provider, channels }) => [provider, channels])).toEqual([
      ['momo', [1]],
      ['payos', [2, 3]],
    ])
  })

  test('MoMo with keys and without its gateway takes no new orders, and can be queried about earlier ones', () => {
    const { checkouts } = openPayments(readConfig({ ...base, ...momo }).payments)
    expect(checkouts.map(({ provider, channels }) => [provider, channels])).toEqual([['momo', []]])
  })

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'MoMo given in part',
      { MOMO_PARTNER_CODE: 'MOMONINJA' },
      /MOMO_PARTNER_CODE, MOMO_ACCESS_KEY and MOMO_SECRET_KEY/,
    ],
    [
      'more access keys than secrets',
      { ...momo, MOMO_SECRET_KEY: 'secret-new' },
      /MOMO_ACCESS_KEY: give one, or one to each/,
    ],
    ['the gateway without keys', { MOMO_MODE: 'gateway' }, /MOMO_MODE: the gateway needs/],
    ['half of what payOS requires', { PAYOS_CLIENT_ID: 'id' }, /PAYOS_CLIENT_ID and PAYOS_API_KEY/],
    ['payOS without its checksum key', { PAYOS_CLIENT_ID: 'id', PAYOS_API_KEY: 'key' }, /PAYOS_CHECKSUM_KEY/],
    ['a key too short to be one', { CASSO_SECURE_TOKEN: 'short' }, /CASSO_SECURE_TOKEN/],
    ['an address that is none', { MOMO_BASE_URL: 'payment.momo.vn' }, /MOMO_BASE_URL/],
  ])('stop the start with %s', (_, environment, problem) => {
    expect(() => readConfig({ ...base, ...environment })).toThrow(problem)
  })

  test('with several faults, name them all at once', () => {
    expect(() => readConfig({ ...base, MOMO_ACCESS_KEY: 'access-one', PAYOS_API_KEY: 'key' })).toThrow(
      /MOMO_PARTNER_CODE[^]*PAYOS_CLIENT_ID[^]*PAYOS_CHECKSUM_KEY/,
    )
  })
})

test('several hosts of PostgreSQL are one address, of which the one that takes writes is meant', () => {
  const live = { DEMO: '0', GAME_SERVER_URL: 'embedded' }
  const read = (url: string) => readConfig({ ...live, DATABASE_URL: url }).databaseUrl ?? ''
  const several = 'postgres://portal:pw@db-1:5433,db-2/portal'
  expect(hostsOf(read(`${several}?target_session_attrs=read-write`))).toEqual([
    { host: 'db-1', port: 5433 },
    { host: 'db-2', port: 5432 },
  ])
  expect(() => read(several)).toThrow(
    /DATABASE_URL: with several hosts add \?target_session_attrs=read-write/,
  )
  expect(() => read(`${several}?target_session_attrs=any`)).toThrow(
    /DATABASE_URL: target_session_attrs can be/,
  )
  expect(() => read('db-1:5432')).toThrow(/DATABASE_URL: postgres:\/\/user:password@host:port\/database/)
  const one = 'postgres://portal:p,w@db-1:5432/portal?sslmode=require'
  expect(read(one.replace(',', '%2C'))).toContain('db-1')
})

test('what is wrong in the environment is reported in English', () => {
  const wrong = {
    PORT: 'many',
    HOST: '',
    DATABASE_URL: 'mysql://127.0.0.1/portal',
    LOG_LEVEL: 'loud',
    DEMO: '2',
  }
  expect(() => readConfig(wrong)).toThrow(/^[\x20-\x7e\n]+$/)
})

describe('a value that is not right', () => {
  const SECRET = 'Bi-mat-9'
  const names = new Set(readFileSync('docs/configuration.md', 'utf8').match(/\b[A-Z][A-Z_]{3,}\b/g))
  const faultsOf = (environment: Record<string, string>): readonly string[] => {
    try {
      readConfig({ ...base, ...environment })
    } catch (error) {
      return (error as ConfigError).problems
    }
    return []
  }

  test.each([
    ['PORT', 'abc', 'a whole number from 1 to 65535; correct it, or leave it out for 3000'],
    ['PORT', '0', 'a whole number from 1 to 65535; correct it, or leave it out for 3000'],
    ['PORT', '65536', 'a whole number from 1 to 65535; correct it, or leave it out for 3000'],
    ['PORT', '80.5', 'a whole number from 1 to 65535; correct it, or leave it out for 3000'],
    ['PROCESSES', '0', 'auto, or a whole number from 1 to 64; correct it, or leave it out for 1'],
    ['DATABASE_POOL', '1', 'a whole number from 2 to 200; correct it'],
    ['STOP_DELAY', '-1', 'a whole number from 0 to 60; correct it, or leave it out for 0'],
    ['TWO_PEOPLE', 'no', 'one of 0, 1; correct it, or leave it out for 1'],
    ['PUBLIC_URL', 'ninja.test', 'an http address, such as https://ninja.example; correct it'],
    ['SMTP_URL', 'mail.test', 'smtp[s]://user:password@host:port and nothing after it; correct it'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half', 'a number from 0 to 1; correct it, or leave it out for 1'],
    ['TRUST_PROXY', 'proxy', 'exact addresses, separated by commas; correct it'],
    ['MOMO_MODE', 'card', 'one of qr, gateway; correct it, or leave it out for qr'],
  ])('%s=%s: what it takes is said, and the cure', (name, value, sentence) => {
    expect(faultsOf({ [name]: value })).toContain(`${name}: ${sentence}`)
  })

  test('is said of every variable without a word of the library or of the value', () => {
    for (const name of names) {
      for (const value of [
        SECRET,
        '-1',
        '1.5',
        '99999999',
        'http://',
        `mysql://${SECRET}/b`,
        `${SECRET} é\n`,
      ]) {
        for (const fault of faultsOf({ [name]: value })) {
          expect(fault).not.toMatch(/NaN|invalid|expected|received|too (?:small|big)|Bi-mat/i)
          expect(fault).toMatch(/^[A-Z_, ]+(?: and [A-Z_]+)?: ./)
        }
      }
    }
  })
})

describe('the game of the environment', () => {
  const game = { GAME_SERVER_URL: 'http://127.0.0.1:4000' }

  test('is signed to with the newer of two secrets; both are accepted of the game', () => {
    for (const secret of ['the-new-secret-123', 'the-new-secret-123,the-old-secret-123']) {
      expect(readConfig({ ...base, ...game, GAME_SERVER_SECRET: secret }).gameServer).toEqual({
        url: 'http://127.0.0.1:4000',
        secret: 'the-new-secret-123',
        secrets: secret.split(','),
      })
    }
  })

  test('is needed by a live installation, unless the embedded one is requested by name', () => {
    expect(() => readConfig({ DEMO: '0' })).toThrow(
      /GAME_SERVER_URL: without the game real accounts would get invented characters/,
    )
    expect(() => readConfig({ DATABASE_URL: 'postgres://portal@127.0.0.1/portal' })).toThrow(
      /GAME_SERVER_URL/,
    )
    expect(readConfig({ DEMO: '0', GAME_SERVER_URL: 'embedded' }).gameServer).toBeNull()
    expect(readConfig({ DEMO: '1', GAME_SERVER_URL: 'embedded' }).gameServer).toBeNull()
    expect(readConfig({ DEMO: '1' }).gameServer).toBeNull()
    expect(() =>
      readConfig({ DEMO: '0', GAME_SERVER_URL: 'embedded', GAME_SERVER_SECRET: 'the-secret-of-none' }),
    ).toThrow(/GAME_SERVER_URL and GAME_SERVER_SECRET/)
    expect(() => readConfig({ DEMO: '0', GAME_SERVER_URL: 'none' })).toThrow(
      /GAME_SERVER_URL: an http address, or embedded/,
    )
  })

  test('stops the start when its secret is missing or too short', () => {
    expect(() => readConfig({ ...base, ...game })).toThrow(/GAME_SERVER_URL and GAME_SERVER_SECRET/)
    expect(() => readConfig({ ...base, ...game, GAME_SERVER_SECRET: 'short,the-old-secret-123' })).toThrow(
      /GAME_SERVER_SECRET/,
    )
  })
})

test('a direct address goes past a pooler to the same database, as the same role', () => {
  const pooled = 'postgres://portal:pw@127.0.0.1:6432/portal'
  const direct = 'postgres://portal:pw@127.0.0.1:5432/portal'
  const base = { GAME_SERVER_URL: 'embedded', DATABASE_URL: pooled }
  expect(readConfig({ ...base, DATABASE_DIRECT_URL: direct })).toMatchObject({
    databaseUrl: direct,
    poolerUrl: pooled,
    databasePool: 20,
  })
  expect(readConfig(base)).toMatchObject({ databaseUrl: pooled, poolerUrl: null })
  for (const other of [direct.replace('pw', 'other'), direct.replace(/portal$/, 'elsewhere')])
    expect(() => readConfig({ ...base, DATABASE_DIRECT_URL: other })).toThrow(/with the same user, password/)
  expect(() => readConfig({ GAME_SERVER_URL: 'embedded', DATABASE_DIRECT_URL: direct })).toThrow(
    /give DATABASE_URL too/,
  )
})

describe('the collector of traces', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.test:4318/'

  test('is none unless its address is given, whatever else of OpenTelemetry is', () => {
    expect(
      readConfig({ ...base, OTEL_SERVICE_NAME: 'ninja', OTEL_TRACES_SAMPLER: 'always_on' }).tracing,
    ).toBeNull()
    expect(readConfig({ ...base, OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual({
      url: 'https://collector.test:4318/v1/traces',
      headers: {},
      serviceName: 'cong-ninja',
      sampler: 'parentbased_always_on',
      ratio: 1,
    })
  })

  test('is sent the headers, the name and the share that the standard’s variables define', () => {
    expect(
      readConfig({
        ...base,
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-tenant = a%2Cb',
        OTEL_SERVICE_NAME: 'ninja-web',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.1',
      }).tracing,
    ).toMatchObject({
      headers: { authorization: 'Basic YQ==', 'x-tenant': 'a,b' },
      serviceName: 'ninja-web',
      sampler: 'parentbased_traceidratio',
      ratio: 0.1,
    })
  })

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer token'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '10'],
  ])('stops the start with %s=%s', (name, value) => {
    expect(() => readConfig({ ...base, OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toThrow(name)
  })
})

describe('an address whose password has a sign that parts addresses', () => {
  const ADDRESSES: Record<string, string> = {
    DATABASE_URL: 'postgres://cong:SECRET@db.example:5432/portal',
    DATABASE_DIRECT_URL: 'postgres://cong:SECRET@db.example:5432/portal',
    DATABASE_REPLICA_URL: 'postgres://cong:SECRET@db.example:5432/portal',
    GAME_SERVER_URL: 'http://cong:SECRET@game.example',
    SMTP_URL: 'smtp://cong:SECRET@mail.example:587',
    ALARM_WEBHOOK_URL: 'https://cong:SECRET@alarm.example/x',
    PUBLIC_URL: 'https://cong:SECRET@portal.example',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://cong:SECRET@traces.example',
  }

  test.each(Object.keys(ADDRESSES))(
    '%s: the reason and the cure are said, and nothing of the password',
    (name) => {
      for (const sign of ['@', '#', '/', '?', '%']) {
        for (const secret of [`matkhau${sign}dai`, `12${sign}matkhau`, `${sign}matkhau`, `matkhau${sign}`]) {
          let message = ''
          try {
            readConfig({ ...base, [name]: ADDRESSES[name]!.replace('SECRET', secret) })
          } catch (error) {
            message = String(error)
          }
          expect([secret, message]).toEqual([
            secret,
            expect.stringContaining(`${name}: the user name or the password`),
          ])
          expect(message).toContain(`has ${sign} as it is`)
          expect(message).not.toMatch(/matkhau|dai|cong/)
        }
      }
    },
  )
})
