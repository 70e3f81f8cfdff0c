import type { APIRequestContext } from '@playwright/test'
import { expect, type Player } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'

/** Buys luong; the delivery is parked before any worker sees it. */
export async function aParkedDelivery(
  request: APIRequestContext,
  { token }: Player,
  dataDir?: string,
): Promise<string> {
  const auth = { headers: { authorization: `Bearer ${token}` } }
  const offer = (await (await request.get('/api/exchange', auth)).json()) as {
    amounts: { amount: number }[]
    characters: { id: string }[]
  }
  const change = (sql: string) => withDatabase((database) => database.query(sql), dataDir)
  await change(`CREATE FUNCTION park() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.state := 'parked'; RETURN NEW; END $$;
    CREATE TRIGGER park BEFORE INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION park()`)
  const bought = await request.post('/api/exchange/store', {
    ...auth,
    data: { amount: offer.amounts[0]?.amount, character_id: offer.characters[0]?.id },
  })
  await change('DROP TRIGGER park ON delivery; DROP FUNCTION park()')
  expect(bought.status(), await bought.text()).toBe(200)
  return ((await bought.json()) as { delivery: { id: string } }).delivery.id
}
