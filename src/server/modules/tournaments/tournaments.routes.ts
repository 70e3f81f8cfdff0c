import {
  acceptInvitation,
  changeOwnTeam,
  checkIn,
  declineInvitation,
  getOwnTeam,
  leaveTeam,
  listInvitations,
  listTournamentTeams,
  payFee,
  registerTeam,
} from '#contract/tournament-teams.ts'
import {
  getBracket,
  getDraw,
  getTournamentReminder,
  listCharacterResults,
  listOwnResults,
  listTournaments,
  setTournamentReminder,
} from '#contract/tournaments.ts'
import type { FastifyInstance } from 'fastify'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { Api } from '#server/platform/http/api.ts'
import { etagOf, sendTagged } from '#server/platform/http/cached-response.ts'
import { calendarOf } from './calendar/calendar.rules.ts'
import { readDraw } from './draw.service.ts'
import { readInvitations, readOwnTeam, readTeams } from './own-team.service.ts'
import {
  acceptFor,
  changeTeamOf,
  checkInFor,
  declineFor,
  leave,
  payFor,
  type RegistrationDeps,
  registerTeamOf,
} from './registration.service.ts'
import { readResults } from './results/results.service.ts'
import { chooseReminder, readReminder } from './notices/reminders.service.ts'
import * as tournaments from './tournaments.service.ts'

export function registerTournaments(api: Api, deps: RegistrationDeps): void {
  registerReads(api, deps)
  api.serve(getOwnTeam, ({ params, identity }) => readOwnTeam(deps.db, params.id, identity.userId))
  api.serve(listInvitations, ({ identity }) => readInvitations(deps.db, identity.userId, deps.clock.now()))
  api.serve(listOwnResults, ({ identity: { userId }, query }) =>
    readResults(deps.db, { userId }, { now: deps.clock.now(), query }),
  )
  api.serve(getTournamentReminder, ({ params, identity: { userId } }) =>
    readReminder(deps, { ...params, userId }),
  )
  api.serve(setTournamentReminder, ({ params, identity: { userId }, body }) =>
    chooseReminder(deps, { ...params, userId }, body),
  )
  api.serve(registerTeam, (call) => registerTeamOf(deps, call))
  api.serve(changeOwnTeam, (call) => changeTeamOf(deps, call))
  api.serve(acceptInvitation, (call) => acceptFor(deps, call))
  api.serve(declineInvitation, (call) => declineFor(deps, call))
  api.serve(payFee, (call) => payFor(deps, call))
  api.serve(checkIn, (call) => checkInFor(deps, call))
  api.serve(leaveTeam, (call) => leave(deps, call))
}

/** The dates of a tournament, for the calendar of a phone. */
export function registerTournamentCalendars(
  app: FastifyInstance,
  deps: PlatformDeps & { publicUrl: string },
): void {
  app.get<{ Params: { id: string } }>('/tournament/:id/calendar.ics', async (request, reply) => {
    const row = await tournaments.requireTournament(deps.db, request.params.id)
    const body = calendarOf({
      tournament: tournaments.toRules(row),
      updatedAt: row.updated_at,
      publicUrl: deps.publicUrl,
    })
    reply.header('cache-control', 'public, max-age=60').type('text/calendar; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="giai-dau-${row.id}.ics"`)
    return sendTagged(request, reply, { etag: etagOf(body), body })
  })
}

/** What anybody may see. */
function registerReads(api: Api, deps: PlatformDeps): void {
  const now = () => deps.clock.now()
  // Names come from the memory of this process, which knows of a change before a replica does.
  api.serveRead(listTournaments, async () => {
    const names = await readGameNames(deps.db)
    return readPublic(deps.db, (db) => tournaments.listTournaments(db, names))
  })
  api.serveRead(getBracket, async ({ params }) => {
    const names = await readGameNames(deps.db)
    return readPublic(deps.db, (db) => tournaments.getBracket(db, params.id, { names, now: now() }))
  })
  api.serveRead(getDraw, ({ params }) => readPublic(deps.db, (db) => readDraw(db, params.id, now())))
  api.serveRead(listCharacterResults, ({ params, query }) =>
    readPublic(deps.db, (db) => readResults(db, params, { now: now(), query })),
  )
  api.serveRead(listTournamentTeams, ({ params, query }) =>
    readPublic(deps.db, (db) => readTeams(db, params.id, query.after)),
  )
}
