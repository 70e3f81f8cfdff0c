import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment, SERVER_ID } from '../fields.ts'
import { keyed, listQuery, newRow, reason, reasonBody } from './fields.ts'
import { permitted } from './roles.ts'
import { givenTitle } from '../names.ts'
import { shownName } from '../shown-name.ts'

const serverId = z
  .string('Vui lòng nhập mã máy chủ')
  .check(z.regex(SERVER_ID, 'Mã gồm 1–16 chữ không dấu, chữ số, gạch nối hoặc gạch dưới'))

export const SERVER_NAME_MAX = 60

const fields = {
  name: givenTitle('tên', { max: SERVER_NAME_MAX }),
  /** Lists show lower ones first. */
  position: z.int('Thứ tự phải là số nguyên').check(z.gte(0, 'Thứ tự từ 0'), z.lte(9999, 'Thứ tự đến 9999')),
}

export const operatorServerSchema = z.object({
  /** As the game names it. */
  id: z.string(),
  name: shownName,
  position: z.int(),
  updated_at: moment,
})

export type OperatorServer = z.output<typeof operatorServerSchema>

const PERMITTED = permitted('servers.write')
const params = z.object({ id: serverId })
const answer = operatorServerSchema

/** The most that a game's description has for the console. */
export const GAME_SERVERS_MAX = 100

export const operatorGameServers = {
  list: endpoint('GET', '/operator/game-servers', PERMITTED, {
    summary: `Of the servers that the game describes, the first ${GAME_SERVERS_MAX}: those that the portal does not have, and those that it still calls by the name that a new portal gives them.`,
    answer: z.array(
      z.object({
        id: z.string(),
        /** What the game calls it. */
        name: shownName,
        /** Where it stands in the portal, otherwise in the game. */
        position: z.int(),
        present: z.nullable(z.pick(operatorServerSchema, { name: true, updated_at: true })),
      }),
    ),
  }),
}

export const operatorServers = {
  list: endpoint('GET', '/operator/servers', PERMITTED, {
    summary: 'The game servers players choose between.',
    query: listQuery(['position'], {}, z.string()),
    answer: z.array(answer),
  }),
  create: endpoint('POST', '/operator/servers', PERMITTED, {
    summary: 'Adds a game server under the id by which the game knows it.',
    body: z.object({ id: serverId, ...fields, reason }),
    ...newRow(answer, 'CONFLICT'),
  }),
  update: endpoint('PUT', '/operator/servers/{id}', PERMITTED, {
    summary: 'Renames or moves a game server.',
    params,
    body: z.object({ ...fields, updated_at: moment, reason }),
    answer,
    ...keyed('NOT_FOUND', 'CONFLICT'),
  }),
  remove: endpoint('DELETE', '/operator/servers/{id}', PERMITTED, {
    summary: 'Removes a game server that no player and no ranking uses.',
    params,
    body: reasonBody,
    answer,
    ...keyed('NOT_FOUND', 'CONFLICT'),
  }),
}
