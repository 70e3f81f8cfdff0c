import { giveConsent, listConsents } from '#contract/legal.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as consents from './consents.service.ts'

export function registerConsents(api: Api, deps: PlatformDeps): void {
  api.serve(listConsents, ({ identity }) => consents.listConsents(deps.db, identity.userId))
  api.serve(giveConsent, ({ identity, body }) => consents.recordConsent(deps, identity.userId, body))
}
