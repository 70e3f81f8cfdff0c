import { anOperatorWithoutProof } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { Client, fetchOk, portalThrough } from '../harness/client.ts'
import { countsOf, type Random } from '../harness/numbers.ts'
import type { Setup } from '../torture/notices/setup.ts'
import { LIMITS } from './lanes.ts'
import type { Row } from './verification.ts'

const PAGE_ROWS = 100
/** Of the claims that a player may have open. */
const CLAIMS = 3
const PLAYERS_WHO_CLAIM = 8

type Find = { rows: readonly Row[]; searches: number; random: Random }

/** Whatever became of a notice, an operator finds it by all that it says, and a player's claim shows it. */
export async function findAll(setup: Setup, { rows, searches, random }: Find): Promise<string[]> {
  const portal = portalThrough(new Client(setup.portal.url), setup.db)
  const read = await openReading(setup, portal)
  const listed = countsOf(await listAll(read, {}))
  const missing = rows.filter(({ id }) => listed.get(id) !== 1)
  const wrong = missing.map(({ id, event_id }) => `${event_id} is listed ${listed.get(id) ?? 0} times`)
  for (let times = 0; times < Math.min(searches, rows.length); times++) {
    const row = searches >= rows.length ? (rows[times] as Row) : random.pick(rows)
    for (const filter of filtersFor(row))
      if (!(await listAll(read, filter, row.id)).includes(row.id))
        wrong.push(`${row.event_id} is not found by ${JSON.stringify(filter)}`)
  }
  return [...wrong, ...(await claimSome({ portal, read }, rows))]
}

const bareWords = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[đĐ]/g, 'd')
    .toLowerCase()
    .match(/[a-z0-9]{2,}/g)
    ?.slice(0, 3)

type Filter = Record<string, string | number>

/** The list looks at 500 rows with the words of a text: `tcx` alone, with which thousands begin, names none of them. */
const LETTERS_MIN = 8

function filtersFor({ reference, amount, account, virtual, memo }: Row): Filter[] {
  const words = bareWords(memo.slice(0, 500))?.join(' ').slice(0, 90)
  const all: Filter[] = [
    ...(reference === null ? [] : [{ q: reference.slice(0, 100) }]),
    ...(amount === '0' ? [] : [{ amount: Number(amount) }]),
    ...(account === '' ? [] : [{ account, amount: Number(amount) }]),
    ...(virtual === null ? [] : [{ account: virtual, amount: Number(amount) }]),
    ...(words === undefined || words.length < LETTERS_MIN ? [] : [{ q: words, amount: Number(amount) }]),
  ]
  return all.filter((filter) => filter.amount !== 0)
}

type Read = (path: string) => Promise<unknown>
type Portal = ReturnType<typeof portalThrough>

const READ_BY_ONE = 250

/** Several operators read in turn: each of them may read only so much in a minute. */
async function openReading({ portal: { url } }: Setup, portal: Portal): Promise<Read> {
  let [count, operator] = [0, await anOperatorWithoutProof(portal, 'owner')]
  return async (path) => {
    if (++count % READ_BY_ONE === 0) operator = await anOperatorWithoutProof(portal, 'owner')
    return (await fetchOk(url, { path, token: operator.token })).body
  }
}

/** The ids of every row of the list, page after page, or as far as the one that is looked for. */
async function listAll(read: Read, filter: Filter, wanted?: string): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const last = ids.at(-1)
    const query = new URLSearchParams({
      sort: '["id","ASC"]',
      range: JSON.stringify([0, PAGE_ROWS - 1]),
      filter: JSON.stringify(filter),
      ...(last === undefined ? {} : { after: last }),
    })
    const rows = (await read(`/api/operator/payment-events?${query}`)) as { id: string }[]
    ids.push(...rows.map(({ id }) => id))
    if (rows.length < PAGE_ROWS || (wanted !== undefined && ids.includes(wanted))) return ids
  }
}

type Desk = { portal: Portal; read: Read }

/** Claims about money that no transfer holds show the notice that told of it. */
async function claimSome({ portal, read }: Desk, rows: readonly Row[]): Promise<string[]> {
  const claimable = rows.filter(
    ({ transfer, direction, status, amount, reference }) =>
      transfer === null &&
      direction === 'in' &&
      status !== 'duplicate' &&
      /^FT\w{4,30}$/.test(reference ?? '') &&
      Number(amount) >= LIMITS.minVnd &&
      Number(amount) <= LIMITS.maxVnd,
  )
  const wrong: string[] = []
  for (let at = 0; at < PLAYERS_WHO_CLAIM; at++) {
    const some = claimable.slice(at * CLAIMS, (at + 1) * CLAIMS)
    if (some.length === 0) break
    const player = await aPlayer(portal)
    for (const { id, event_id, amount, reference, at: bookedAt } of some) {
      const claim = await aClaim(portal, player, {
        fields: {
          amount,
          bank_reference: reference ?? '',
          ...(bookedAt === null || bookedAt > new Date() ? {} : { paid_at: bookedAt.toISOString() }),
        },
      })
      const { notices } = (await read(`/api/operator/recharge-claims/${claim}`)) as {
        notices: { id: string }[]
      }
      if (!notices.some((notice) => notice.id === id)) wrong.push(`a claim does not show ${event_id}`)
    }
  }
  return wrong
}
