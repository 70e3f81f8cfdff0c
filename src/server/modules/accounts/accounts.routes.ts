import { sendEmailCode, updateEmail, updatePhone, verifyEmail } from '#contract/contacts.ts'
import { listServers } from '#contract/servers.ts'
import { getInvitation } from '#contract/users.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api, Identity } from '#server/platform/http/api.ts'
import type { FastifyRequest } from 'fastify'
import { invitationOf, listServers as readServers } from './accounts.service.ts'
import type { ContactCall } from './contacts.service.ts'
import {
  sendEmailCode as sendCode,
  updateEmail as changeEmail,
  verifyEmail as proveEmail,
} from './email.service.ts'
import { updatePhone as changePhone } from './phone.service.ts'

export function registerAccounts(api: Api, deps: PlatformDeps & { publicUrl: string }): void {
  api.serve(listServers, () => readServers(deps.db))
  api.serve(getInvitation, ({ identity }) => invitationOf(deps, identity.userId))
  api.serve(sendEmailCode, ({ body, ...call }) => sendCode(deps, body, contactCall(call)))
  api.serve(verifyEmail, ({ body, ...call }) => proveEmail(deps, body, contactCall(call)))
  api.serve(updateEmail, ({ body, ...call }) => changeEmail(deps, body, contactCall(call)))
  api.serve(updatePhone, ({ body, ...call }) => changePhone(deps, body, contactCall(call)))
}

const contactCall = ({
  identity,
  request,
}: {
  identity: Identity
  request: FastifyRequest
}): ContactCall => ({
  userId: identity.userId,
  address: request.ip,
  requestId: request.id,
  log: request.log,
})
