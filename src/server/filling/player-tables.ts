import { createHash } from 'node:crypto'
import type { TableRows, Value } from './copying.ts'
import { ACTIVATION_FEE, history, momentOf } from './history.ts'
import {
  characterNameOf,
  pseudoRandom,
  momentText,
  oneOf,
  phoneOf,
  usernameOf,
  type Existing,
  type Plan,
} from './plan.ts'

const AGENT = 'Mozilla/5.0 (Linux; Android 14) Chrome/130 Mobile'
const DAY_MS = 86_400_000

const registeredAt = (plan: Plan, player: number) => momentOf(plan, player, 0) - 60_000

/** 32 bytes as COPY reads them. Nothing hashes to them: a token of such a session is known to nobody. */
const bytesOf = ({ seed }: Plan, what: string) =>
  `\\x${createHash('sha256').update(`${seed} ${what}`).digest('hex')}`

type Each = (row: (player: number) => Value[][]) => () => Iterable<Value[]>

export function playerTables(plan: Plan, existing: Existing): TableRows[] {
  const each: Each = (row) =>
    function* () {
      for (let player = 0; player < plan.players; player++) yield* row(player)
    }
  return [
    ...accountTables(plan, existing, each),
    ...signInTables(plan, each),
    ...noticeTables(plan, each),
    activationTable(plan, existing),
  ]
}

function accountTables(plan: Plan, existing: Existing, each: Each): TableRows[] {
  return [
    {
      table: 'users',
      columns:
        `id username password_hash server_id wallet_account_id created_at referrer_id ban_until ban_reason`.split(
          ' ',
        ),
      rows: each((player) => [userRow(plan, existing, player)]),
    },
    {
      table: 'user_contacts',
      columns: ['user_id', 'email', 'phone', 'phone_verified_at'],
      rows: each((player) => [
        [
          player + 1,
          `${usernameOf(plan, player)}@example.com`,
          phoneOf(player),
          momentText(registeredAt(plan, player)),
        ],
      ]),
    },
    {
      table: 'consent',
      columns: ['id', 'user_id', 'subject', 'version', 'is_given', 'source', 'at'],
      rows: each((player) =>
        ['terms', 'privacy'].map((subject, index) => {
          const at = momentText(registeredAt(plan, player))
          return [2 * player + index + 1, player + 1, subject, 1, true, 'registration', at]
        }),
      ),
    },
  ]
}

function signInTables(plan: Plan, each: Each): TableRows[] {
  return [
    {
      table: 'sessions',
      columns: `id user_id token_hash created_at last_used_at expires_at user_agent place`.split(' '),
      rows: each((player) => {
        const [begun, used] = [registeredAt(plan, player), momentOf(plan, player, plan.entries - 1)]
        const hash = bytesOf(plan, `session ${player}`)
        const moments = [begun, used, used + 30 * DAY_MS].map(momentText)
        return [[player + 1, player + 1, hash, ...moments, AGENT, 'VN']]
      }),
    },
    {
      table: 'sign_in',
      columns: ['id', 'user_id', 'at', 'outcome', 'user_agent', 'place', 'origin_hash', 'is_new_device'],
      rows: each((player) => {
        const at = momentText(registeredAt(plan, player))
        const hash = bytesOf(plan, `origin ${player}`)
        return [[player + 1, player + 1, at, 'succeeded', AGENT, 'VN', hash, false]]
      }),
    },
  ]
}

const BROWSERS_EACH = 10

