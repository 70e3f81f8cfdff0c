import { startAdapter } from '#game-adapter/adapter.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import { ADAPTER_SECRET, charactersOf, detectedConfig, rankingOf } from '#tests/support/adapted-game.ts'
import { fillGame, TEST_ACCOUNT, TWENTY_LETTERS, type FillOptions } from '#tests/support/game-shapes.ts'
import { startMysql } from '#tests/support/mysql.ts'
import { startStandIn } from '#tests/support/stand-in-collector.ts'
import { checkContract } from '../game-contract/game-contract.ts'

export type Checked = {
  shape: string
  kept: number
  broken: string[]
  missingIndexes: string[]
  seconds: Record<string, number>
  isRight: boolean
}

const LIST_SECONDS_MAX = 1
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

/** One shape, filled and served: what was found, and how long everything took. */
export async function checkShape(fill: FillOptions): Promise<Checked> {
  const { shape } = fill
  const say = (sentence: string) => console.log(`${shape}: ${sentence}`)
  const mysql = await startMysql()
  try {
    const { url } = await mysql.createDatabase()
    const seconds: Record<string, number> = {}
    seconds.fill = (await timed(() => fillGame(url, fill))).seconds
    say(`${fill.accounts} accounts filled in ${seconds.fill} s`)
    const detected = await timed(() => detectedConfig(url))
    seconds.detect = detected.seconds
    const { config, findings } = detected.result
    for (const finding of findings) say(finding)
    const print = () => {}
    seconds.install = (await timed(() => install(config, { isCarriedOut: true, print }))).seconds
    const isInstalled = (await install(config, { isCarriedOut: true, print })) === 0
    const started = await timed(() =>
      startAdapter(
        config,
        openLog(() => {}),
      ),
    )
    seconds.start = started.seconds
    say(`detect ${seconds.detect} s, install ${seconds.install} s, start ${seconds.start} s`)
    const adapter = started.result
    const standIn = await startStandIn(url, shape)
    const place = { url: adapter.url, secret: ADAPTER_SECRET, serverId: '1', account: TEST_ACCOUNT }
    const outcomes = await checkContract(place)
    await standIn.stop()
    const broken = outcomes
      .filter(({ outcome }) => outcome !== 'kept')
      .map(({ rule, why }) => `${rule}: ${why}`)
    for (const line of broken) say(line)
    say(`${outcomes.length - broken.length} of ${outcomes.length} rules kept`)
    const lists: Record<string, () => Promise<unknown>> = {
      characters: () => charactersOf(adapter.url, TWENTY_LETTERS),
      'characters of nobody': () => charactersOf(adapter.url, 'khong-co-ai'),
      level: () => rankingOf(adapter.url, 'level'),
      yen: () => rankingOf(adapter.url, 'yen'),
      luong: () => rankingOf(adapter.url, 'luong'),
    }
    const slow: string[] = []
    for (const [name, work] of Object.entries(lists)) {
      const { alone, together } = await timesOf(work)
      Object.assign(seconds, { [name]: alone, [`${name}, ${AT_ONCE} at once`]: together })
      say(`${name}: ${alone} s; the last of ${AT_ONCE} at once ${together} s`)
      if (alone >= LIST_SECONDS_MAX) slow.push(name)
    }
    await adapter.close()
    return {
      shape,
      kept: outcomes.length - broken.length,
      broken,
      missingIndexes: findings.filter((finding) => finding.startsWith('missing index')),
      seconds,
      isRight: broken.length === 0 && slow.length === 0 && isInstalled,
    }
  } finally {
    await mysql.close()
  }
}
