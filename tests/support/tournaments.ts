import type { Db } from '#server/platform/db/database.ts'

/** A tournament that players can see, past the console; answers its id. */
export async function aTournament({ db }: { db: Db }, name: string): Promise<string> {
  const { id } = await db
    .insertInto('tournaments')
    .values({
      name,
      registration_start_at: '2026-01-01',
      competition_start_at: '2026-01-02',
      mode: 0,
      type: 1,
      max_round: 3,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
