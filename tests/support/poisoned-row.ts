import type { Db } from '#server/platform/db/database.ts'
import { asOwner } from './databases.ts'

/**
 * From here on no statement changes this row, as when it contradicts a rule that nobody thought of; answers how that ends.
 * `key` is the column that `id` is of.
 */
export async function poison(
  portal: { ownerUrl: string },
  { table, key = 'id', id }: { table: string; key?: string; id: string },
): Promise<{ cure(): Promise<void> }> {
  const name = `poison_${table}_${id}`.replaceAll('-', '_')
  await asOwner(
    portal,
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'row ${id} is poisoned'; END $$;
     CREATE TRIGGER ${name} BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW
       WHEN (OLD.${key}::text = '${id}') EXECUTE FUNCTION ${name}()`,
  )
  return {
    async cure() {
      await asOwner(portal, `DROP TRIGGER ${name} ON ${table}; DROP FUNCTION ${name}`)
      await retryNow(portal)
    },
  }
}

/** The sentence of docs/runbooks/failed-work.md. */
export const retryNow = (portal: { ownerUrl: string }) =>
  asOwner(portal, 'UPDATE failed_work SET retry_at = now()')

/** What the alarm counts: jobs with the rows that they could not work off. */
export const failedWork = ({ db }: { db: Db }) =>
  db.selectFrom('failed_work').select(['job', 'subject', 'error']).orderBy('job').orderBy('subject').execute()
