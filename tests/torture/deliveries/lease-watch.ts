import { asOwner } from '#server/platform/db/owner.ts'
import type { Setup } from './setup.ts'

/** The environment of workers, whose connections say by a setting what they are. */
export function ofWorkers(environment: Setup['environment']): Setup['environment'] {
  const url = new URL(environment.DATABASE_URL as string)
  url.searchParams.set('options', '-c torture.is_worker=on')
  return { ...environment, DATABASE_URL: url.href }
}

/**
 * From now on the database records each outcome that a worker writes while nobody holds the delivery: what it was answered
 * after its lease had run out, or what its successor writes after that. The ledger's keys and the game's ids keep such a
 * write from doing harm, so nothing else in a run shows that the lease is not looked at. Operators need none.
 */
export const watchLeases = ({ environment }: Setup): Promise<unknown> =>
  asOwner(environment.DATABASE_URL as string, (client) =>
    client.query(`
      CREATE TABLE outcome_without_lease (delivery_id uuid NOT NULL);
      CREATE FUNCTION record_outcome_without_lease() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      BEGIN
        INSERT INTO outcome_without_lease VALUES (NEW.id);
        RETURN NULL;
      END $$;
      CREATE TRIGGER outcome_without_lease AFTER UPDATE ON delivery FOR EACH ROW
        WHEN (current_setting('torture.is_worker', true) = 'on' AND OLD.lease_token IS NULL AND NEW.lease_token IS NULL
          AND (OLD.state, OLD.last_error, OLD.next_attempt_at) IS DISTINCT FROM (NEW.state, NEW.last_error, NEW.next_attempt_at))
        EXECUTE FUNCTION record_outcome_without_lease();`),
  )

export const countWithoutLease = ({ environment }: Setup): Promise<number> =>
  asOwner(environment.DATABASE_URL as string, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) AS count FROM outcome_without_lease',
    )
    return Number(rows[0]?.count)
  })
