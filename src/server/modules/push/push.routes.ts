import * as calls from '#contract/notices.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { PublicOutbound } from '#server/platform/http/outbound.ts'
import { readPushKey, subscribe, unsubscribe } from './push.service.ts'

export function registerPush(api: Api, deps: PlatformDeps & { pushOutbound: PublicOutbound }): void {
  api.serve(calls.getPushKey, ({ identity }) => readPushKey(deps, identity))
  api.serve(calls.addPushSubscription, ({ identity, body }) => subscribe(deps, identity, body))
  api.serve(calls.removePushSubscription, ({ identity, params }) =>
    unsubscribe(deps, identity.userId, params.id),
  )
}
