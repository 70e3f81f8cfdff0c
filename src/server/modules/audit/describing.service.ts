import { describeAct } from '#contract/operator/audit-sentences.ts'
import type { AuditedAct } from '#contract/operator/audit-sentences/audited-act.ts'
import type { DescribedAct, Thing } from '#contract/operator/audit-sentences/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { readNames } from './names.queries.ts'

/** Acts in words, with the present names of what they are about: read for all of them together. */
export async function describeActs<Act extends AuditedAct>(
  db: Db,
  acts: readonly Act[],
): Promise<(Act & DescribedAct)[]> {
  const things: Thing[] = []
  for (const act of acts)
    describeAct(act, (thing) => {
      things.push(thing)
      return undefined
    })
  const nameOf = await readNames(db, things)
  return acts.map((act) => ({ ...act, ...describeAct(act, nameOf) }))
}