/** One notice for each player, every other one unread; one player in ten is told on a device and by a daily mail. */
function noticeTables(plan: Plan, each: Each): TableRows[] {
  const toldAt = (player: number) => momentText(momentOf(plan, player, plan.entries - 1))
  const some: Each = (row) => each((player) => (player % BROWSERS_EACH === 0 ? row(player) : []))
  return [
    {
      table: 'notice',
      columns: ['id', 'user_id', 'kind', 'subject', 'data', 'created_at', 'read_at'],
      rows: each((player) => {
        const data = { event: 'recharge-credited', coins: 20_000, bonus: 0, paid: 0, code: null }
        const at = toldAt(player)
        const read = player % 2 === 0 ? at : null
        return [[player + 1, player + 1, 'recharge', `filled ${player}`, JSON.stringify(data), at, read]]
      }),
    },
    {
      table: 'push_subscription',
      columns: ['id', 'user_id', 'session_id', 'endpoint', 'p256dh', 'auth'],
      rows: some((player) => {
        // No push service is called: it is forgotten when there is something to send.
        const endpoint = `http://127.0.0.1/filled/${player}`
        return [[player + 1, player + 1, player + 1, endpoint, 'A'.repeat(87), 'A'.repeat(22)]]
      }),
    },
    {
      table: 'notice_digest',
      columns: ['user_id', 'made_on', 'told_until'],
      rows: some((player) => [[player + 1, toldAt(player).slice(0, 10), player + 1]]),
    },
  ]
}

const activationTable = (plan: Plan, existing: Existing): TableRows => ({
  table: 'activation',
  columns: ['user_id', 'transfer_id', 'fee', 'activated_at'],
  *rows() {
    for (const { kind, id, user, at } of history(plan, existing))
      if (kind === 'activation') yield [user, id, ACTIVATION_FEE, momentText(at)]
  },
})

/** One in ten was brought by an earlier player, one in five hundred may not trade. */
function userRow(plan: Plan, { servers, passwordHash }: Existing, player: number): Value[] {
  const chance = pseudoRandom(plan, player, 904)
  const referrer = player > 0 && chance % 10 === 0 ? 1 + (chance % player) : null
  const isBanned = chance % 500 === 7
  return [
    player + 1,
    usernameOf(plan, player),
    passwordHash,
    oneOf(servers, player),
    player + 1,
    momentText(registeredAt(plan, player)),
    referrer,
    isBanned ? momentText(plan.now.getTime() + 30 * DAY_MS) : null,
    isBanned ? 'Gian lận' : null,
  ]
}

/** One character for each player, in the embedded game and as the portal last saw it. */
export function gameTables(plan: Plan, { servers }: Existing): TableRows[] {
  const each = (row: (player: number) => Value[]): (() => Iterable<Value[]>) =>
    function* () {
      for (let player = 0; player < plan.players; player++) yield row(player)
    }
  const appearance = (player: number) => {
    const chance = pseudoRandom(plan, player, 905)
    const classId = chance % 7
    return { classId, head: 1 + classId, level: 1 + Math.floor(Math.sqrt((chance >>> 4) % 40_000) * 0.7) }
  }
  return [
    {
      table: 'game.characters',
      columns: `id server_id account name head class_id level luong yen created_at`.split(' '),
      rows: each((player) => {
        const { classId, head, level } = appearance(player)
        const purse = [
          pseudoRandom(plan, player, 906) % 100_000,
          pseudoRandom(plan, player, 907) % 1_000_000_000,
        ]
        const who = [oneOf(servers, player), usernameOf(plan, player), characterNameOf(plan, player)]
        return [player + 1, ...who, head, classId, level, ...purse, momentText(momentOf(plan, player, 0))]
      }),
    },
    {
      table: 'game_character',
      columns: ['user_id', 'id', 'server_id', 'name', 'head', 'class_id', 'level'],
      rows: each((player) => {
        const { classId, head, level } = appearance(player)
        const name = characterNameOf(plan, player)
        return [player + 1, String(player + 1), oneOf(servers, player), name, head, classId, level]
      }),
    },
    {
      table: 'game_character_fetch',
      columns: ['user_id', 'fetched_at'],
      rows: each((player) => [player + 1, momentText(momentOf(plan, player, plan.entries - 1))]),
    },
  ]
}
