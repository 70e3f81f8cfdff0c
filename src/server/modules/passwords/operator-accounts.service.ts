import { randomBytes } from 'node:crypto'
import { DEFAULT_SERVER_ID } from '#contract/constants.ts'
import { assertNeverErased, createAccount, passwordHasher } from '#server/modules/accounts/index.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { makeLink, type LinkDeps } from './link-requests.service.ts'

/**
 * Makes an account for somebody who will run the portal, also under a name that registration keeps for staff. Answers
 * the link that sets its password: until it is used, nobody knows one.
 */
export async function createOperatorAccount(
  deps: Pick<LinkDeps, 'db' | 'vault' | 'publicUrl'>,
  { username, phone }: { username: string; phone: string },
): Promise<string> {
  await assertNeverErased(deps, username)
  const passwordHash = await passwordHasher.inLine(null, ({ hash }) =>
    hash(randomBytes(32).toString('base64url')),
  )
  return inTransaction(deps.db, async (tx) => {
    const { id } = await createAccount(tx, { username, phone, passwordHash, serverId: DEFAULT_SERVER_ID })
    const link = await makeLink(deps, tx, { userId: id, email: '' })
    await appendAudit(tx, {
      actor: { kind: 'system' },
      action: 'users.create-operator',
      subject: { type: 'user', id },
      personal: { username, phone },
    })
    return link
  })
}
