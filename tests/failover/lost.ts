import { formatNumber } from '#contract/format.ts'
import type { Db } from '#server/platform/db/database.ts'
import { lostEffects } from '../harness/verification.ts'
import type { Crowd } from './crowd.ts'

/** What clients had been told of and the database does not have: each as the clients' log names it. */
export async function lostOf(
  db: Db,
  { confirmed, registered }: Pick<Crowd, 'confirmed' | 'registered'>,
): Promise<string[]> {
  const found = await db
    .selectFrom('users')
    .select('username')
    .where('username', 'in', [...registered])
    .execute()
  const known = new Set(found.map(({ username }) => username))
  return [
    ...(await lostEffects(db, confirmed)),
    ...registered.filter((name) => !known.has(name)).map((name) => `registration ${name}`),
  ]
}

/**
 * What the command says of it: goods by their delivery, a recharge by its order, since the credit of an order that is there
 * is done again. The log has no key and no name of a transfer or a registration: such a line stands for one of them.
 */
function patternOf(lost: string): RegExp {
  const [act, ...words] = lost.split(' ')
  const last = words.at(-1) ?? ''
  switch (act) {
    case 'exchange':
    case 'gift':
      return new RegExp(` {2}movement \\d+ {2}${act}_hold .* delivery ${last}\\b`)
    case 'recharge':
      return new RegExp(` {2}order ${last} {2}`)
    case 'transfer':
      return new RegExp(` {2}movement \\d+ {2}p2p {2}${formatNumber(Number(last))} TCoin {2}`)
    case 'activation':
      return / {2}movement \d+ {2}activation {2}/
    default:
      return / {2}registration of account \d+\b/
  }
}

/** What was lost and the command did not name, each by a line of its own. */
export function unnamedIn(lost: readonly string[], output: string): string[] {
  const lines = new Set(output.split('\n').map((line, index) => `${index} ${line}`))
  return lost.filter((one) => {
    const pattern = patternOf(one)
    const line = [...lines].find((text) => pattern.test(text))
    return line === undefined || !lines.delete(line)
  })
}
