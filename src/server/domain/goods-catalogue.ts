import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import { type GoodsCatalogue, whyNotTaken } from '#contract/operator/rewards/catalogue.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'

/**
 * What the game said last that it takes, of these codes only or of all, as a value of another statement; null while it has not
 * said it.
 */
export const catalogueOf = (codes: readonly string[] | null) => sql<GoodsCatalogue | null>`(
  SELECT jsonb_build_object('max', description -> 'max', 'items', (
           SELECT coalesce(jsonb_agg(item), '[]') FROM jsonb_array_elements(description -> 'items') item
            WHERE ${codes}::text[] IS NULL OR item ->> 'code' = ANY (${codes}::text[])))
    FROM game_description WHERE description ? 'items' AND description ? 'max')`

export async function findCatalogue(
  db: Db | Tx,
  codes: readonly string[] | null,
): Promise<GoodsCatalogue | null> {
  const { rows } = await sql<{ catalogue: GoodsCatalogue | null }>`
    SELECT ${catalogueOf(codes)} AS catalogue`.execute(db)
  return rows[0]?.catalogue ?? null
}

export const codesOf = (goods: readonly Good[]): string[] => goods.flatMap(({ code }) => code ?? [])

/** Why goods may not be planned: the game has said that it would not take them. */
export async function whyNotPlanned(
  db: Db | Tx,
  given: readonly (readonly Good[])[],
): Promise<string | null> {
  const catalogue = await findCatalogue(db, given.flatMap(codesOf))
  if (catalogue === null) return null
  return given.map((goods) => whyNotTaken(catalogue, goods)).find((why) => why !== null) ?? null
}

const UNKNOWN =
  'Game chưa cho cổng biết danh sách vật phẩm, nên chưa chạy được quà có vật phẩm. Hãy xem kết nối với game rồi thử lại'

/** Why goods may not be promised to players yet: as a plan, and items only once the game has said what it has. */
export async function whyNotPromised(
  db: Db | Tx,
  given: readonly (readonly Good[])[],
): Promise<string | null> {
  const codes = given.flatMap(codesOf)
  if (codes.length > 0 && (await findCatalogue(db, [])) === null) return UNKNOWN
  return whyNotPlanned(db, given)
}

/**
 * Refuses goods that the game would not take, before anything of the player is used up: a delivery of them would wait in the
 * game for good. The alarm `untakable-goods` rings as long as such goods are promised.
 */
export function assertTaken(catalogue: GoodsCatalogue | null, goods: readonly Good[]): void {
  if (catalogue !== null && whyNotTaken(catalogue, goods) !== null) throw new Refusal('GOODS_UNAVAILABLE')
}

type Given = readonly { goods: readonly Good[]; times: number }[]

/** Loads are counted in millionths, so that many small quantities are no fractions. */
export const LOAD = 1_000_000n

/**
 * What goods come to for limits: their luong, and of items and yen how many times the most that the game takes of each at once, in
 * millionths. Where that is not known each piece counts, as of an item that the game takes one of.
 */
export function amountOf(catalogue: GoodsCatalogue | null, given: Given): { luong: bigint; loads: bigint } {
  const amount = { luong: 0n, loads: 0n }
  for (const { goods, times } of given)
    for (const { kind, code, quantity } of goods) {
      const item = catalogue?.items.find((one) => one.code === code)
      const most = BigInt(Math.max(1, (kind === 'yen' ? catalogue?.max.yen : item?.max) ?? 1))
      if (kind === 'luong') amount.luong += BigInt(quantity) * BigInt(times)
      else amount.loads += ((BigInt(quantity) * LOAD + most - 1n) / most) * BigInt(times)
    }
  return amount
}

export const goodsAmount = async (db: Db | Tx, given: Given) =>
  amountOf(
    await findCatalogue(
      db,
      given.flatMap(({ goods }) => codesOf(goods)),
    ),
    given,
  )
