import { type RawBuilder, sql } from 'kysely'

// A notice may call for something that nobody needs any more when it is sent: the place has run out, the tournament is cancelled,
// the goods have arrived. The bell keeps it; push messages and the daily mail leave it out.

/** The matter of the notice `n` is over by then. */
export const isOver = (now: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  CASE WHEN coalesce(n.data ->> 'until', n.data ->> 'startsAt')::timestamptz <= ${now} THEN true
       ELSE CASE n.data ->> 'event'
         WHEN 'milestone-reached' THEN EXISTS (
           SELECT FROM milestone_step s JOIN milestone_program p ON p.id = s.program_id
            WHERE s.id = ${second}::bigint AND (p.state <> 'running' OR EXISTS (
              SELECT FROM milestone_claim c JOIN reward r ON r.delivery_id = c.delivery_id
               WHERE c.step_id = s.id AND c.user_id = n.user_id AND r.voided_at IS NULL)))
         WHEN 'goods-waiting' THEN EXISTS (
           SELECT FROM delivery_collection c WHERE c.delivery_id = ${second}::uuid AND c.collected_at IS NOT NULL)
         WHEN 'match-called' THEN ${isCupOver} OR EXISTS (
           SELECT FROM matches m
            WHERE m.id = split_part(n.subject, ' ', 4)::bigint AND (m.winning_team_id IS NOT NULL OR m.is_void))
         WHEN 'team-invited' THEN ${isCupOver} OR ${isTeamIn('withdrawn')} OR EXISTS (
           SELECT FROM team_invitations i
            WHERE i.team_id = ${second}::bigint AND i.user_id = n.user_id AND i.state <> 'invited')
         WHEN 'team-got-place' THEN ${isCupOver} OR ${isTeamIn('withdrawn', 'admitted')}
         WHEN 'team-incomplete' THEN ${isCupOver} OR ${isTeamIn('withdrawn', 'admitted')}
         WHEN 'fee-refused' THEN ${isCupOver}
         WHEN 'check-in-open' THEN ${isCupOver} OR NOT EXISTS (
           SELECT FROM team_members m JOIN teams t ON t.id = m.team_id
            WHERE m.tournament_id = (n.data ->> 'tournamentId')::bigint AND m.user_id = n.user_id
              AND t.checked_in_at IS NULL AND t.state <> 'withdrawn')
         WHEN 'tournament-begins' THEN ${isCupOver}
         ELSE false END
  END`

/** The subject of a notice is its event and what it is about. */
const second = sql`split_part(n.subject, ' ', 2)`

const isCupOver = sql`EXISTS (
  SELECT FROM tournaments cup WHERE cup.id = (n.data ->> 'tournamentId')::bigint
     AND (cup.cancelled_at IS NOT NULL OR cup.finished_at IS NOT NULL))`

const isTeamIn = (...states: string[]) => sql`EXISTS (
  SELECT FROM teams team WHERE team.id = (n.data ->> 'teamId')::bigint AND team.state = ANY (${states}::text[]))`
