import type { FastifyInstance } from 'fastify'
import { operatorAlarms, watchWaiting } from '#contract/operator/alarms.ts'
import { operatorFailedWork } from '#contract/operator/failed-work.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { serveEvents } from '#server/platform/http/events.ts'
import { listAlarms, listFailedWork, readWaiting, type AlarmsDeps } from './alarms.service.ts'

export function registerOperatorAlarms(app: FastifyInstance, api: Api, deps: AlarmsDeps): void {
  api.serve(operatorAlarms.list, ({ identity }) => listAlarms(deps, identity))
  serveOperatorList(api, deps, operatorFailedWork.list, {
    usualSort: ['failing_since', 'ASC'],
    rows: listFailedWork,
  })
  serveEvents(app, api, deps, {
    endpoint: watchWaiting,
    channel: 'operator_event',
    watchFor: () => ({ read: (identity) => readWaiting(deps.db, identity), isAbout: () => true }),
    isFinal: () => false,
  })
}
