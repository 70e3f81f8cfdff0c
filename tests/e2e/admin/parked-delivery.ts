import type { APIRequestContext } from '@playwright/test'
import { buyLuong } from '../player/accounts.ts'
import type { Player } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'

/** Buys luong; the delivery is parked before any worker sees it. */
export async function aParkedDelivery(
  request: APIRequestContext,
  { token }: Player,
  dataDir?: string,
): Promise<string> {
  const change = (sql: string) => withDatabase((database) => database.query(sql), dataDir)
  await change(`CREATE FUNCTION park() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.state := 'parked'; RETURN NEW; END $$;
    CREATE TRIGGER park BEFORE INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION park()`)
  return buyLuong(request, token).finally(() => change('DROP TRIGGER park ON delivery; DROP FUNCTION park()'))
}
