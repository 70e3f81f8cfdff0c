import { startAdapter } from '#game-adapter/adapter.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import { ADAPTER_SECRET, charactersOf, detectedConfig, rankingOf } from '#tests/support/adapted-game.ts'
import { fillGame, TEST_ACCOUNT, TWENTY_LETTERS, type FillOptions } from '#tests/support/game-shapes.ts'
import { startMysql, type TestMysql } from '#tests/support/mysql.ts'
import { startStandIn, type Purse } from '#tests/support/stand-in-collector.ts'
import { checkContract } from '../game-contract/game-contract.ts'
import { wrongIn } from './check-schema.ts'
import { makeSchema, type GameSchema } from './schema-tables.ts'

export type Checked = {
  name: string
  kept: number
  broken: string[]
  missingIndexes: string[]
  seconds: Record<string, number>
  isRight: boolean
}

/** A database to be made, and what is expected of it. */
type Game = {
  name: string
  make(mysql: TestMysql): Promise<{ url: string; wrong(detected: Detected): string[] }>
  /** Null: nobody to give to. */
  purse: Purse | FillOptions['shape'] | null
  asked: string
}
type Detected = Awaited<ReturnType<typeof detectedConfig>>

const LIST_SECONDS_MAX = 1
const DETECT_SECONDS_MAX = 5
const AT_ONCE = 10

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const began = performance.now()
  const result = await work()
  return { result, seconds: Math.round(performance.now() - began) / 1000 }
}

/** The worst of some calls one after the other, and of ten at once. */
async function timesOf(work: () => Promise<unknown>): Promise<{ alone: number; together: number }> {
  const alone: number[] = []
  for (let call = 0; call < 5; call++) alone.push((await timed(work)).seconds)
  const together = await Promise.all(Array.from({ length: AT_ONCE }, () => timed(work)))
  return { alone: Math.max(...alone), together: Math.max(...together.map(({ seconds }) => seconds)) }
}

/** One of the three shapes, filled and served: what was found, and how long everything took. */
export const checkShape = (fill: FillOptions): Promise<Checked> =>
  checkGame({
    name: fill.shape,
    async make(mysql) {
      const { url } = await mysql.createDatabase()
      await fillGame(url, fill)
      return { url, wrong: () => [] }
    },
    purse: fill.shape,
    asked: TWENTY_LETTERS,
  })

/** The same of a schema as real games have it. */
export const checkSchema = (schema: GameSchema, accounts: number): Promise<Checked> =>
  checkGame({
    name: schema.name,
    async make(mysql) {
      const { url, other } = await makeSchema(mysql, schema, { accounts })
      return { url, wrong: (detected) => wrongIn(detected, schema, other) }
    },
    purse: schema.purse,
    asked: 'nguoi11',
  })

async function checkGame({ name, make, purse, asked }: Game): Promise<Checked> {
  const say = (sentence: string) => console.log(`${name}: ${sentence}`)
  const mysql = await startMysql()
  try {
    const seconds: Record<string, number> = {}
    const made = await timed(() => make(mysql))
    const { url, wrong } = made.result
    seconds.fill = made.seconds
    say(`filled in ${seconds.fill} s`)
    const detected = await timed(() => detectedConfig(url))
    seconds.detect = detected.seconds
    const { config, findings } = detected.result
    for (const finding of findings) say(finding)
    const broken = wrong(detected.result)
    if (seconds.detect > DETECT_SECONDS_MAX) broken.push(`detect took ${seconds.detect} s`)
    const print = () => {}
    seconds.install = (await timed(() => install(config, { isCarriedOut: true, print }))).seconds
    if ((await install(config, { isCarriedOut: true, print })) > 0)
      broken.push('install twice is not the same')
    const started = await timed(() =>
      startAdapter(
        config,
        openLog(() => {}),
      ),
    )
    seconds.start = started.seconds
    say(`detect ${seconds.detect} s, install ${seconds.install} s, start ${seconds.start} s`)
    const adapter = started.result
    const kept = purse === null ? 0 : await keptRules(adapter.url, { url, purse, broken })
    const boards = (['level', 'yen', 'luong'] as const).filter((board) =>
      board === 'luong' ? true : config.characters[board] !== null,
    )
    const lists: [string, () => Promise<unknown>][] = [
      ['characters', () => charactersOf(adapter.url, asked)],
      ['characters of nobody', () => charactersOf(adapter.url, 'khong-co-ai')],
      ...boards.map((board): [string, () => Promise<unknown>] => [
        board,
        () => rankingOf(adapter.url, board),
      ]),
    ]
    for (const [list, work] of lists) {
      const { alone, together } = await timesOf(work)
      Object.assign(seconds, { [list]: alone, [`${list}, ${AT_ONCE} at once`]: together })
      say(`${list}: ${alone} s; the last of ${AT_ONCE} at once ${together} s`)
      if (alone >= LIST_SECONDS_MAX) broken.push(`${list} took ${alone} s`)
    }
    await adapter.close()
    for (const line of broken) say(line)
    const missingIndexes = findings.filter((finding) => finding.startsWith('missing index'))
    return { name, kept, broken, missingIndexes, seconds, isRight: broken.length === 0 }
  } finally {
    await mysql.close()
  }
}

type Served = { url: string; purse: NonNullable<Game['purse']>; broken: string[] }

async function keptRules(adapter: string, { url, purse, broken }: Served): Promise<number> {
  const standIn = await startStandIn(url, purse)
  const place = { url: adapter, secret: ADAPTER_SECRET, serverId: '1', account: TEST_ACCOUNT }
  const outcomes = await checkContract(place)
  await standIn.stop()
  const failed = outcomes.filter(({ outcome }) => outcome !== 'kept')
  broken.push(...failed.map(({ rule, why }) => `${rule}: ${why}`))
  return outcomes.length - failed.length
}
