import { join } from 'node:path'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'

/** What `docs/runbooks/restore.md` makes of the journal in this folder, by the same command's rules. */
export async function gameRecord(folder: string): Promise<string> {
  const { rows } = await readJournal(join(folder, JOURNAL_FILE))
  const lines = rows.flatMap((row) =>
    row.status !== 'applied'
      ? []
      : [
          JSON.stringify({
            id: row.id,
            account: row.delivery.account,
            character_id: row.delivery.characterId,
            goods: row.delivery.goods,
            at: row.at,
          }),
        ],
  )
  return `${lines.join('\n')}\n`
}
