import { sql } from 'kysely'
import type { Thing } from '#contract/operator/audit-sentences/parts.ts'
import { formatNumber } from '#contract/format.ts'
import type { Db } from '#server/platform/db/database.ts'

type Named = { id: string; name: string }

type Kind = {
  /** What an id of this kind looks like; rows of older programs may name others. */
  ids: RegExp
  read(db: Db, ids: readonly string[]): Promise<Named[]>
}

const NUMBER = /^[1-9]\d{0,17}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORT = /^.{1,16}$/s

/** By what things are named in sentences of the trail; each kind is one statement by its key. */
const KINDS: Readonly<Record<string, Kind>> = {
  user: {
    ids: NUMBER,
    read: (db, ids) =>
      db.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute(),
  },
  server: {
    ids: SHORT,
    read: (db, ids) => db.selectFrom('servers').select(['id', 'name']).where('id', 'in', ids).execute(),
  },
  'ranking-group': {
    ids: NUMBER,
    read: (db, ids) =>
      db.selectFrom('ranking_groups').select(['id', 'name']).where('id', 'in', ids).execute(),
  },
  post: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('posts').select(['id', 'title']).where('id', 'in', ids).execute()).map(quoted),
  },
  category: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('categories').select(['id', 'title']).where('id', 'in', ids).execute()).map(
        quoted,
      ),
  },
  picture: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('picture').select(['id', 'alt as title']).where('id', 'in', ids).execute()).map(
        quoted,
      ),
  },
  tournament: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db.selectFrom('tournaments').select(['id', 'name as title']).where('id', 'in', ids).execute()
      ).map(quoted),
  },
  team: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('teams').select(['id', 'name']).where('id', 'in', ids).execute()).map(
        ({ id, name }) => ({ id, name: `đội ${name}` }),
      ),
  },
  delivery: {
    ids: UUID,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('delivery')
          .select(['id', 'amount', 'character_name'])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, amount, character_name }) => ({
        id,
        name: `lượt giao ${formatNumber(BigInt(amount))} TCoin cho nhân vật ${character_name}`,
      })),
  },
  bank_transaction: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('bank_transaction')
          .select(['id', 'amount', 'bank_ref'])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, amount, bank_ref }) => ({
        id,
        name: `khoản chuyển ${formatNumber(BigInt(amount))} đ${bank_ref === null ? ` số ${id}` : ` (mã ${bank_ref})`}`,
      })),
  },
  payment_event: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('payment_event')
          .select(['id', 'amount', 'provider'])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, amount, provider }) => ({
        id,
        name: `thông báo ${formatNumber(BigInt(amount))} đ của ${provider}`,
      })),
  },
  daily_close: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('daily_close')
          .select(['id', 'account_number', sql<string>`to_char(day, 'DD/MM/YYYY')`.as('day')])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, day, account_number }) => ({
        id,
        name: `ngày ${day} của tài khoản ${account_number}`,
      })),
  },
}

const quoted = ({ id, title }: { id: string; title: string }): Named => ({ id, name: `“${title}”` })

/** Far more than a page of sentences names; what is beyond is shown by its number. */
const NAMES_MAX = 1_000

const keyOf = ({ type, id }: Thing): string => `${type} ${id}`

/** The present names of things, by one statement for each kind that is there. */
export async function readNames(
  db: Db,
  things: readonly Thing[],
): Promise<(thing: Thing) => string | undefined> {
  const names = new Map<string, string>()
  for (const [type, ofKind] of Map.groupBy(things, (thing) => thing.type)) {
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
    if (kind === undefined) continue
    const ids = [...new Set(ofKind.map(({ id }) => id))].filter((id) => kind.ids.test(id)).slice(0, NAMES_MAX)
    if (ids.length === 0) continue
    for (const { id, name } of await kind.read(db, ids)) names.set(keyOf({ type, id }), name)
  }
  return (thing) => names.get(keyOf(thing))
}
