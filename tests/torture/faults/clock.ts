import { sql } from 'kysely'
import { clockProblem, setClock } from './clock-file.ts'
import { pause, type FaultRun, type WorldFault } from './fault.ts'

const DAY = 86_400
/** Of the longest limit, and a second for what is under way. */
const LIMIT_MS_MAX = (DAY + 1) * 1_000
const OTP_MINUTES_MAX = 10

/** T11: the clock of the portal's machine is wrong while the database's stays right. */
export const wrongClock: WorldFault = {
  name: "the portal's clock a day behind, a day ahead, an hour back",
  needs: { clock: true },
  missing: clockProblem,
  async inject(run) {
    const { world, load, random, signal, count } = run
    const file = world.clockFile as string
    const { aside } = load
    const late: Promise<void>[] = []
    // A bank's notification is refused as stale while the clock is wrong, and sent again; nobody waits for that.
    load.aside = (work) => void late.push(work)
    const wrongs = { 'a day behind': -DAY, 'a day ahead': DAY, 'an hour back': -3_600 }
    try {
      while (!signal.aborted) {
        const what = random.pick(Object.keys(wrongs) as (keyof typeof wrongs)[])
        await setClock(file, wrongs[what])
        count(what)
        await pause(signal, 4_000 + random.below(8_000))
        await checkLimits(run)
        await setClock(file, 0)
        await pause(signal, 3_000)
      }
    } finally {
      await setClock(file, 0)
      if (aside) load.aside = aside
      else delete load.aside
    }
    await Promise.all(late)
    await checkCodes(run)
  },
}

/** A counter that ends later than its limit says would keep a player out long after the clock is right again. */
async function checkLimits({ world, wrong }: FaultRun): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    SELECT split_part(key, ':', 1) AS key FROM rate_limit
     WHERE expire > extract(epoch FROM clock_timestamp()) * 1000 + CASE split_part(key, ':', 1)
       WHEN 'trades' THEN 61000 WHEN 'recharge-orders' THEN 3601000 ELSE ${LIMIT_MS_MAX}::bigint END
     GROUP BY 1`.execute(world.db)
  for (const { key } of rows) wrong(`a counter of the limit ${key} ends too late`)
}

async function checkCodes({ world, wrong }: FaultRun): Promise<void> {
  const { rows } = await sql<{ life: number }>`
    SELECT extract(epoch FROM expires_at - created_at) / 60 AS life FROM one_time_code
     WHERE expires_at - created_at > make_interval(mins => ${OTP_MINUTES_MAX}::integer)`.execute(world.db)
  if (rows.length > 0) wrong(`${rows.length} one-time codes live longer than ${OTP_MINUTES_MAX} minutes`)
}
