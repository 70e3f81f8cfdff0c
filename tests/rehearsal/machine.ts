import { findJava } from '#tests/support/java.ts'
import { leaveOut } from '#tests/support/left-out.ts'
import { canHaveMysql } from '#tests/support/mysql.ts'

/** Null when Java and a game database are here or could be installed; else why not, which the run repeats in its closing lines. */
export async function whyNoRehearsal(): Promise<string | null> {
  const reason = await findJava().then(
    async () => ((await canHaveMysql()) ? null : 'there is no game database'),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (reason !== null)
    await leaveOut(`Left out: the tests of the part inside a game, which need Java and MariaDB (${reason}).`)
  return reason
}
