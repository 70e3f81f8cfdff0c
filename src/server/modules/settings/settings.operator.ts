import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeSettings, type SettingsDeps } from './changing.service.ts'
import { listHistory, listOperatorSettings } from './settings.service.ts'

export function registerOperatorSettings(api: Api, deps: SettingsDeps): void {
  serveOperatorList(api, deps, operatorSettings.list, {
    resource: 'settings',
    usualSort: ['id', 'ASC'],
    rows: (filter, page) => listOperatorSettings(deps.db, filter, page),
  })
  api.serve(operatorSettings.update, (call) => changeSettings(deps, call))
  api.serve(operatorSettings.history, ({ params, query }) => listHistory(deps.db, params.key, query.before))
}
