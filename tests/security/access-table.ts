import { ROLES } from '#contract/operator/roles.ts'
import { CONTENT_ACCESS } from './access-content.ts'
import { MONEY_ACCESS } from './access-money.ts'
import { OPERATION_ACCESS } from './access-operation.ts'
import { PLAYERS_ACCESS } from './access-players.ts'
import { PUBLIC_ACCESS } from './access-public.ts'
import { operators, signedIn, type Rows } from './access-rows.ts'
import { USERS_ACCESS } from './access-users.ts'

/** The status for each caller, route by route. Every served route has a row in the table of its area. */
export const ACCESS_TABLE: Rows = {
  ...PUBLIC_ACCESS,
  ...PLAYERS_ACCESS,
  ...CONTENT_ACCESS,
  ...MONEY_ACCESS,
  ...USERS_ACCESS,
  ...OPERATION_ACCESS,
  // These end their own session, so they are last.
  'POST /api/auth/logout': signedIn(204),
  'DELETE /api/operator/session': operators(ROLES, 204),
}
