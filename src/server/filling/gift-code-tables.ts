import type { Vault } from '../platform/db/vault.ts'
import { HASH_PURPOSE, makeGiftCode } from '../modules/gift-codes/index.ts'
import type { TableRows } from './copying.ts'
import { momentText, pseudoRandom, SPAN_MS, type Existing, type Plan } from './plan.ts'

const BATCH_CODES = 10_000
/** Enough for every call of a growth figure. */
const CODES_MIN = 1_000

/** One for each ten players. */
const countOf = ({ players }: Pick<Plan, 'players'>): number => Math.max(CODES_MIN, Math.floor(players / 10))

/** The code with this number; nobody has used it. */
export function giftCodeOf(plan: Pick<Plan, 'seed'>, code: number): string {
  let letter = 0
  return makeGiftCode((max) => pseudoRandom(plan, code, 950 + letter++) % max)
}

/** By what the portal knows the codes. */
export const giftCodeHashes = (vault: Vault, plan: Pick<Plan, 'seed' | 'players'>): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: countOf(plan) }, (_, code) => vault.hash(HASH_PURPOSE, giftCodeOf(plan, code))),
  )

/** Batches of goods, of whose codes each is for one player. */
export function giftCodeTables(plan: Plan, { codeHashes }: Existing): TableRows[] {
  const { now } = plan
  const batchOf = (code: number) => 1 + Math.floor(code / BATCH_CODES)
  const started = momentText(now.getTime() - SPAN_MS / 2)
  return [
    {
      table: 'gift_code_batch',
      columns:
        'id title goods starts_at ends_at codes uses_per_code per_player state started_at made_by'.split(' '),
      *rows() {
        for (let first = 0; first < codeHashes.length; first += BATCH_CODES) {
          const codes = Math.min(BATCH_CODES, codeHashes.length - first)
          const ends = momentText(now.getTime() + SPAN_MS * 50)
          const goods = JSON.stringify([{ kind: 'luong', quantity: 100 }])
          const title = `Mã sự kiện ${batchOf(first)}`
          yield [batchOf(first), title, goods, started, ends, codes, 1, 100, 'running', started, 1]
        }
      },
    },
    {
      table: 'gift_code',
      columns: ['id', 'hash', 'batch_id', 'uses_max'],
      *rows() {
        for (const [code, hash] of codeHashes.entries())
          yield [code + 1, `\\x${hash.toString('hex')}`, batchOf(code), 1]
      },
    },
  ]
}
