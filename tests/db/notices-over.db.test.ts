import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { claimPushes } from '#server/modules/push/sending.service.ts'
import { inDays } from '#server/modules/tournaments/testing/referee.ts'
import { aGroupOf } from '#server/modules/tournaments/testing/sign-up.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { aBrowser, usePushingApp } from '#tests/support/push-service.ts'
import { runningMilestones, stopMilestones } from '#tests/support/rewards.ts'
import { mailUnread } from '#server/modules/notices/digest.service.ts'
import type { NewNotice } from '#server/modules/notices/notices.rules.ts'
import { addNotice, addReminder } from '#server/modules/notices/notices.service.ts'

const pushing = usePushingApp()
const { portal } = pushing
const referee = useReferee(portal)
beforeEach(() => sql`DELETE FROM push_message`.execute(portal.db))

const later = () => new Date(Date.now() + 3 * 86_400_000).toISOString()
/** Of today in Vietnam. */
const noon = () =>
  new Date(`${new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)}T12:00:00+07:00`)

/** How many notices of an event would be pushed now, and how many mails of unread notices there would be of it. */
async function told(player: TestPlayer, event: string): Promise<{ pushes: number; mails: number }> {
  await sql`UPDATE push_message SET next_attempt_at = now() - interval '1 second'`.execute(portal.db)
  const pushes = await claimPushes(portal.deps, 100)
  const email = anEmail()
  await giveVerifiedEmail(portal, player.id, email)
  await asOwner(portal, 'DELETE FROM notice_digest')
  await asOwner(
    portal,
    `INSERT INTO notice_digest (user_id, made_on, told_until)
     SELECT $1, current_date - 3, coalesce(max(id), 1) - 1 FROM notice WHERE user_id = $1 AND data ->> 'event' = $2`,
    [player.id, event],
  )
  await mailUnread({ ...portal.deps, clock: { now: noon } })
  return {
    pushes: pushes.filter(({ to }) => to !== null).length,
    mails: (await lettersTo(portal, email)).length,
  }
}

async function tellOnly(player: TestPlayer, notice: NewNotice): Promise<void> {
  await aBrowser(pushing, player)
  await asOwner(portal, 'DELETE FROM push_message')
  await asOwner(portal, 'DELETE FROM notice WHERE user_id = $1', [player.id])
  await inTransaction(portal.db, (tx) => addNotice(tx, player.id, notice))
}

/** What is told of a notice before its matter ends, and after. */
async function toldAround(player: TestPlayer, notice: NewNotice, end: () => Promise<unknown>) {
  await tellOnly(player, notice)
  const before = await told(player, notice.event)
  await end()
  return { before, after: await told(player, notice.event) }
}

const NO_MORE = { before: { pushes: 1, mails: 1 }, after: { pushes: 0, mails: 0 } }

const reached = (step: string, until: string): NewNotice => ({
  event: 'milestone-reached',
  subject: step,
  data: { at: 50_000, title: 'Mốc nạp', until },
})

test('goods of a step are not offered once the programme is stopped, nor after the last moment', async () => {
  const { steps } = await runningMilestones(portal)
  const id = steps[0]?.id ?? ''
  const player = await aPlayer(portal)
  await tellOnly(player, reached(id, new Date(Date.now() - 1_000).toISOString()))
  expect(await told(player, 'milestone-reached')).toMatchObject({ pushes: 0 })
  expect(await toldAround(player, reached(id, later()), () => stopMilestones(portal))).toEqual(NO_MORE)
})

