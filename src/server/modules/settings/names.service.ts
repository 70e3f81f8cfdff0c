import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import {
  type GameName,
  GAME_NAME_KINDS,
  type NewGameName,
  type operatorGameNames,
} from '#contract/operator/game/names.ts'
import type { operatorGoods } from '#contract/operator/rewards/catalogue.ts'
import { actAsOperator, type Recorded } from '#server/modules/audit/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { findCatalogue } from '#server/domain/goods-catalogue.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { conflict, invalidField } from '#server/platform/values/errors.ts'
import {
  countNames,
  deleteNames,
  insertNames,
  lockNames,
  selectDescribed,
  selectNames,
  selectUsed,
  upsertNames,
} from './names.queries.ts'
import { fits, idOf, inOrder, listedNames } from './names.rules.ts'

/** More than a game may describe; every process has all of them in memory. */
const NAMES_MAX = 20_000

const readAll = async (db: Db | Tx): Promise<GameName[]> =>
  listedNames({
    described: await selectDescribed(db),
    used: await selectUsed(db),
    stored: await selectNames(db),
  })

/** What the game takes, each item by the name that players read. */
export async function readGoods(db: Db): Promise<AnswerOf<typeof operatorGoods.read>> {
  const catalogue = await findCatalogue(db, null)
  if (catalogue === null) return { catalogue }
  const names = await readGameNames(db)
  const items = catalogue.items.map((item) => ({ ...item, name: names.itemName(item.code) ?? item.name }))
  return { catalogue: { ...catalogue, items } }
}

type Filter = NonNullable<QueryOf<typeof operatorGameNames.list>['filter']>

export async function listGameNames(
  db: Db,
  filter: Filter,
  { order, from, to }: ListPage,
): Promise<ListRows<GameName>> {
  const rows = (await readAll(db)).filter(fits(filter)).toSorted(inOrder(order))
  return { total: rows.length, rows: rows.slice(from, to + 1) }
}

const outdated = (names: readonly GameName[]) =>
  conflict('Người khác vừa đổi tên này. Hãy xem tên hiện tại rồi lưu lại', { names })

const tooMany = () => invalidField('names', `Cổng chỉ giữ được ${NAMES_MAX} tên`)

type Call = UserCall<typeof operatorGameNames.update>
type Change = { given: NewGameName; before: GameName | undefined }

/** Sets or removes names, all or none; refuses what was changed by others since it was read. */
export const changeGameNames = (deps: PlatformDeps, call: Call) =>
  actAsOperator<AnswerOf<typeof operatorGameNames.update>>(deps, call, {
    action: 'game-names.update',
    async work(tx) {
      await lockNames(tx)
      const changes = await changesIn(tx, call.body.names)
      if (changes.length > 0) {
        await store(tx, changes)
        await contentChanges(tx, 'game-names')
      }
      const ids = call.body.names.map(idOf)
      return {
        answer: { names: (await readAll(tx)).filter(({ id }) => ids.includes(id)) },
        audit: recorded(changes),
      }
    },
  })

/** A name that is set already is no change. */
async function changesIn(tx: Tx, names: readonly NewGameName[]): Promise<Change[]> {
  const stored = listedNames({ described: [], used: [], stored: await selectNames(tx) })
  const present = new Map(stored.map((row) => [row.id, row]))
  const compared = names.map((given) => ({ given, before: present.get(idOf(given)) }))
  const isOutdated = compared.some(
    ({ given, before }) => momentOf(given.updated_at) !== momentOf(before?.updated_at ?? null),
  )
  if (isOutdated) throw outdated(compared.flatMap(({ before }) => before ?? []))
  return compared.filter(
    ({ given, before }) =>
      given.name !== (before?.name ?? null) || given.short_name !== (before?.short_name ?? null),
  )
}

const momentOf = (text: string | null) => (text === null ? null : Date.parse(text))

async function store(tx: Tx, changes: readonly Change[]): Promise<void> {
  const names = changes.map(({ given: { kind, code, name, short_name } }) => ({
    kind,
    code,
    name,
    short_name,
  }))
  await deleteNames(
    tx,
    names.filter(({ name }) => name === null),
  )
  await upsertNames(
    tx,
    names.flatMap(({ name, ...rest }) => (name === null ? [] : [{ ...rest, name }])),
  )
  if ((await countNames(tx)) > NAMES_MAX) throw tooMany()
}

type Name = { name: string | null; short_name: string | null } | undefined

const asRecorded = (named: Name) =>
  named === undefined || named.name === null ? null : { name: named.name, short_name: named.short_name }

/** One row for each kind. */
const recorded = (changes: readonly Change[]): Recorded[] =>
  GAME_NAME_KINDS.flatMap((kind) => {
    const ofKind = changes.filter(({ given }) => given.kind === kind)
    if (ofKind.length === 0) return []
    const changed = ofKind.map(({ given, before }) => ({
      code: given.code,
      before: asRecorded(before),
      after: asRecorded(given),
    }))
    return [{ subject: { type: 'game-name', id: kind }, details: { changes: changed } }]
  })

/** The names of a demo; a code that has a name is left as it is. */
export async function insertMissingNames(
  tx: Tx,
  names: readonly Pick<GameName & { name: string }, 'kind' | 'code' | 'name'>[],
): Promise<void> {
  await insertNames(tx, names)
  await contentChanges(tx, 'game-names')
}
