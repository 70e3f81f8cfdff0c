import type { Ledger } from './ledger.ts'

/** One guard of the database, how to take it away, and what only it refuses. */
export type Guard = {
  guard: string
  /** As the owner. */
  remove: (ledger: Ledger) => Promise<unknown>
  /** Tries the wrong thing once; returns how it ended. May be tried again. */
  probe: (ledger: Ledger) => Promise<string>
  /** How the guard refuses. */
  refusal: string
  /** How the probe ends without it: `accepted`, unless another guard stands behind. */
  without?: string
}

const sql = (text: string) => (ledger: Ledger) => ledger.owner.query(text)

export const all =
  (...steps: Guard['remove'][]): Guard['remove'] =>
  async (ledger) => {
    for (const step of steps) await step(ledger)
  }

export const dropConstraint = (table: string, name: string) =>
  sql(`ALTER TABLE ${table} DROP CONSTRAINT ${name} CASCADE`)
export const dropTrigger = (table: string, name: string) => sql(`DROP TRIGGER ${name} ON ${table}`)

/** Writes ledger_post again with a piece of its text replaced; a piece that is not there is a mistake of the guard. */
export function rewritePost(piece: string | RegExp, instead: string): Guard['remove'] {
  return async (ledger) => {
    const { rows } = await ledger.owner.query<{ text: string }>(
      `SELECT pg_get_functiondef('ledger_post'::regproc) AS text`,
    )
    const before = rows[0]?.text ?? ''
    const after = before.replaceAll(piece, instead)
    if (after === before) throw new Error(`ledger_post has no ${piece}`)
    await ledger.owner.query(after)
  }
}

/** The probe with the guard in place, and without it. */
export async function takeAway(ledger: Ledger, { probe, remove }: Guard): Promise<[string, string]> {
  const guarded = await probe(ledger)
  await remove(ledger)
  return [guarded, await probe(ledger)]
}

export const expectedOf = ({ refusal, without = 'accepted' }: Guard): [string, string] => [refusal, without]
