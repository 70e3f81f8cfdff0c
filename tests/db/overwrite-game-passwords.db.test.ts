import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aGameTable } from '#tests/support/game-table.ts'
import { canHaveMysql, startMysql, type TestMysql } from '#tests/support/mysql.ts'
import { anAddress } from '#tests/support/players.ts'
import { runCommand } from '#tests/support/processes.ts'

const isThere = await canHaveMysql()
const START_MS_MAX = 120_000
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe.skipIf(!isThere)('overwrite-game-passwords (skipped without MySQL)', { timeout: 120_000 }, () => {
  const portal = useTestApp()
  let place: { mysql: TestMysql; folder: string }
  beforeAll(async () => {
    place = { mysql: await startMysql(), folder: await mkdtemp(join(tmpdir(), 'overwrite-')) }
  }, START_MS_MAX)
  afterAll(async () => {
    await place?.mysql.close()
    if (place) await rm(place.folder, { recursive: true, force: true })
  })

  test('passwords that came over are overwritten in the game when told to, and no others', async () => {
    const file = await aGameTable(place, {
      table: 'cu',
      key: 'BIGINT',
      rows: [
        [3, 'matkhauro', 'matkhau9', 1, 0, 0],
        [4, 'matkhaubam', md5('matkhau8'), 1, 0, 0],
        [5, 'bonk', 'matkhau7', 1, 0, 0],
      ],
    })
    await runCommand(portal, ['import-accounts', file])
    const { database } = JSON.parse(await readFile(file, 'utf8')) as { database: string }
    const game = await createConnection({ uri: database })
    const passwords = async () => {
      const [rows] = await game.query('SELECT password FROM cu ORDER BY id')
      return (rows as { password: string }[]).map(({ password }) => password)
    }
    const overwrite = async (...words: string[]) => {
      const { code, output } = await runCommand(portal, ['overwrite-game-passwords', file, ...words])
      return [code, ...output.trim().split('\n')]
    }
    const counted = [
      0,
      '2 accounts that came over still have their password in cu',
      '0 have none there, or one that was overwritten before',
      '1 did not come over, and keep theirs',
    ]
    try {
      const before = await passwords()
      expect(await overwrite()).toEqual([
        ...counted,
        expect.stringMatching(/^nothing was changed: with --yes /),
      ])
      expect(await passwords()).toEqual(before)
      expect(await overwrite('--yes')).toEqual([...counted, '2 passwords were overwritten'])
      const [first, second, third] = await passwords()
      expect(third).toBe('matkhau7')
      for (const text of [first, second]) expect(text).toMatch(/^![\w-]{11}$/)
      expect(first).not.toBe(second)
      expect(await overwrite('--yes')).toEqual([
        0,
        '0 accounts that came over still have their password in cu',
        '2 have none there, or one that was overwritten before',
        '1 did not come over, and keep theirs',
      ])
      expect(await passwords()).toEqual([first, second, third])
      expect(
        (
          await portal.call('POST', '/api/auth/login', {
            body: { username: 'matkhauro', password: 'matkhau9' },
            from: anAddress(),
          })
        ).status,
      ).toBe(200)
    } finally {
      await game.end()
    }
  })
})
