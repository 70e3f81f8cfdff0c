import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../harness/client.ts'
import { readRows } from '../../harness/game-journal.ts'
import { SETTLE_MS_MAX } from '../../harness/verification.ts'
import { pause, type FaultRun, type WorldFault } from './fault.ts'
import { insertOperator } from './quick-player.ts'

type Operators = readonly [string, string]

const REASON = 'Game được đưa về bản cũ'
/** A game that loses so much at once has been away for some hours. */
const LOST_MIN = { short: 1, long: 8 }
const ROUNDS_MAX = 10

/** T20: the game is put back to an older copy; two people at once have what it lost given again, while the worker is killed. */
export const givenAgain: WorldFault = {
  name: 'a game that is set back; what it lost given again by two people at once, workers killed',
  prepares: true,
  async inject(run) {
    const { world, signal, seed, isShort } = run
    const name = `giaolai${seed % 10_000}`
    const operators: Operators = [
      await insertOperator(world.db, `${name}a`),
      await insertOperator(world.db, `${name}b`),
    ]
    run.begin()
    do {
      await loseSome(run, isShort ? LOST_MIN.short : LOST_MIN.long)
      await giveMissing(run, operators)
      await pause(signal, run.random.below(1_000))
    } while (!signal.aborted)
    // What was applied before a loss and written down after its comparison is found by the next one.
    for (let round = 0; (await giveMissing(run, operators)) > 0; round++)
      if (round === ROUNDS_MAX) return run.wrong(`after ${round} comparisons goods are still missing`)
  },
}

const countApplied = async ({ world }: FaultRun) =>
  (await readRows(world.game.dataDir)).filter(({ status }) => status === 'applied').length

/** Takes a copy, waits until the game has applied more, and puts the copy back. */
async function loseSome(run: FaultRun, least: number): Promise<void> {
  const putBack = await run.world.game.copy()
  const before = await countApplied(run)
  const end = performance.now() + SETTLE_MS_MAX
  while ((await countApplied(run)) < before + least && performance.now() < end) await sleep(50)
  await pause(run.signal, run.random.below(500))
  const after = await countApplied(run)
  await putBack()
  run.count('game set back')
  run.count('deliveries lost', after - before)
}

/** Compares, and gives again what is missing; answers how much that was. */
async function giveMissing(run: FaultRun, operators: Operators): Promise<number> {
  const { id, missing } = await compare(run, operators[0])
  if (missing === 0) return 0
  const proposed = await Promise.all(
    operators.map((token) => ask(run, token, 'missing-deliveries/give-again', { comparison: id })),
  )
  const [first, second] = proposed.map(({ body }) => body?.proposal?.id as string | undefined)
  if (!first || !second) {
    run.wrong(`no proposal: ${proposed.map(({ text }) => text).join(' ')}`)
    return missing
  }
  const approve = (token: string, proposal: string) => ask(run, token, `proposals/${proposal}/approve`)
  const deciding = Promise.all([approve(operators[0], second), approve(operators[1], first)])
  await Promise.all([deciding, run.random.below(2) === 0 ? killWorker(run) : null])
  const decided = (await deciding).map(({ status }) => status).toSorted()
  if (decided[0] !== 200 || decided[1] !== 409) run.wrong(`two approvals got ${decided.join(' and ')}`)
  run.count('deliveries given again', missing)
  return missing
}

async function killWorker({ world, random, count }: FaultRun): Promise<void> {
  const slot = random.pick(world.workers)
  await sleep(random.below(100))
  await slot.kill()
  count('worker killed')
  await slot.start()
}

type Compared = { id: string; missing: number; state: string }

/** Everything: what was bought before the copy may have been delivered after it. */
async function compare(run: FaultRun, token: string): Promise<Compared> {
  const started = await ask(run, token, 'game-comparison')
  const end = performance.now() + 2 * SETTLE_MS_MAX
  let compared = started.body?.comparison as Compared | undefined
  while (compared?.state === 'running' && performance.now() < end) {
    await sleep(100)
    const path = '/api/operator/game-comparison'
    compared = (await run.world.client.untilDefinite({ method: 'GET', path, token })).body.comparison
  }
  if (compared?.state === 'done') return compared
  throw new Error(`a comparison ended with ${JSON.stringify(compared ?? started.body)}`)
}

const ask = ({ world }: FaultRun, token: string, path: string, body: object = {}): Promise<Answer> =>
  world.client.untilDefinite({
    path: `/api/operator/${path}`,
    token,
    key: randomUUID(),
    body: { reason: REASON, ...body },
  })
