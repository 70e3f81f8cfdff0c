import * as z from 'zod/mini'
import { boardCounts } from '#contract/game/board-counts.ts'
import { gameLimits } from '#contract/game/limits.ts'
import { APPLIED, luong, NOBODY, patternsFor, RANKED_MAX, to } from './bridge-rules.ts'
import { expectAnswer, NotObservable, type Rule } from './rule.ts'
import { send, type WireSubject } from './wire-rules.ts'

const text = z.string().check(z.minLength(1), z.maxLength(64))
const level = z.nullable(z.int())
const character = z.object({ id: text, name: text, head: z.int(), class_id: z.int(), level })
const ranked = z.object({ name: text, class_id: z.int(), level, value: z.int(), account: text })

/** No username of the portal has a hyphen, so the portal's own news about accounts are not touched. */
const ACCOUNT = 'hop-dong-thu'
const SIGN_OF_LIFE_MS = 60_000

async function get(subject: WireSubject, path: string) {
  const answer = await send(subject, { method: 'GET', path })
  if (answer.status !== 200) throw new Error(`GET ${path}: HTTP ${answer.status} instead of 200`)
  return answer.body as unknown
}

function expectRows(what: string, schema: z.ZodMiniType, rows: unknown): void {
  for (const [index, row] of z.array(z.unknown()).parse(rows).entries()) {
    const { success, error } = z.safeParse(schema, row)
    const [issue] = error?.issues ?? []
    if (!success) throw new Error(`${what}, row ${index + 1}: ${issue?.path.join('.')}: ${issue?.message}`)
  }
}

/** A game that keeps no accounts says so in these words, and in no others: a 404 is anybody's. */
const isNotKept = ({ status, body }: { status: number; body: unknown }) =>
  status === 200 && JSON.stringify(body) === JSON.stringify({ status: 'not-kept' })

function expectPast(name: string, time: Date | string | null | undefined): void {
  if (time === null || time === undefined) return
  if (new Date(time).getTime() > Date.now() + SIGN_OF_LIFE_MS)
    throw new Error(`${name} is yet to come: ${new Date(time).toISOString()}`)
}

function accountBody(version: number): string {
  const account = { account: ACCOUNT, activated: true, banned_until: null, password_changed_at: null }
  return JSON.stringify({ ...account, version })
}

/** Whether or not it is collected by now, what was applied is in the ranking. */
async function expectWaitingCounts(subject: WireSubject): Promise<void> {
  const before = await subject.luong()
  if (before === null) throw new NotObservable('the character is in no luong ranking')
  expectAnswer('the delivery', await subject.game.deliver(to(subject, luong(1))), APPLIED)
  const after = await subject.luong()
  if (after !== before + 1)
    throw new Error(`counts.luong.waiting: the ranking went from ${before} to ${after} instead of by 1`)
}

