import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { atMost, byId, filledText, idText, loginUsername, moment } from './fields.ts'
import { chosenName } from './names.ts'
import { shownName } from './shown-name.ts'
import { TEAMS_PAGE } from './tournament-rules.ts'
import { TEAM_STATES, WITHDRAWN_FOR } from './tournaments.ts'

/** Players of the largest format and the most substitutes, without the captain. */
const INVITES_MAX = 7

const publicTeam = z.object({
  id: idText,
  name: shownName,
  state: z.enum(TEAM_STATES),
  /** Its place among those who wait, from 1; null for the others. */
  position: z.nullable(z.int()),
  has_checked_in: z.boolean(),
  /** Its characters, substitutes last. */
  members: z.array(z.object({ character_name: shownName, is_substitute: z.boolean() })),
})

const member = z.object({
  username: z.string(),
  /** Null while the player has not accepted. */
  character_name: z.nullable(shownName),
  state: z.literal(['invited', 'accepted', 'declined']),
  is_captain: z.boolean(),
  is_substitute: z.boolean(),
})

/** `refused` with the game's reason, such as `insufficient`; `refunding` until the game has given it back. */
const charge = z.object({
  username: z.string(),
  luong: z.int(),
  state: z.literal(['pending', 'applied', 'refused', 'refunding', 'refunded']),
  reason: z.nullable(z.string()),
})

const ownTeam = z.object({
  id: idText,
  name: shownName,
  state: z.enum(TEAM_STATES),
  position: z.nullable(z.int()),
  /** Until when its place waits for members and the fee. */
  held_until: z.nullable(moment),
  checked_in_at: z.nullable(moment),
  /** How a waiting team moves up: by itself, also after the close (`by-itself`), or then only if it has checked in. */
  moves_up: z.nullable(z.literal(['by-itself', 'if-checked-in'])),
  /** From when and by when the team has to check in; null where it has, or does not have to. Registration may be closed earlier. */
  check_in: z.nullable(z.object({ from: moment, by: moment })),
  withdrawn_for: z.nullable(z.enum(WITHDRAWN_FOR)),
  is_captain: z.boolean(),
  /** In luong, for the whole team. */
  fee: z.int(),
  members: z.array(member),
  charges: z.array(charge),
})

const invitation = z.object({
  tournament_id: idText,
  tournament_name: shownName,
  team_id: idText,
  team_name: shownName,
  /** The captain's username. */
  invited_by: shownName,
  until: z.nullable(moment),
})

const ofTeam = z.object({ id: idText, team: idText })

export const teamName = chosenName('tên đội', { max: 60 })
const invites = z.array(loginUsername).check(z.maxLength(INVITES_MAX, `Mời tối đa ${INVITES_MAX} người`))
const character_id = filledText(atMost(64))

const act = {
  params: ofTeam,
  answer: ownTeam,
  isIdempotent: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_ACTIVATED', 'BANNED', 'CHARACTER_NOT_FOUND', 'UNAVAILABLE'],
} as const

export const registerTeam = endpoint('POST', '/tournaments/{id}/teams', 'user', {
  summary:
    'Registers a team. Its captain plays with `character_id`, as the game knows it now; invited players have to accept. When all places are taken the team waits in the order of arrival. The fee is taken once all members have accepted.',
  body: z.object({ name: teamName, character_id, invites: z.optional(invites) }),
  ...act,
  params: byId,
  status: 201,
})

export const listTournamentTeams = endpoint('GET', '/tournaments/{id}/teams', 'open', {
  summary: `The teams in the order of arrival, at most ${TEAMS_PAGE} a page.`,
  params: z.object({ id: z.string() }),
  query: z.object({ after: z.optional(idText) }),
  answer: z.array(publicTeam),
  errors: ['NOT_FOUND'],
})

export const getOwnTeam = endpoint('GET', '/tournaments/{id}/mine', 'user', {
  summary: 'The team of the caller, also one that is out; null without one.',
  params: z.object({ id: z.string() }),
  answer: z.nullable(ownTeam),
  errors: ['NOT_FOUND'],
})

export const listInvitations = endpoint('GET', '/tournaments/invitations', 'user', {
  summary: 'Teams that wait for the answer of the caller, the newest first, at most 20.',
  answer: z.array(invitation),
})

export const changeOwnTeam = endpoint('PUT', '/tournaments/{id}/teams/{team}', 'user', {
  summary:
    'The captain changes the name and who plays, until registration closes. Without `name` the team keeps its own. Players who are not in `invites` any more are out; new ones are invited.',
  body: z.object({ name: z.optional(teamName), invites }),
  ...act,
})

export const acceptInvitation = endpoint('POST', '/tournaments/{id}/teams/{team}/accept', 'user', {
  summary: 'An invited player joins the team with a character.',
  body: z.object({ character_id }),
  ...act,
})

export const declineInvitation = endpoint('POST', '/tournaments/{id}/teams/{team}/decline', 'user', {
  summary: 'An invited player does not join the team.',
  ...act,
  answer: z.object({ message: z.string() }),
})

export const payFee = endpoint('POST', '/tournaments/{id}/teams/{team}/pay', 'user', {
  summary: 'Tries again to take the fees that the game has refused.',
  ...act,
})

export const checkIn = endpoint('POST', '/tournaments/{id}/teams/{team}/check-in', 'user', {
  summary: 'A member says that the team is there, in the time before the competition.',
  ...act,
})

export const leaveTeam = endpoint('DELETE', '/tournaments/{id}/teams/{team}', 'user', {
  summary:
    'The captain withdraws the team until the draw, another member leaves it until registration closes. What they paid is given back in the game.',
  ...act,
  answer: z.object({ message: z.string() }),
})

const FEE_REASONS: Readonly<Record<string, string>> = {
  insufficient: 'nhân vật không đủ lượng',
  offline: 'nhân vật đang không ở trong game',
  online: 'nhân vật đang ở trong game',
  'no-such-character': 'game không tìm thấy nhân vật',
  'unknown-character': 'game không tìm thấy nhân vật',
}

/** Why the game has refused a fee, within a sentence. */
export const feeReason = (reason: string | null): string => FEE_REASONS[reason ?? ''] ?? 'game từ chối'

export type PublicTeam = z.output<typeof publicTeam>
export type OwnTeam = z.output<typeof ownTeam>
export type TeamCharge = z.output<typeof charge>
export type TeamInvitation = z.output<typeof invitation>
