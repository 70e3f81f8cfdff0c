import { sql } from 'kysely'
import { anAddress } from '#tests/support/players.ts'
import { clockProblem, setClock } from '../../harness/faults.ts'
import { pause, type FaultRun, type WorldFault } from './fault.ts'

const DAY = 86_400
/** Of the longest limit, and a second for what is under way. */
const LIMIT_MS_MAX = (DAY + 1) * 1_000
/** Of a code that has not been verified. */
const CODE_MINUTES_MAX = 5
/** Until every process has read the file. */
const NOTICED_MS = 1_100

/** T11: the clock of the portal's machine is wrong while the database's stays right. */
export const wrongClock: WorldFault = {
  name: "the portal's clock a day behind, a day ahead, an hour back",
  needs: { clock: true },
  missing: clockProblem,
  async inject(run) {
    const { random, signal, count } = run
    const wrongs = { 'a day behind': -DAY, 'a day ahead': DAY, 'an hour back': -3_600 }
    while (!signal.aborted) {
      const what = random.pick(Object.keys(wrongs) as (keyof typeof wrongs)[])
      count(what)
      await whileWrong(run, wrongs[what], () =>
        pause(signal, run.isShort ? NOTICED_MS : 4_000 + random.below(8_000)),
      )
      await pause(signal, run.isShort ? NOTICED_MS : 3_000)
    }
  },
}

/**
 * A bank's notification is refused as stale while the clock is wrong, and sent again; nobody waits for that. Afterwards the
 * clock is right and all of them have been taken.
 */
export async function whileWrong(
  run: FaultRun,
  aheadSeconds: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const { world, load } = run
  const file = world.clockFile as string
  const late: Promise<void>[] = []
  load.aside = (paying) => void late.push(paying)
  try {
    await setClock(file, aheadSeconds)
    await work()
    await checkLimits(run)
    await checkCodes(run)
  } finally {
    await setClock(file, 0)
    delete load.aside
  }
  await Promise.all(late)
}

/** A counter that ends later than its limit would lock a player out long after the clock is right again. */
async function checkLimits({ world, wrong }: FaultRun): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    SELECT split_part(key, ':', 1) AS key FROM rate_limit
     WHERE expire > extract(epoch FROM clock_timestamp()) * 1000 + CASE split_part(key, ':', 1)
       WHEN 'trades' THEN 61000 WHEN 'recharge-orders' THEN 3601000 ELSE ${LIMIT_MS_MAX}::bigint END
     GROUP BY 1`.execute(world.db)
  for (const { key } of rows) wrong(`a counter of the limit ${key} ends too late`)
}

/** A code that just came is taken and one that is too old is not, whatever the portal's clock says. */
async function checkCodes({ world, random, wrong }: FaultRun): Promise<void> {
  const from = anAddress()
  for (const [age, expected] of [
    [0, 200],
    [CODE_MINUTES_MAX + 1, 422],
  ] as const) {
    const phone = `09${String(random.below(100_000_000)).padStart(8, '0')}`
    const post = (path: string, body: object) =>
      world.client.untilDefinite({ method: 'POST', path, from, body })
    const sent = await post('/api/sandbox/sms', { phone, text: 'THN OTP' })
    const code = /\b\d{6}\b/.exec(String(sent.body?.reply))?.[0]
    if (code === undefined) {
      wrong(`no code came: ${sent.status} ${JSON.stringify(sent.body)}`)
      continue
    }
    if (age > 0) {
      await sql`UPDATE one_time_code SET made_at = made_at - make_interval(mins => ${age}::integer)
                 WHERE verified_at IS NULL`.execute(world.db)
    }
    const { status, body } = await post('/api/one-time-password/verify', { phone, code })
    if (status !== expected) wrong(`a code ${age} minutes old got ${status} ${body?.code}`)
  }
}
