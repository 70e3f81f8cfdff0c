import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { useMailingApp, useReferee } from '#tests/support/fixtures.ts'
import { oneWaits } from '#tests/support/locks.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { closeDue } from '../freeze.service.ts'
import { expireHeld } from '../places.service.ts'
import { inDays } from '../testing/referee.ts'
import { aGroupOf, type Entrant, ownTeam } from '../testing/sign-up.ts'
import { remindFollowers, remindOfCheckIn } from './reminders.service.ts'

const { portal } = useMailingApp()
const referee = useReferee(portal)

const at = (moment: Date) => ({ ...portal.deps, clock: { now: () => moment } })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
/** What a player was told of tournaments, the newest first. */
const titles = async ({ player }: Entrant) =>
  (await noticesOf(portal, player)).filter(({ kind }) => kind === 'tournament').map(({ title }) => title)

/** Cancels a tournament that `work` has found open, while it waits for its lock. */
async function cancelledDuring(id: string, work: () => Promise<unknown>): Promise<void> {
  const owner = new Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  await owner.query('BEGIN')
  await owner.query('UPDATE tournaments SET cancelled_at = now() WHERE id = $1', [id])
  const working = work()
  await oneWaits(portal.db)
  await owner.query('COMMIT')
  await working
  await owner.end()
}

describe('a cancelled tournament', () => {
  const aHeldPlace = async () => {
    const { id, captain } = await aGroupOf(portal, referee, {
      change: { check_in_minutes: 1440, competition_start_at: inDays(0.5) },
      luong: 0,
    })
    return { id, captain }
  }
  const CANCELLED = ['Giải đấu đã bị hủy']

  test('tells nothing more but that: no place runs out, nobody moves up, is asked to check in, or sees it begin', async () => {
    const { id, captain } = await aHeldPlace()
    await portal.call('PUT', `/api/tournaments/${id}/reminder`, {
      token: captain.player.token,
      body: { wanted: true },
    })
    await referee.act(id, '/cancel')
    const told = await titles(captain)
    const later = at(inHours(30))
    await expireHeld(later)
    await closeDue(later)
    await remindOfCheckIn(at(inHours(1)))
    await remindFollowers(at(inHours(13)))
    expect(await titles(captain)).toEqual(told)
    expect(told.slice(0, 1)).toEqual(CANCELLED)
    // Nor is it looked at again and again.
    expect(await expireHeld(later)).toBe(false)
  })

  test('tells nothing where it is cancelled while a place runs out', async () => {
    const { id, captain } = await aHeldPlace()
    const before = await titles(captain)
    await cancelledDuring(id, () => expireHeld(at(inHours(30))))
    expect(await titles(captain)).toEqual(before)
  })

  test('puts nobody out where it is cancelled while its list is closed', async () => {
    const { id, captain } = await aHeldPlace()
    const before = await titles(captain)
    await cancelledDuring(id, () => closeDue(at(inHours(30))))
    expect(await titles(captain)).toEqual(before)
    expect(await ownTeam(portal, id, captain)).toMatchObject({ state: 'held' })
  })

  test.each([
    ['asked to check in', remindOfCheckIn, 1],
    ['told that it begins', remindFollowers, 13],
  ] as const)('tells nothing where it is cancelled while players are %s', async (_, remind, hours) => {
    const { id, captain } = await aHeldPlace()
    await portal.call('PUT', `/api/tournaments/${id}/reminder`, {
      token: captain.player.token,
      body: { wanted: true },
    })
    const before = await titles(captain)
    await cancelledDuring(id, () => remind(at(inHours(hours))))
    expect(await titles(captain)).toEqual(before)
  })
})
