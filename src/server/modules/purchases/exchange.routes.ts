import { getExchange, storeExchange } from '#contract/exchange.ts'
import type { Api } from '#server/platform/http/api.ts'
import { buyLuong, readExchange, type ExchangeDeps } from './exchange.service.ts'

export function registerExchange(api: Api, deps: ExchangeDeps): void {
  api.serve(getExchange, ({ identity }) => readExchange(deps, identity?.userId ?? null))
  api.serve(storeExchange, ({ identity, key, overLimit, body, request }) =>
    buyLuong(deps, { userId: identity.userId, key, overLimit, body, requestId: request.id }),
  )
}
