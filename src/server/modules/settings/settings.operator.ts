import { operatorSettings } from '#contract/operator/settings.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import { changeSetting, type SettingsDeps } from './changing.service.ts'
import { getOperatorSetting, listOperatorSettings } from './settings.service.ts'

export function registerOperatorSettings(api: Api, deps: SettingsDeps): void {
  api.serve(operatorSettings.list, async ({ query, reply }) => {
    const page = readList(query, ['id', 'ASC'])
    const { id } = page.filter
    const rows = (await listOperatorSettings(deps.db))
      .filter((row) => id?.includes(row.id) ?? true)
      .sort((a, b) => (a.id < b.id ? -1 : 1) * (page.order === 'asc' ? 1 : -1))
    return listAnswer(reply, 'settings', {
      page,
      total: rows.length,
      rows: rows.slice(page.from, page.to + 1),
    })
  })
  api.serve(operatorSettings.get, ({ params }) => getOperatorSetting(deps.db, params.id))
  api.serve(operatorSettings.update, (call) => changeSetting(deps, call))
}
