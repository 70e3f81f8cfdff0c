import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendSandboxSms, verifyOneTimeCode } from '#contract/one-time-codes.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { OtpDeps } from './otp-deps.ts'
import { verifyCode } from './otp.service.ts'
import { sendFromSandbox } from './sandbox.service.ts'
import { registerSms } from './sms.routes.ts'

type KnownDevices = {
  /** Whether the account that proved this phone signed in on the calling device. From the module sessions, which imports this one. */
  isDeviceOfPhone(phone: string, request: FastifyRequest): Promise<boolean>
}

export async function registerOtp(
  app: FastifyInstance,
  api: Api,
  deps: OtpDeps & KnownDevices,
): Promise<void> {
  await registerSms(app, api, deps)
  api.serve(verifyOneTimeCode, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    const isKnownDevice = await deps.isDeviceOfPhone(body.phone, request)
    return verifyCode(deps, { ...body, address: request.ip, isKnownDevice, log: request.log })
  })
  // The sandbox can send from any phone, so its call exists in a demo only.
  if (deps.sandbox === null) return
  api.serve(sendSandboxSms, ({ body, reply }) => {
    reply.header('cache-control', 'no-store')
    return sendFromSandbox(deps, body)
  })
}
