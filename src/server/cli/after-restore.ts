import { formatNumber } from '#contract/format.ts'
import { countWaitingMail } from '#server/modules/mail/index.ts'
import { openDeliveries, sumOpenDeliveries } from '#server/modules/purchases/index.ts'
import { countWaitingOrders } from '#server/modules/recharge/index.ts'
import { dayOf } from '#server/modules/reconciliation/index.ts'
import type { PortalDeps } from '../app/deps.ts'

type OpenDelivery = ReturnType<typeof openDeliveries> extends AsyncGenerator<infer Row> ? Row : never

const DELIVERIES_SHOWN = 20
const DAYS_SHOWN = 7
const DAY_MS = 86_400_000

export const openDeliveryLine = ({
  id,
  created_at,
  account,
  character_name,
  amount,
  state,
}: OpenDelivery): string =>
  [
    id,
    created_at.toISOString(),
    state.padEnd(7),
    account,
    character_name,
    `${formatNumber(Number(amount))} TCoin`,
  ].join('  ')

/** What an operator has to look at after a restore, and by which commands, in their order. */
export async function printAfterRestore(
  { db, clock }: Pick<PortalDeps, 'db' | 'clock'>,
  moment: string,
  print: (line: string) => void,
): Promise<void> {
  const { count, amount } = await sumOpenDeliveries(db)
  print(
    `deliveries that were open: ${count}, ${formatNumber(amount)} TCoin; the worker asks the game about each before it sends it`,
  )
  let shown = 0
  for await (const delivery of openDeliveries(db)) {
    if (shown++ === DELIVERIES_SHOWN) break
    print(`  ${openDeliveryLine(delivery)}`)
  }
  if (count > DELIVERIES_SHOWN) print('  … all of them: npm run portal -- open-deliveries')
  print(`orders that waited for money: ${await countWaitingOrders(db)}; their transfers are found as below`)
  print(`mails that waited and may be sent a second time: ${await countWaitingMail(db)}`)
  print(
    `what happened after ${moment} is not in this database; docs/runbooks/restore.md says what it means. Bank transfers since then:`,
  )
  const days = daysBetween(new Date(moment), clock.now())
  for (const day of days.slice(0, DAYS_SHOWN)) print(`  npm run portal -- reconcile-providers ${day}`)
  if (days.length > DAYS_SHOWN) print(`  … and each day up to ${days.at(-1)}`)
  print('goods that the game delivered since then, when its record is in a file (docs/runbooks/restore.md):')
  print('  npm run portal -- compare-game <file>')
}

function daysBetween(from: Date, to: Date): string[] {
  const days: string[] = []
  for (let at = from.getTime(); dayOf(new Date(at)) <= dayOf(to); at += DAY_MS) days.push(dayOf(new Date(at)))
  return days
}