describe('a tournament', () => {
  const aTeam = async () => {
    const { id, team, captain, others } = await aGroupOf(portal, referee, {
      change: { check_in_minutes: 1440, competition_start_at: inDays(3) },
      luong: 0,
    })
    const cup = { tournamentId: id, tournament: 'Giải mùa hè' }
    const ofTeam = { ...cup, teamId: team }
    return { id, team, captain: captain.player, invited: others[0]?.player as TestPlayer, cup, ofTeam }
  }
  type Team = Awaited<ReturnType<typeof aTeam>>

  const teamIs = (state: 'admitted' | 'withdrawn') => (team: Team) =>
    asOwner(
      portal,
      state === 'admitted'
        ? `UPDATE teams SET state = 'admitted', held_until = NULL WHERE id = $1`
        : `UPDATE teams SET state = 'withdrawn', held_until = NULL, withdrawn_at = now(), withdrawn_for = 'left' WHERE id = $1`,
      [team.team],
    )
  const cancelled = ({ id }: Team) =>
    asOwner(portal, 'UPDATE tournaments SET cancelled_at = now() WHERE id = $1', [id])
  const checkedIn = ({ team }: Team) =>
    asOwner(portal, 'UPDATE teams SET checked_in_at = now() WHERE id = $1', [team])
  const declined = ({ team }: Team) =>
    asOwner(portal, `UPDATE team_invitations SET state = 'declined' WHERE team_id = $1`, [team])

  const notices = {
    'team-invited': ({ team, ofTeam }: Team) =>
      ({ event: 'team-invited', subject: team, data: { ...ofTeam, until: null } }) as NewNotice,
    'team-got-place': ({ team, ofTeam }: Team) =>
      ({ event: 'team-got-place', subject: team, data: { ...ofTeam, until: later() } }) as NewNotice,
    'team-incomplete': ({ team, ofTeam }: Team) =>
      ({ event: 'team-incomplete', subject: `${team} 1`, data: { ...ofTeam, until: later() } }) as NewNotice,
    'check-in-open': ({ id, cup }: Team) =>
      ({ event: 'check-in-open', subject: id, data: { ...cup, startsAt: later() } }) as NewNotice,
    'tournament-begins': ({ id, cup }: Team) =>
      ({ event: 'tournament-begins', subject: id, data: cup }) as NewNotice,
    'fee-refused': ({ ofTeam }: Team) =>
      ({
        event: 'fee-refused',
        subject: '1',
        data: { ...ofTeam, luong: 5, reason: 'insufficient' },
      }) as NewNotice,
    'match-called': ({ id, ofTeam }: Team) =>
      ({ event: 'match-called', subject: `${id} 1 1`, data: { ...ofTeam, round: 'Chung kết' } }) as NewNotice,
  }

  test.for([
    ['team-invited', 'cancelled', cancelled],
    ['team-invited', 'declined', declined],
    ['team-got-place', 'cancelled', cancelled],
    ['team-got-place', 'admitted', teamIs('admitted')],
    ['team-incomplete', 'withdrawn', teamIs('withdrawn')],
    ['check-in-open', 'cancelled', cancelled],
    ['check-in-open', 'checked in', checkedIn],
    ['check-in-open', 'withdrawn', teamIs('withdrawn')],
    ['tournament-begins', 'cancelled', cancelled],
    ['fee-refused', 'cancelled', cancelled],
    ['match-called', 'cancelled', cancelled],
  ] as const)('tells no more: %s, %s', async ([event, , end]) => {
    const team = await aTeam()
    const player = event === 'team-invited' ? team.invited : team.captain
    expect(await toldAround(player, notices[event](team), () => end(team))).toEqual(NO_MORE)
  })

  test('takes back the mails that wait when it is cancelled, and no others', async () => {
    const { id, captain, cup } = await aTeam()
    const email = anEmail()
    await giveVerifiedEmail(portal, captain.id, email)
    for (const tournamentId of [id, `${id}0`])
      await inTransaction(portal.db, (tx) =>
        addReminder({ ...portal.deps, publicUrl: 'https://cong.test' }, tx, [captain.id], {
          notice: {
            event: 'check-in-open',
            subject: tournamentId,
            data: { ...cup, tournamentId, startsAt: later() },
          },
          action: 'Mở trang giải đấu',
          usefulMinutes: 60,
        }),
      )
    const waiting = async () => (await lettersTo(portal, email)).map(({ action }) => action?.url)
    expect(await waiting()).toHaveLength(2)
    await referee.act(id, '/cancel')
    expect(await waiting()).toEqual([`https://cong.test/tournament/${id}0`])
  })
})
