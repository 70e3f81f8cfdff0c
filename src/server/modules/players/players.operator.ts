import { operatorAccountReturns } from '#contract/operator/help/account-returns.ts'
import { operatorUserActs as acts, operatorUsers, searchCall } from '#contract/operator/users.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Api } from '#server/platform/http/api.ts'
import { adjustBalance } from './adjusting.service.ts'
import { banPlayer, banPlayers, liftBan } from './bans.service.ts'
import { endSessions, removeSecondFactor, revealContact, sendReset } from './helping.service.ts'
import {
  addNote,
  listNotes,
  getPlayer,
  listPlayers,
  listPlayersSessions,
  listPlayersSignIns,
} from './players.service.ts'
import { readReturnFacts, returnAccount, type ReturningDeps } from './returning.service.ts'
import { search } from './search.service.ts'
import { readTrail } from './trail.service.ts'

export function registerOperatorUsers(api: Api, deps: ReturningDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorUsers.list, {
    usualSort: ['created_at', 'DESC'],
    changingSorts: ['balance'],
    rows: listPlayers,
    file: {
      Mã: ({ id }) => id,
      'Tên đăng nhập': ({ username }) => username,
      'Máy chủ': ({ server }) => server.name,
      'Đăng ký lúc': ({ created_at }) => csvMoment(created_at),
      'Số dư (TCoin)': ({ balance }) => balance,
      'Nợ (TCoin)': ({ debt }) => debt,
      'Kích hoạt': ({ activated }) => (activated ? 'Đã kích hoạt' : 'Chưa kích hoạt'),
      'Khóa đăng nhập đến': ({ sign_in_ban_until }) => csvMoment(sign_in_ban_until),
      'Khóa giao dịch đến': ({ trading_ban_until }) => csvMoment(trading_ban_until),
    },
  })
  api.serve(operatorUsers.get, ({ params }) => getPlayer(db, params.id))
  api.serve(operatorUsers.trail, ({ params, query }) => readTrail(db, params.id, query.before))
  api.serve(searchCall, ({ query, identity }) => search(db, query.q, identity.permissions))
  api.serve(acts.sessions, ({ params }) => listPlayersSessions(db, params.id))
  api.serve(acts.signIns, ({ params, query }) => listPlayersSignIns(db, params.id, query.before))
  api.serve(acts.notes, ({ params, query }) => listNotes(db, params.id, query.before))
  api.serveAll(acts, deps, {
    ban: banPlayer,
    banMany: banPlayers,
    liftBan,
    endSessions,
    sendReset,
    addNote,
    adjust: adjustBalance,
    revealContact,
    removeSecondFactor,
  })
  api.serve(operatorAccountReturns.facts, ({ params, query }) => readReturnFacts(deps, params, query))
  api.serveAll(operatorAccountReturns, deps, { propose: returnAccount })
}
