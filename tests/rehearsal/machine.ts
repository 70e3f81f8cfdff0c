import { findJava } from '#tests/support/java.ts'
import { leaveOut } from '#tests/support/left-out.ts'
import { canHaveMariadb } from '#tests/support/mariadb.ts'

/** Null when Java and MariaDB are here or could be installed; else why not, which the run repeats in its closing lines. */
export async function whyNoRehearsal(): Promise<string | null> {
  const reason = await findJava().then(
    async () => ((await canHaveMariadb()) ? null : 'there is no MariaDB'),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (reason !== null)
    await leaveOut(`Left out: the tests of the part inside a game, which need Java and MariaDB (${reason}).`)
  return reason
}
