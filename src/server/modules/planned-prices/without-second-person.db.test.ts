import { expect, test } from 'vitest'
import { startProposalJobs } from '#server/modules/proposals/index.ts'
import { startTestApp } from '#tests/support/app.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { inHours, listPlans, planPrice } from '#tests/support/settings.ts'

test('a plan of the only owner comes after the day in which others can notice it', async () => {
  const portal = await startTestApp()
  try {
    const owner = await anOperator(portal, 'owner')
    const early = await planPrice(portal, owner, { starts_at: inHours(23), ends_at: null })
    expect(early).toMatchObject({ status: 422, body: { errors: { starts_at: [expect.any(String)] } } })
    const later = await planPrice(portal, owner, { starts_at: inHours(25), ends_at: null })
    expect(later).toMatchObject({
      status: 202,
      body: { proposal: { takes_effect_at: expect.any(String) } },
    })
    await asOwner(portal, 'UPDATE proposal SET takes_effect_at = now()')
    const loops = startProposalJobs(portal.deps)
    try {
      await expect
        .poll(async () => (await listPlans(portal, owner)).body)
        .toMatchObject([{ state: 'planned', approved_by: null }])
    } finally {
      await Promise.all(loops.map((loop) => loop.stop()))
    }
  } finally {
    await portal.close()
  }
})

test('where the installation has switched it off a plan is made at once, and never two for one time', async () => {
  const portal = await startTestApp({ environment: { TWO_PEOPLE: '0' } })
  try {
    const owner = await anOperator(portal, 'owner')
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, number) => planPrice(portal, owner, { value: String(20 + number) })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect((await listPlans(portal, owner)).body).toMatchObject([
      { state: 'planned', planned_by: { id: owner.id } },
    ])
    expect(await trailRows(portal, { action: 'planned-prices.plan' })).toHaveLength(1)
  } finally {
    await portal.close()
  }
})
