import { asOwner } from '#server/platform/db/owner.ts'

/** The address of the database for workers, whose connections say by a setting what they are. */
export function ofWorkers(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.searchParams.set('options', '-c torture.is_worker=on')
  return url.href
}

/**
 * From now on the database records each outcome that a worker writes while nobody holds the delivery: what it was answered
 * after its lease had run out, or what its successor writes after that. The ledger's keys and the game's ids keep such a
 * write from doing harm, so nothing else in a run shows that the lease is not looked at. Operators need none.
 */
export const watchLeases = (ownerUrl: string): Promise<unknown> =>
  asOwner(ownerUrl, (client) =>
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

export const countWithoutLease = (ownerUrl: string): Promise<number> =>
  asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) AS count FROM outcome_without_lease',
    )
    return Number(rows[0]?.count)
  })
