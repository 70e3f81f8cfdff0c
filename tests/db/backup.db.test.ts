import { copyFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { backupDatabase } from '#server/platform/backup/backup.ts'
import { openBackupFile } from '#server/platform/backup/backup-file.ts'
import { restoreDatabase } from '#server/platform/backup/restore.ts'
import { openLog } from '#server/platform/log/log.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useFolder } from '#tests/support/folder.ts'
import { runCommand } from '#tests/support/processes.ts'
import { aPlayer, send } from '#tests/support/players.ts'
import { emptyDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'

const KEY = 'a long key of the tests'
const portal = useTestApp()
const log = openLog('fatal')

const folder = useFolder()
let plain: string
let encrypted: string
beforeAll(async () => {
  const [player, friend] = [
    await aPlayer(portal, { coins: 90_000, isActivated: true }),
    await aPlayer(portal),
  ]
  const [character = ''] = await charactersOf(portal, player)
  await buyLuongFor(portal, { player, character })
  await send(portal, player, { username: friend.username, amount: 10_000 })
  await runSql(
    portal.ownerUrl,
    `INSERT INTO settings VALUES ('odd', E'\\\\.\\n\\\\N\\ttab "quote" ninja thần tốc 忍')`,
  )
  plain = join(folder, 'plain')
  encrypted = join(folder, 'encrypted')
  await backupDatabase(portal.ownerUrl, { file: plain, key: null })
  await backupDatabase(portal.ownerUrl, { file: encrypted, key: KEY })
}, 120_000)

/** A file as a backup without a key: compressed, and ended by a frame with its length. */
function compressed(text: string): Buffer {
  const content = zstdCompressSync(text)
  const frame = Buffer.alloc(16)
  frame.writeUInt32LE(0x184d2a50)
  frame.writeUInt32LE(8, 4)
  frame.writeBigUInt64LE(BigInt(content.length), 8)
  return Buffer.concat([content, frame])
}

async function runSql<Row = Record<string, unknown>>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Every table with its number of rows and a sum over all of their values, every sequence, key and trigger. */
async function pictureOf(url: string): Promise<Record<string, unknown>> {
  const tables = await runSql<{ name: string }>(
    url,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname IN ('public', 'game') AND tablename <> 'schema_migration' ORDER BY 1`,
  )
  const picture: Record<string, unknown> = {}
  for (const { name } of tables) {
    picture[name] = await runSql(
      url,
      `SELECT count(*), sum(hashtextextended(t::text, 0)::numeric) AS values FROM ${name} t`,
    )
  }
  expect(tables.length).toBeGreaterThan(60)
  picture.sequences = await runSql(url, 'SELECT sequencename, last_value FROM pg_sequences ORDER BY 1')
  picture.keys = await runSql(
    url,
    `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint ORDER BY 1, 2`,
  )
  picture.triggers = await runSql(
    url,
    `SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
  )
  picture.migrations = await runSql(url, 'SELECT name, checksum FROM schema_migration ORDER BY 1')
  return picture
}

type Wishes = { file: string; key?: string | null; mode?: 'demo' | 'live'; finish?(): Promise<void> }

const restoreInto = (
  ownerUrl: string,
  { file, key = null, mode = 'live', finish = async () => {} }: Wishes,
) => restoreDatabase({ ownerUrl, log, file, key, mode, finish })

async function withEmpty(work: (ownerUrl: string) => Promise<void>): Promise<void> {
  const empty = await emptyDatabase()
  try {
    await work(empty.ownerUrl)
  } finally {
    await empty.drop()
  }
}

const countTables = async (url: string) =>
  (await runSql(url, `SELECT FROM pg_tables WHERE schemaname IN ('public', 'game')`)).length

/** The one sentence of a refusal that leaves the database as empty as before. */
async function refusalOf(wishes: Wishes): Promise<string> {
  let sentence = ''
  await withEmpty(async (ownerUrl) => {
    const refusal = await restoreInto(ownerUrl, wishes).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(SetupProblem)
    expect(await countTables(ownerUrl)).toBe(0)
    sentence = (refusal as Error).message
  })
  expect(sentence).not.toContain('\n')
  return sentence
}

test(
  'an ordinary owner restores every value, sequence, foreign key and trigger',
  { timeout: 120_000 },
  async () => {
    const before = await pictureOf(portal.ownerUrl)
    await withEmpty(async (ownerUrl) => {
      const restored = await restoreInto(ownerUrl, { file: plain })
      expect(restored.rows).toBeGreaterThan(50)
      expect(await pictureOf(ownerUrl)).toEqual(before)
    })
  },
)

describe('one sentence, and nothing changed, for', { timeout: 120_000 }, () => {
  test('a wrong key, and none', async () => {
    expect(await refusalOf({ file: encrypted, key: 'another key, also long' })).toMatch(
      /^BACKUP_KEY does not open .*: set it/,
    )
    expect(await refusalOf({ file: encrypted })).toMatch(
      /is encrypted: set BACKUP_KEY to the key it was made with$/,
    )
  })

  test('a file that is not encrypted, where a key is set', async () => {
    expect(await refusalOf({ file: plain, key: KEY })).toMatch(
      /^\S+plain is not encrypted though BACKUP_KEY is set.*: add --unencrypted if you know where it comes from$/,
    )
  })

  test.runIf(hasAllCases)('a sequence that is not there, or whose number is none', async () => {
    const file = join(folder, 'sequences')
    const text = zstdDecompressSync(await readFile(plain)).toString('utf8')
    const first = /"sequences":\{"([^"]+)":"(\d+)"/
    for (const changed of [
      text.replace(first, '"sequences":{"public.no_such_seq":"$2","$1":"$2"'),
      text.replace(first, '"sequences":{"pg_class":"$2"'),
      text.replace(first, '"sequences":{"$1":"a lot"'),
    ]) {
      expect(changed).not.toBe(text)
      await writeFile(file, compressed(changed))
      expect(await refusalOf({ file })).toMatch(/cut off or damaged/)
    }
  })

  test('a file cut at its start, in its middle and right before its end', async () => {
    const cuts = [
      [plain, null, 0.02],
      [plain, null, 0.5],
      [encrypted, KEY, 0.5],
      [encrypted, KEY, 0.999],
    ] as const
    for (const [whole, key, share] of everyNth(cuts, 4, 1)) {
      const file = join(folder, 'cut')
      await copyFile(whole, file)
      await truncate(file, Math.floor((await stat(file)).size * share))
      expect(await refusalOf({ file, key })).toMatch(
        /cut off or damaged: use another copy of it, or an older backup$/,
      )
    }
  })

  test('a file that lacks its last bytes, however few', async () => {
    const whole = await readFile(plain)
    const file = join(folder, 'nearly-whole')
    for (let missing = 1; missing <= 80; missing += 1) {
      await writeFile(file, whole.subarray(0, -missing))
      await expect(openBackupFile(file, null), String(missing)).rejects.toThrow(/is cut off or damaged/)
    }
  })

  test('a file that was changed in one place', async () => {
    const files = [
      [plain, null],
      [encrypted, KEY],
    ] as const
    for (const [whole, key] of everyNth(files, 2, 1)) {
      const file = join(folder, 'changed')
      const bytes = await readFile(whole)
      const middle = bytes.length >> 1
      bytes[middle] = (bytes[middle] ?? 0) ^ 0x10
      await writeFile(file, bytes)
      expect(await refusalOf({ file, key })).toMatch(/cut off or damaged/)
    }
  })

  test.runIf(hasAllCases)('a row that is missing from a file that is whole otherwise', async () => {
    const file = join(folder, 'row-missing')
    const text = zstdDecompressSync(await readFile(plain)).toString('utf8')
    await writeFile(file, compressed(text.replace(/^odd\t.*\n/m, '')))
    expect(await refusalOf({ file })).toMatch(/cut off or damaged/)
  })

  test('a file that is no backup, and one that is not there', async () => {
    const file = join(folder, 'letter')
    await writeFile(file, 'Kính gửi đội vận hành')
    expect(await refusalOf({ file })).toMatch(/^\S+letter is no backup of the portal: name one/)
    await writeFile(file, compressed('a picture, say'))
    expect(await refusalOf({ file })).toMatch(/cut off or damaged/)
    expect(await refusalOf({ file: join(folder, 'nowhere') })).toMatch(/cannot be read \(ENOENT\)/)
  })

  test('a backup of a newer program, and one of a demo', async () => {
    const file = join(folder, 'newer')
    const text = zstdDecompressSync(await readFile(plain)).toString('utf8')
    const later = text.replace('"migrations":[', '"migrations":[{"name":"9999-later.sql","checksum":"0"},')
    await writeFile(file, compressed(later))
    expect(await refusalOf({ file })).toMatch(
      /of a newer program \(migration 9999-later\.sql\): restore it with the program/,
    )
    expect(await refusalOf({ file: plain, mode: 'demo' })).toMatch(
      /was made with DEMO=0: restore it with the same$/,
    )
  })

  test('what fails after everything is loaded', async () => {
    await withEmpty(async (ownerUrl) => {
      const finish = () => Promise.reject(new Error('the last step'))
      await expect(restoreInto(ownerUrl, { file: plain, finish })).rejects.toThrow('the last step')
      expect(await countTables(ownerUrl)).toBe(0)
    })
  })

  test('a database that is not empty', async () => {
    const fresh = await freshDatabase()
    try {
      const before = await pictureOf(fresh.ownerUrl)
      await expect(restoreInto(fresh.ownerUrl, { file: plain })).rejects.toThrow(
        /^the database is not empty \(game\.\w+, .* …\): give DATABASE_URL of a new one/,
      )
      expect(await pictureOf(fresh.ownerUrl)).toEqual(before)
    } finally {
      await fresh.drop()
    }
  })

  test('a backup over a file, into a folder that is not there, and of an empty database', async () => {
    const options = { file: plain, key: null }
    await expect(backupDatabase(portal.ownerUrl, options)).rejects.toThrow(
      /exists already: name another file/,
    )
    const file = join(folder, 'nowhere', 'backup')
    await expect(backupDatabase(portal.ownerUrl, { file, key: null })).rejects.toThrow(
      /cannot be written \(ENOENT\)/,
    )
    await withEmpty(async (ownerUrl) => {
      const none = backupDatabase(ownerUrl, { file: join(folder, 'none'), key: null })
      await expect(none).rejects.toThrow(/^this database holds no portal yet/)
    })
  })
})

test.runIf(hasAllCases)(
  'the commands print size, time, what to store besides, and that the books agree',
  { timeout: 120_000 },
  async () => {
    const file = join(folder, 'by-command')
    await runSql(
      portal.ownerUrl,
      `INSERT INTO deletion_request (user_id, state, due_at, decided_at, decided_by, next_attempt_at)
       SELECT id, 'approved', now(), now(), id, now() FROM users ORDER BY id LIMIT 1`,
    )
    const made = await runCommand(portal, ['backup', file], { BACKUP_KEY: KEY })
    expect(made).toMatchObject({ code: 0, errors: '' })
    expect(made.output).toMatch(/by-command: \d+ tables, \d+ rows as of \S+Z, \d+\.\d MB in \d+\.\d s\n/)
    expect(made.output).toMatch(/^encrypted: without BACKUP_KEY nobody can read it/m)
    expect(made.output).toMatch(/^not in it, keep it besides: /m)
    expect((await stat(file)).mode & 0o077).toBe(0)
    const empty = await emptyDatabase()
    try {
      // The word is read wherever it stands; this file is refused for another reason then.
      await writeFile(join(folder, 'cut'), (await readFile(plain)).subarray(0, -20))
      const cut = await runCommand(empty, ['restore', '--unencrypted', join(folder, 'cut')], {
        BACKUP_KEY: KEY,
      })
      expect(cut.errors).toMatch(/cut off or damaged/)
      const restored = await runCommand(empty, ['restore', file], { BACKUP_KEY: KEY })
      expect(restored).toMatchObject({ code: 0, errors: '' })
      expect(restored.output).toMatch(/^R1 +0 /m)
      expect(restored.output).toContain('the audit trail is whole')
      expect(restored.output).toContain(
        'deliveries that were open: 1, 10,000 TCoin; the worker asks the game',
      )
      const states = await runSql(empty.ownerUrl, 'SELECT state, attempt FROM delivery')
      expect(states).toEqual([{ state: 'unknown', attempt: 0 }])
      const requests = await runSql(empty.ownerUrl, 'SELECT state, decided_by FROM deletion_request')
      expect(requests).toEqual([{ state: 'waiting', decided_by: null }])
    } finally {
      await empty.drop()
    }
  },
)
