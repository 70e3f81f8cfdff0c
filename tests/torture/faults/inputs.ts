import { sql } from 'kysely'
import { enter, post, type Actor } from '../../harness/players.ts'
import type { FaultRun, WorldFault } from './fault.ts'

/** As they stand in a body, since not all of them are values of JSON's own. */
const BAD_AMOUNTS = [
  '0',
  '-1',
  '-10000',
  '1.5',
  '10000.5',
  '"1"',
  '"10000"',
  '"1e3"',
  'NaN',
  'Infinity',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '1e309',
  '-1e309',
  '1e-9',
  '[]',
  '[10000]',
  '[[10000]]',
  '{}',
  '{"amount":10000}',
  'null',
  'true',
  'false',
  '""',
  '" "',
  '"0x2710"',
  '"１００００"',
  '10000n',
  '0x10',
  '010000',
]

const BODIES = ['', '{}', '[]', 'null', '0', '{"amount":10000,', '"amount"', '{"amount":10000}']
const CHARACTERS = ['""', 'null', '[]', '{}', '0', '-1', '"khong-co"', '"%00"']

const TRANSFER = '/api/user/transfer'
const ORDERS = '/api/recharge/orders'
const EXCHANGE = '/api/exchange/store'
const GIFT = '/api/user/buy-package'

type Try = { path: string; body: string }

/** Every place of a call that moves money, with everything that is not an amount, a player or a character. */
function tries({ username, characterIds: [character] }: Actor): Try[] {
  const own = JSON.stringify(username)
  const payees = [
    own,
    own.toUpperCase(),
    '"khongcoai99"',
    // Letters of another script that look the same, and an invisible mark.
    JSON.stringify(username.replace('d', 'ԁ')),
    JSON.stringify(`${username}\u200b`),
    JSON.stringify(username.split('').join('\u0000')),
    '""',
    'null',
    '[]',
    '{"username":"x"}',
    '1',
    '"\' OR 1=1 --"',
  ]
  // Each value takes the place of the question mark.
  const places: [path: string, body: string, values: readonly string[]][] = [
    [TRANSFER, '{"payee":"nguoinhan1","amount":?}', BAD_AMOUNTS],
    [ORDERS, '{"channel":2,"amount":?}', BAD_AMOUNTS],
    [EXCHANGE, `{"character_id":"${character}","amount":?}`, BAD_AMOUNTS],
    [GIFT, `{"character_id":"${character}","package_id":?}`, BAD_AMOUNTS],
    [ORDERS, '{"channel":?,"amount":20000}', BAD_AMOUNTS],
    [TRANSFER, '{"payee":?,"amount":1}', payees],
    [EXCHANGE, '{"character_id":?,"amount":10000}', CHARACTERS],
    [GIFT, '{"character_id":?,"package_id":20000}', CHARACTERS],
    ...[TRANSFER, ORDERS, EXCHANGE, GIFT].map((path) => [path, '?', BODIES] as [string, string, string[]]),
  ]
  return places.flatMap(([path, body, values]) =>
    values.map((value) => ({ path, body: body.replace('?', () => value) })),
  )
}

/** T18: every money route with everything that is no amount: refused, and no row of money is written. */
export const badInputs: WorldFault = {
  name: 'amounts, payees and characters that are none, at every money route',
  prepares: true,
  async inject(run) {
    const { world, random, signal, count } = run
    const player = await enter(world, `doc${run.seed % 10_000}dauvao`, random)
    const before = await moneyRows(run, player)
    const all = tries(player)
    run.begin()
    // From another place of the table with each seed.
    for (let at = random.below(all.length); !signal.aborted; at++) {
      await oneTry(run, player, all[at % all.length] as Try)
      count('bad inputs')
    }
    if ((await moneyRows(run, player)) !== before) run.wrong('a bad input left a row')
  },
}

async function oneTry(run: FaultRun, player: Actor, { path, body }: Try): Promise<void> {
  const { status } = await post(run.world.client, player, path, body)
  if (status < 400 || status >= 500 || status === 401 || status === 403)
    run.wrong(`${path} ${body}: ${status}`)
}

async function moneyRows({ world }: FaultRun, { username }: Actor): Promise<string> {
  const { rows } = await sql<{ rows: string }>`
    SELECT concat_ws(' ', w.balance, w.version,
             (SELECT count(*) FROM ledger_entry e WHERE e.account_id = w.id),
             (SELECT count(*) FROM payment_order o WHERE o.user_id = u.id),
             (SELECT count(*) FROM delivery d WHERE d.user_id = u.id)) AS rows
      FROM users u JOIN ledger_account w ON w.id = u.wallet_account_id WHERE u.username = ${username}`.execute(
    world.db,
  )
  return rows[0]?.rows ?? ''
}
