import { GAME_NAME_WORDS, operatorGameNames } from '#contract/operator/game/names.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeGameNames, listGameNames } from './names.service.ts'

export function registerOperatorNames(api: Api, deps: PlatformDeps): void {
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
  api.serve(operatorGameNames.update, (call) => changeGameNames(deps, call))
}