/** What the game says about itself and its accounts, and that its lists can be read whole. */
export const DESCRIPTION_RULES: Rule<WireSubject>[] = [
  {
    name: 'gives lists whose every row can be read',
    async check(subject) {
      const query = `server_id=${encodeURIComponent(subject.serverId)}`
      const characters = await get(subject, `/v1/characters?${query}&account=${subject.account}`)
      expectRows('the characters', character, characters)
      const boards = (await subject.game.describeGame?.({ accountsUntil: null }))?.boards
      for (const board of boards ?? ['level', 'yen', 'luong']) {
        expectRows(`the ranking ${board}`, ranked, await get(subject, `/v1/rankings/${board}?${query}`))
      }
    },
  },
  {
    name: 'says what it has, and when it last collected',
    async check(subject) {
      const described = await subject.game.describeGame?.({ accountsUntil: new Date() })
      if (!described) throw new NotObservable('the game does not have GET /v1/game')
      const { servers, boards, collectorSeenAt, half_lock_seen_at: halfLock } = described
      if (!servers.some(({ id }) => id === subject.serverId))
        throw new Error(`server ${subject.serverId} is not among its servers`)
      for (const board of boards) await subject.game.rankings(board, { serverId: subject.serverId, limit: 1 })
      const ageMs = collectorSeenAt === null ? Infinity : Date.now() - collectorSeenAt.getTime()
      if (ageMs > SIGN_OF_LIFE_MS)
        throw new Error(
          `the last sign of life of what collects is ${collectorSeenAt?.toISOString() ?? 'missing'}`,
        )
      // Of a game that takes its local time for UTC, whose silence would be seen hours too late.
      expectPast('the last sign of life of what collects', collectorSeenAt)
      expectPast('half_lock_seen_at', halfLock)
    },
  },
  {
    name: 'says its limits of names and passwords so that they can be read',
    async check(subject) {
      const { status, body } = await send(subject, { method: 'GET', path: '/v1/game' })
      if (status === 404) throw new NotObservable('the game does not have GET /v1/game')
      const { limits } = body as { limits?: unknown }
      const { success, error } = z.safeParse(z.optional(gameLimits), limits)
      const [issue] = error?.issues ?? []
      if (!success) throw new Error(`limits.${issue?.path.join('.')}: ${issue?.message}`)
    },
  },
  {
    name: 'names heads that it has',
    async check(subject) {
      const described = await send(subject, { method: 'GET', path: '/v1/game' })
      if (described.status === 404) throw new NotObservable('the game does not have GET /v1/game')
      const { heads, head_names: names = {} } = described.body as { heads: number[]; head_names?: unknown }
      for (const [head, name] of Object.entries(z.record(z.string(), text).parse(names)))
        if (!heads.includes(Number(head)))
          throw new Error(`head_names.${head}: ${name} is not among the heads`)
    },
  },
  {
    name: 'says of its boards what they count, and counts it',
    async check(subject) {
      const { status, body } = await send(subject, { method: 'GET', path: '/v1/game' })
      if (status === 404) throw new NotObservable('the game does not have GET /v1/game')
      const { boards, counts } = body as { boards: string[]; counts?: unknown }
      const { data, error } = z.safeParse(z.optional(boardCounts), counts)
      const [issue] = error?.issues ?? []
      if (issue !== undefined) throw new Error(`counts.${issue.path.join('.')}: ${issue.message}`)
      for (const board of Object.keys(data ?? {}))
        if (!boards.includes(board)) throw new Error(`counts.${board}: there is no such board`)
      if (data?.luong === undefined)
        throw new NotObservable('the game does not say what its luong board counts')
      const { serverId } = subject
      const rows = await subject.game.rankings('luong', { serverId, limit: RANKED_MAX })
      const accounts = rows.map(({ account }) => account)
      const twice = accounts.find((account, index) => accounts.indexOf(account) !== index)
      if (data.luong.of === 'account' && twice !== undefined)
        throw new Error(`counts.luong.of: account, and ${twice} is ranked twice`)
      if (data.luong.waiting) await expectWaitingCounts(subject)
    },
  },
  {
    name: 'says whether it keeps accounts',
    async check(subject) {
      const path = `/v1/accounts/${ACCOUNT}`
      const asked = await send(subject, { method: 'GET', path })
      const isKept = (await subject.game.isAccountKnown?.(ACCOUNT)) !== null
      expectAnswer('its content type', /^application\/json *(;|$)/i.test(asked.type), true)
      const told = await send(subject, { method: 'PUT', path, body: accountBody(Date.now()) })
      expectAnswer('a change', [told.status, told.body], [200, { status: isKept ? 'stored' : 'not-kept' }])
    },
  },
  {
    name: 'stores what it is told about an account, and nothing older afterwards',
    async check(subject) {
      const path = `/v1/accounts/${ACCOUNT}`
      const version = Date.now()
      for (const sent of [version, version, version - 1]) {
        const answer = await send(subject, { method: 'PUT', path, body: accountBody(sent) })
        if (isNotKept(answer)) throw new NotObservable('the game keeps no accounts')
        expectAnswer('a change', [answer.status, answer.body], [200, { status: 'stored' }])
        const { version: stored } = (await get(subject, path)) as { version?: unknown }
        expectAnswer(`the stored version after ${sent}`, stored, version)
      }
    },
  },
  {
    name: 'knows its own accounts, whatever the case, and no others',
    async check({ game, account }) {
      const isKnown = await game.isAccountKnown?.(account)
      if (isKnown === null || isKnown === undefined) throw new NotObservable('the game keeps no accounts')
      expectAnswer('the tested account', isKnown, true)
      expectAnswer('the same in capitals', await game.isAccountKnown?.(account.toUpperCase()), true)
      for (const nobody of [NOBODY, ...patternsFor(account)])
        expectAnswer(`${nobody}, which nobody has`, await game.isAccountKnown?.(nobody), false)
    },
  },
]
