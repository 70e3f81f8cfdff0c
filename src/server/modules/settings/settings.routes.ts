import { GAME_NAME_WORDS, operatorGameNames } from '#contract/operator/game/names.ts'
import { operatorGoods } from '#contract/operator/rewards/catalogue.ts'
import { operatorGoodsLimits } from '#contract/operator/rewards/goods-limits.ts'
import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { getSettings } from '#contract/settings.ts'
import { readGoodsUse, serveOperatorList } from '#server/modules/audit/index.ts'
import { listClosureNotices } from '#server/modules/maintenance/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeSettings, type SettingsDeps } from './changing.service.ts'
import { changeGameNames, listGameNames, readGoods } from './names.service.ts'
import { listHistory, listOperatorSettings, readPublicSettings, readSettings } from './settings.service.ts'

/** `sandbox` is there in a demo only; which parts it has is not a matter of the settings. */
type SettingsRoutesDeps = PlatformDeps & { sandbox: object | null }

type Values = Readonly<Record<string, string>>

export function registerSettings(api: Api, deps: SettingsRoutesDeps): void {
  // No operator can set it: pages learn from it that the bank at their back is made up.
  const demo: Record<string, string> = deps.sandbox === null ? {} : { demo: '1' }
  let known: { values: Values; notices: string; answer: Values } | null = null
  api.serveCached(getSettings, async () => {
    const values = await readPublicSettings(deps.db)
    const notices = (await listClosureNotices(deps)).join('\n')
    if (known?.values !== values || known.notices !== notices) {
      const maintenance: Values = notices === '' ? {} : { maintenance: notices }
      known = { values, notices, answer: { ...values, ...demo, ...maintenance } }
    }
    return known.answer
  })
}

export function registerOperatorSettings(api: Api, deps: SettingsDeps): void {
  serveOperatorList(api, deps, operatorSettings.list, {
    usualSort: ['id', 'ASC'],
    rows: listOperatorSettings,
  })
  registerOperatorNames(api, deps)
  api.serve(operatorSettings.update, (call) => changeSettings(deps, call))
  api.serve(operatorSettings.history, ({ params, query }) => listHistory(deps.db, params.key, query.before))
}

function registerOperatorNames(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorGameNames.list, {
    usualSort: ['code', 'ASC'],
    rows: listGameNames,
    // The console reads the first columns of such a file.
    file: {
      Mã: ({ code }) => code,
      Tên: ({ name }) => name,
      'Tên ngắn': ({ short_name }) => short_name,
      'Game gọi là': ({ told_name }) => told_name,
      Loại: ({ kind }) => GAME_NAME_WORDS[kind],
    },
  })
  api.serve(operatorGoods.read, () => readGoods(deps.db))
  api.serve(operatorGoodsLimits.read, async ({ identity }) =>
    readGoodsUse(deps.db, identity.userId, (await readSettings(deps.db)).goodsLimits),
  )
  api.serve(operatorGameNames.update, (call) => changeGameNames(deps, call))
}
