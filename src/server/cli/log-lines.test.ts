import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesIn, linesOf } from './log-lines.ts'

const whole = { level: 'info', time: '2026-11-29T04:00:00.000Z', event: 'ledger.posted', msg: 'TCoin moved' }
const text = JSON.stringify(whole)

describe('a line of a log', () => {
  test.each([
    ['of the portal', text],
    ['of journald', `Nov 29 11:00:00 web1 node[812]: ${text}`],
    ['of journald with unit and time zone', `2026-11-29T11:00:00+0700 web1 node[812]: ${text}`],
    ['of journald as JSON', JSON.stringify({ _SYSTEMD_UNIT: 'portal-web@3001.service', MESSAGE: text })],
    ['of docker compose', `portal-1  | ${text}`],
    ['of Docker’s file', JSON.stringify({ log: `${text}\n`, stream: 'stdout' })],
  ])('%s is read', (_name, line) => {
    expect(entriesIn(line)).toEqual([{ whole }])
  })

  test.each([
    ['its end is missing', text.slice(0, 70)],
    ['its beginning is missing', text.slice(20)],
    ['its end is missing behind a unit', `Nov 29 11:00:00 web1 node[812]: ${text.slice(0, 70)}`],
  ])('of which %s is known as cut', (_name, line) => {
    expect(entriesIn(line)).toEqual([{ cut: line }])
  })

  test('in which another process went on after a kill -9 is both', () => {
    expect(entriesIn(text.slice(0, 70) + text)).toEqual([{ cut: text.slice(0, 70) }, { whole }])
  })

  test.each([
    '',
    'The worker of Cổng Ninja runs.',
    'systemd[1]: Started portal-web@3001.service.',
    '-- Boot --',
  ])('“%s” is none of the portal’s', (line) => {
    expect(entriesIn(line)).toEqual([])
  })
})

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-lines-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function read(name: string, content: string | Buffer): Promise<string[]> {
    const file = join(folder, name)
    await writeFile(file, content)
    return linesIn(file)
  }

  async function linesIn(file: string): Promise<string[]> {
    const lines: string[] = []
    for await (const line of linesOf(file, 'lines')) lines.push(line)
    return lines
  }

  test('is read by lines, packed or not, whatever its name', async () => {
    expect(await read('portal.log', 'one\ntwo\n')).toEqual(['one', 'two'])
    const packed = Buffer.concat([gzipSync('one\n'), gzipSync('two\n')])
    expect(await read('portal.log.2', packed)).toEqual(['one', 'two'])
    expect(await read('empty', '')).toEqual([])
  })

  test('that was cut while it was packed, or is not there, is a sentence', async () => {
    const packed = gzipSync(Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join(''))
    await expect(read('cut.gz', packed.subarray(0, packed.length - 20))).rejects.toThrow(
      /cut\.gz cannot be unpacked to its end/,
    )
    await expect(linesIn(join(folder, 'nowhere'))).rejects.toThrow(
      /cannot be read \(ENOENT\): name a file with lines/,
    )
    await expect(linesIn(folder)).rejects.toThrow(/cannot be read \(EISDIR\)/)
  })
})
