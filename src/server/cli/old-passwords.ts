import { formatNumber } from '#contract/format.ts'
import { countOldPasswords, overwriteOldPasswords } from '#server/modules/account-import/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { withGameTable } from './game-table.ts'

type Print = (line: string) => void

/** Says what the game's table still has of passwords that came over, and overwrites them when told to. */
export async function printOldPasswords(
  { db }: { db: Db },
  { file, isCarriedOut }: { file: string; isCarriedOut: boolean },
  print: Print,
): Promise<void> {
  await withGameTable(file, async (source) => {
    const { found, done, stay } = await countOldPasswords(db, source)
    print(`${formatNumber(found)} accounts that came over still have their password in ${source.name}`)
    print(`${formatNumber(done)} have none there, or one that was overwritten before`)
    print(`${formatNumber(stay)} did not come over, and keep theirs`)
    if (found === 0) return
    if (!isCarriedOut) {
      print(
        `nothing was changed: with --yes each of the ${formatNumber(found)} gets a text that nobody knows. Do it when every login and every change of a password goes to the portal, and the table is backed up`,
      )
      return
    }
    const overwritten = await overwriteOldPasswords(db, source)
    print(`${formatNumber(overwritten)} passwords were overwritten`)
    if (overwritten < found)
      print(`${formatNumber(found - overwritten)} were changed meanwhile: run it again`)
  })
}
