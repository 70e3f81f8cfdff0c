import { expect, test } from 'vitest'
import { torture } from '../torture/torture.ts'

test(
  'kill -9 of portal and PostgreSQL under load loses and doubles nothing',
  { timeout: 180_000 },
  async () => {
    const report = await torture({ seed: 20_261_121, seconds: 5, kills: 2, players: 4 })
    expect(report).toMatchObject({
      lost: 0,
      doubled: 0,
      unasked: 0,
      balancesWrong: 0,
      luongWrong: 0,
      deliveriesOpen: 0,
      isClean: true,
    })
    expect(report.acknowledged).toBeGreaterThan(20)
  },
)
