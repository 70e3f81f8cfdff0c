import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { canonicalPhone } from '#contract/fields.ts'
import type { OperatorNote } from '#contract/operator/fields.ts'
import type {
  OperatorUser,
  operatorUserActs,
  OperatorUserDetail,
  operatorUsers,
} from '#contract/operator/users.ts'
import { maskEmail, maskPhone } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { listUnmatchedOf } from '#server/modules/bank-inbox/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import { listSessionsOf, listSignInsOf } from '#server/modules/sessions/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { PART_ROWS, partOf, type ListPage, type ListRows } from '#server/platform/http/list.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { boundsOfDay } from '#server/platform/values/vietnam-time.rules.ts'
import {
  countPlayers,
  eraseNotes,
  exportNotes,
  type PlayerFilter,
  type PlayerSort,
  selectPlayers,
  findPlayer,
  getWho,
  insertNote,
  selectNotes,
} from './players.queries.ts'

/** Notes are the operators' words and may name others: the export has when each was written, and not its text. */
export const personalNotes: PersonalPart = { lists: { operator_notes: exportNotes }, erase: eraseNotes }

type GivenFilter = NonNullable<QueryOf<typeof operatorUsers.list>['filter']>

export async function listPlayers(
  db: Db,
  given: GivenFilter,
  page: ListPage & { sort: PlayerSort },
): Promise<ListRows<OperatorUser>> {
  const filter = toFilter(given)
  return { rows: await selectPlayers(db, filter, page), total: () => countPlayers(db, filter) }
}

function toFilter({ id, q, created_from, created_to, ...given }: GivenFilter): PlayerFilter {
  return {
    ids: id,
    search: q === undefined ? undefined : { name: q, phone: canonicalPhone(q), email: q },
    isBanned: given.banned,
    hasDebt: given.has_debt,
    serverId: given.server_id,
    from: created_from === undefined ? undefined : boundsOfDay(created_from).start,
    before: created_to === undefined ? undefined : boundsOfDay(created_to).end,
  }
}

export async function getPlayer(db: Db, userId: string): Promise<OperatorUserDetail> {
  const player = orNotFound(await findPlayer(db, userId))
  const { email, email_verified, phone, phone_verified, ...rest } = player
  const names = await readGameNames(db)
  return {
    ...rest,
    characters: rest.characters.map((character) => ({
      ...character,
      class_name: names.classOf(character.class_id)?.name ?? null,
    })),
    email: email === null ? null : { masked: maskEmail(email), verified: email_verified },
    phone: phone === null ? null : { masked: maskPhone(phone), verified: phone_verified },
    unmatched: await listUnmatchedOf(db, { id: rest.id, username: rest.username, phone }),
  }
}

type Acts = typeof operatorUserActs

export async function listPlayersSessions(db: Db, userId: string): Promise<AnswerOf<Acts['sessions']>> {
  await getWho(db, userId)
  return listSessionsOf(db, userId)
}

export async function listPlayersSignIns(
  db: Db,
  userId: string,
  before: string | undefined,
): Promise<AnswerOf<Acts['signIns']>> {
  await getWho(db, userId)
  return partOf(await listSignInsOf(db, { userId, before, limit: PART_ROWS + 1 }))
}

export type PlayersDeps = ProposalsDeps & {
  /** The base of links in mails. */
  publicUrl: string
}

export async function listNotes(
  db: Db,
  userId: string,
  before: string | undefined,
): Promise<AnswerOf<Acts['notes']>> {
  await getWho(db, userId)
  return partOf(await selectNotes(db, { userId, before, limit: PART_ROWS + 1 }))
}

/** The text is stored in the note alone, since it may name people; the audit trail has the note's id. */
export async function addNote(deps: PlayersDeps, call: UserCall<Acts['addNote']>): Promise<OperatorNote> {
  const { params, body, identity } = call
  return actAsOperator(deps, call, {
    action: 'users.note',
    work: async (tx) => {
      await getWho(tx, params.id)
      const note = await insertNote(tx, { userId: params.id, authorId: identity.userId, text: body.note })
      return {
        answer: note,
        audit: { subject: { type: 'user', id: params.id }, details: { note_id: note.id } },
      }
    },
  })
}
