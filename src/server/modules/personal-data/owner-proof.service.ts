import type { BodyOf } from '#contract/endpoint.ts'
import type { downloadPersonalData } from '#contract/accounts/personal-data.ts'
import { passwordHasher } from '#server/modules/accounts/index.ts'
import { checkCurrentPassword } from '#server/modules/passwords/index.ts'
import {
  acceptProof,
  checkSecondFactor,
  wrongSecondFactor,
  type SecondFactorProof,
} from '#server/modules/second-factor/index.ts'
import type { Caller } from '#server/modules/sessions/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'

/** A request that takes the password, and a code of the second factor where it is on. */
export type OwnerRequest<Body = BodyOf<typeof downloadPersonalData>> = {
  identity: Identity
  body: Body
  requestId: string
  caller: Caller
}

/** Before the transaction: a refusal inside it would undo the count of wrong passwords and codes. */
export async function checkOwner(
  deps: PlatformDeps,
  { identity, body, caller }: OwnerRequest,
): Promise<SecondFactorProof> {
  await passwordHasher.inLine(caller.address, (hashing) =>
    checkCurrentPassword(deps, { identity, password: body.current_password }, { ...caller, hashing }),
  )
  return checkSecondFactor(deps, { userId: identity.userId, code: body.otp })
}

/** In the transaction of what it is for: a code counts once. */
export async function acceptOwner(tx: Tx, userId: string, proof: SecondFactorProof): Promise<void> {
  if (!(await acceptProof(tx, { userId, proof }))) throw wrongSecondFactor()
}
