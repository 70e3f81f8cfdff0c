import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { openAccounts } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { runningBatch } from '#tests/support/gift-codes.ts'
import { anAddress } from '#tests/support/players.ts'
import { runningPromotion } from '#tests/support/promotions.ts'
import { aTaker } from '#tests/support/rewards.ts'
import { countCampaigns } from './campaigns.service.ts'
import { computeStatistics } from './statistics.service.ts'

const portal = useTestApp()
const { owner, editor } = useOperators(portal, { owner: 'owner', editor: 'editor' })

const read = (address: string, by = owner) =>
  portal.call('GET', `/api/operator/campaign-reports/${address}`, { token: by.token })

async function count(): Promise<void> {
  await asOwner(portal, 'TRUNCATE campaign_report, campaign_report_day')
  while (await computeStatistics({ ...portal.deps, now: new Date() }));
  while (await countCampaigns(portal.deps));
}

beforeAll(() => openAccounts(portal))

test('goods of codes count once the game has taken them in, and not when it refused them', async () => {
  const { id, codes } = await runningBatch(portal, { coins: null, goods: [{ kind: 'luong', quantity: 300 }] })
  for (const state of ['delivered', 'delivered', 'pending', 'refunded']) {
    const { player, character } = await aTaker(portal)
    const { body } = await portal.call('POST', '/api/gift-codes/redeem', {
      token: player.token,
      from: anAddress(),
      body: { code: codes[0], character_id: character },
    })
    await asOwner(
      portal,
      `UPDATE delivery SET state = $2, settled_at = CASE WHEN $2 <> 'pending' THEN now() END WHERE id = $1`,
      [body.delivery.id, state],
    )
  }
  await count()
  const { report, title } = (await read(`gift-codes/${id}`)).body
  expect(title).toMatch(/^Tết/)
  expect(report).toMatchObject({
    players: 4,
    given: 0,
    goods: [{ kind: 'luong', quantity: 600 }],
    goods_waiting: [{ kind: 'luong', quantity: 300 }],
  })
  expect(report.cost_vnd).toBeGreaterThan(0)
})

test('a campaign that is planned, or stopped before it began, has no report', async () => {
  const { id } = await runningPromotion(portal, { startsIn: 3_600, endsIn: 7_200 })
  await count()
  expect(await read(`promotions/${id}`)).toMatchObject({ status: 200, body: { id, report: null } })
  await asOwner(
    portal,
    `UPDATE promotion SET state = 'stopped', stopped_at = now(), stopped_by = made_by WHERE id = $1`,
    [id],
  )
  await count()
  expect((await read(`promotions/${id}`)).body.report).toBeNull()
})

test('a campaign that nobody took part in has a report of zero', async () => {
  const { id } = await runningPromotion(portal)
  await count()
  expect((await read(`promotions/${id}`)).body.report).toMatchObject({ players: 0, brought: 0, cost_vnd: 0 })
})

test('is counted anew an hour later, and no more a month after its end', async () => {
  const { id } = await runningPromotion(portal)
  await count()
  const countedUntil = async () => (await read(`promotions/${id}`)).body.report.counted_until
  const age = (interval: string) =>
    asOwner(portal, 'UPDATE campaign_report SET counted_until = counted_until - $1::interval', [interval])
  const first = await countedUntil()
  await age('59 minutes')
  expect(await countCampaigns(portal.deps)).toBe(false)
  await age('2 minutes')
  while (await countCampaigns(portal.deps));
  expect(await countedUntil()).toBe(first)
  await asOwner(
    portal,
    `UPDATE promotion SET starts_at = now() - interval '90 days', started_at = now() - interval '90 days', ends_at = now() - interval '40 days'
      WHERE id = $1`,
    [id],
  )
  await age('2 hours')
  const before = await countedUntil()
  while (await countCampaigns(portal.deps));
  expect(await countedUntil()).toBe(before)
})

test.each([
  ['promotions/999999', 404],
  ['invitations/2001-01', 404],
  ['invitations/2026-13', 422],
  ['holidays/1', 422],
  ['promotions/x', 422],
])('%s is refused with %d', async (address, status) => {
  expect((await read(address)).status).toBe(status)
  expect((await read(`${address}.csv`)).status).toBe(status)
})

test('the same figures are a file, whose download leaves a row, for those who may see figures', async () => {
  const { id } = await runningPromotion(portal)
  await count()
  const address = `promotions/${id}.csv`
  expect((await read(address, editor)).status).toBe(403)
  const { status, body: text } = await read(address)
  expect(status).toBe(200)
  expect(text).toContain('Số liệu,Chiến dịch,Kỳ trước')
  expect(text).toContain('Người tham gia nạp (VND),0,0')
  const rows = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('action', '=', 'campaign-reports.export')
    .execute()
  expect(rows).toEqual([
    { action: 'campaign-reports.export', details: { filter: { kind: 'promotions', id } } },
  ])
})
