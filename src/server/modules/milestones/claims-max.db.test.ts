import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { anOrder } from '#tests/support/bank.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import type { TestPlayer } from '#tests/support/players.ts'
import { aTaker, runningMilestones } from '#tests/support/rewards.ts'

const desk = useCashDesk()
afterEach(() => expectReconciled(desk.portal))

const take = ({ token }: TestPlayer, step: string, character: string) =>
  desk.portal.call('POST', `/api/milestones/${step}/claim`, {
    token,
    key: randomUUID(),
    body: { character_id: character },
  })

async function recharges(player: TestPlayer, amount: number): Promise<void> {
  const { code } = await anOrder(desk.portal, player, { amount })
  await desk.arrives({ content: code, transferAmount: amount })
}

test('a step is for so many players as its programme says, and what they take is counted', async () => {
  const program = await runningMilestones(desk.portal, { steps: [50_000] })
  const [step = { id: '' }] = program.steps
  await asOwner(desk.portal, 'UPDATE milestone_program SET claims_max = 2 WHERE id = $1', [program.id])
  await asOwner(
    desk.portal,
    `INSERT INTO goods_promise (kind, subject, is_alone, luong, loads, ends_at)
     VALUES ('milestones', $1, false, 1000, 0, now() + interval '1 hour')`,
    [program.id],
  )
  const takers = await Promise.all(Array.from({ length: 4 }, () => aTaker(desk.portal)))
  for (const { player } of takers) await recharges(player, 50_000)
  const answers = await Promise.all(takers.map(({ player, character }) => take(player, step.id, character)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'GOODS_UNAVAILABLE',
    message: expect.stringContaining('đã hết suất'),
  })
  expect((await desk.portal.call('GET', '/api/milestones')).body.steps).toMatchObject([{ left: 0 }])
  const given = desk.portal.db
    .selectFrom('goods_promise')
    .select('given_luong')
    .where('subject', '=', program.id)
  expect(await given.where('kind', '=', 'milestones').execute()).toEqual([{ given_luong: '1000' }])
  // Whoever has it is told so, although none is left.
  const again = await Promise.all(takers.map(({ player, character }) => take(player, step.id, character)))
  expect(again.map(({ body }) => body.code).toSorted()).toEqual([
    'ALREADY_CLAIMED',
    'ALREADY_CLAIMED',
    'GOODS_UNAVAILABLE',
    'GOODS_UNAVAILABLE',
  ])
})
