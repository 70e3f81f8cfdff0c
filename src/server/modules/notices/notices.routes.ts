import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/notices.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { serveEvents } from '#server/platform/http/events.ts'
import { listNotices, readPage, readState, readUntil } from './notices.service.ts'
import { changePreferences, readPreferences } from './preferences.service.ts'

export function registerNotices(app: FastifyInstance, api: Api, deps: PlatformDeps): void {
  api.serve(calls.listNotices, ({ identity, query }) => listNotices(deps.db, identity.userId, query))
  api.serve(calls.readNotices, ({ identity, body }) => readUntil(deps, identity.userId, body))
  api.serve(calls.readNoticesOfPage, ({ identity, body }) => readPage(deps, identity.userId, body))
  api.serve(calls.getNoticePreferences, ({ identity }) => readPreferences(deps.db, identity.userId))
  api.serve(calls.putNoticePreferences, ({ identity, body }) =>
    changePreferences(deps, identity.userId, body),
  )
  serveEvents(app, api, deps, {
    endpoint: calls.watchNotices,
    channel: 'notice_changed',
    watchFor: ({ userId }) => ({
      read: () => readState(deps.db, userId),
      isAbout: (changedOf) => changedOf === userId,
    }),
    // The next event may come at any time.
    isFinal: () => false,
    isOfEveryPage: true,
  })
}
