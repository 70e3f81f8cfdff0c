import { operatorSettings } from '#contract/operator/settings.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listRange, readListQuery } from '#server/platform/http/list.ts'
import { changeSetting, type SettingsDeps } from './changing.service.ts'
import { getOperatorSetting, listOperatorSettings } from './settings.service.ts'

export function registerOperatorSettings(api: Api, deps: SettingsDeps): void {
  api.serve(operatorSettings.list, async ({ query, reply }) => {
    const list = readListQuery(query, { sorts: ['id'], filters: [] })
    const rows = await listOperatorSettings(deps.db)
    rows.sort((a, b) => (a.id < b.id ? -1 : 1) * (list.order === 'asc' ? 1 : -1))
    return listRange(reply, 'settings', {
      list,
      total: rows.length,
      rows: rows.slice(list.from, list.to + 1),
    })
  })
  api.serve(operatorSettings.get, ({ params }) => getOperatorSetting(deps.db, params.id))
  api.serve(operatorSettings.update, (call) => changeSetting(deps, call))
}
