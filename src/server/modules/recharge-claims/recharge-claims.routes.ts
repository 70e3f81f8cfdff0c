import { createClaim as createClaimCall, listClaims as listClaimsCall } from '#contract/recharge-claims.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { createClaim, listClaims } from './recharge-claims.service.ts'

export function registerRechargeClaims(api: Api, deps: PlatformDeps): void {
  api.serve(createClaimCall, ({ identity, body, file, key, overLimit }) =>
    createClaim(deps, { userId: identity.userId, claim: body, picture: file, key, overLimit }),
  )
  api.serve(listClaimsCall, ({ identity, query }) => listClaims(deps, identity.userId, query))
}
