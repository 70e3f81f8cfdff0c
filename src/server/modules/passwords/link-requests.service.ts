import { randomBytes } from 'node:crypto'
import { DEFAULT_SERVER_ID } from '#contract/constants.ts'
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { requestGameCode, requestPasswordReset } from '#contract/accounts/passwords.ts'
import {
  assertNeverErased,
  createAccount,
  findContactsByName,
  isSameEmail,
  passwordHasher,
} from '#server/modules/accounts/index.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { showsNotices, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { queueMail } from '#server/modules/mail/index.ts'
import type { Caller } from '#server/modules/sessions/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { conflict, Refusal } from '#server/platform/values/errors.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { consumeAll, sharedLimit } from '#server/platform/limits/limits.ts'
import { newToken } from '#server/platform/values/crypto.ts'
import { sendGameCode } from './game-codes.service.ts'
import { LINK_MINUTES_MAX, linkMail } from './passwords.mails.ts'
import {
  claimRequest,
  deleteRequest,
  deleteReset,
  erasePasswordRequests,
  exportPasswordLinks,
  insertRequest,
  listDueRequests,
  linkTo,
  openRequest,
  removeOldLinks,
  replaceReset,
} from './resets.queries.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * Requests for one name and address as they were typed, whether or not there is such an account. Both together: by the
 * address alone, anybody could use up its owner's requests.
 */
const REQUESTS_PER_PAIR = [
  sharedLimit('reset request hour', 5, HOUR),
  sharedLimit('reset request day', 10, DAY),
]
/** Codes for one account, as its name was typed. */
const CODES_PER_ACCOUNT = [sharedLimit('game code hour', 5, HOUR), sharedLimit('game code day', 10, DAY)]
/** Links that really go to one mailbox. */
const LINKS_PER_EMAIL = [sharedLimit('reset link hour', 5, HOUR), sharedLimit('reset link day', 10, DAY)]
/** Carriers put thousands of players behind one address. */
export const RESETS_PER_ADDRESS = [sharedLimit('reset address hour', 1_000, HOUR)]
/** Tries with one phone or account from one address; codes themselves die at the fifth wrong try, from wherever it comes. */
export const CODE_RESETS_PER_ADDRESS = [sharedLimit('reset phone address hour', 60, HOUR)]

export type LinkDeps = PlatformDeps & { publicUrl: string; game: GameBridge }

export const LINK_EMAIL_PURPOSE = 'password reset address'

/**
 * Stores a request for a link. Nothing is looked up here: neither the answer nor the time it takes reveals whether name and
 * address belong together.
 */
export async function requestLink(
  deps: LinkDeps,
  { body, requestId }: { body: BodyOf<typeof requestPasswordReset>; requestId: string },
  caller: Caller,
): Promise<AnswerOf<typeof requestPasswordReset>> {
  const { username, email } = body
  await consumeAll(deps.limits, RESETS_PER_ADDRESS, clientKey(caller.address))
  await consumeAll(deps.limits, REQUESTS_PER_PAIR, `${username} ${email}`.toLowerCase())
  await insertRequest(deps, { way: 'email', username, email, requestId })
  caller.log.info(
    { event: 'password.link-asked', address: caller.address },
    'a link to reset a password was asked for',
  )
  return {
    message:
      'Nếu tên đăng nhập và email khớp nhau, bạn sẽ nhận được thư hướng dẫn đặt lại mật khẩu trong ít phút. Hãy xem cả hộp thư rác.',
    report: true,
  }
}

/** As with a link, nothing about the account is looked up here. What the game can do depends on no name. */
export async function requestCode(
  deps: LinkDeps,
  { body: { username }, requestId }: { body: BodyOf<typeof requestGameCode>; requestId: string },
  caller: Caller,
): Promise<AnswerOf<typeof requestGameCode>> {
  await consumeAll(deps.limits, RESETS_PER_ADDRESS, clientKey(caller.address))
  if (!(await showsNotices(deps.db)))
    throw conflict(
      'Game chưa cho xem mã được lúc này. Bạn hãy chọn “Nhờ hỗ trợ” để ban quản trị giúp bạn lấy lại tài khoản.',
    )
  await consumeAll(deps.limits, CODES_PER_ACCOUNT, username.toLowerCase())
  await insertRequest(deps, { way: 'game', username, requestId })
  caller.log.info(
    { event: 'password.game-code-asked', address: caller.address },
    'a code in the game was asked for',
  )
  return {
    message:
      'Nếu tài khoản chưa xác thực số điện thoại hay email nào, mã sẽ hiện trong game trong một phút. Hãy vào game bằng tài khoản đó. Không thấy mã, hãy chọn “Nhờ hỗ trợ”.',
    notify: true,
  }
}

/** A worker that dies with a request leaves it to the next one after this long. */
const LEASE_SECONDS = 60

const ANSWERED_AT_ONCE = 50

/** Answers the requests that are due; true when it did something. */
export const answerRequests = (deps: LinkDeps): Promise<boolean> =>
  workOff(deps, {
    job: 'password requests',
    limit: ANSWERED_AT_ONCE,
    leaseSeconds: LEASE_SECONDS,
    list: (db, isResting) =>
      listDueRequests(db, isResting, { limit: ANSWERED_AT_ONCE, leaseSeconds: LEASE_SECONDS }),
    work: (id) => answerRequest(deps, id),
  })

/** Answers one request: mails the link when name and address belong together. False when another worker has it. */
async function answerRequest(deps: LinkDeps, id: string): Promise<boolean> {
  const request = await claimRequest(deps.db, id, LEASE_SECONDS)
  if (request === undefined) return false
  // Too old to be useful, or failed again and again.
  if (request.ageSeconds > LINK_MINUTES_MAX * 60) {
    await inTransaction(deps.db, (tx) => deleteRequest(tx, id))
    deps.log.error({ event: 'password.request-dropped' }, 'a request for a link was never answered')
    return true
  }
  const requested = await openRequest(deps.vault, request.sealed)
  const account = await findContactsByName(deps.db, requested.username)
  if (requested.way === 'game') {
    if (account !== undefined) await sendGameCode(deps, account)
    await inTransaction(deps.db, (tx) => deleteRequest(tx, id))
    return true
  }
  const email = isSameEmail(account?.email ?? null, requested.email) ? (account?.email ?? null) : null
  if (account === undefined || email === null || !(await mayMail(deps, email))) {
    await inTransaction(deps.db, (tx) => deleteRequest(tx, id))
    return true
  }
  const { userId, username } = account
  await inTransaction(deps.db, async (tx) => {
    if (!(await deleteRequest(tx, id))) return
    await mailResetLink(deps, tx, { userId, username, email })
  })
  deps.log.info(
    { event: 'password.link-sent', userId, requestId: requested.requestId },
    'a link to reset a password was mailed',
  )
  return true
}

/** Makes an account's one link and mails it. */
export async function mailResetLink(
  deps: Pick<LinkDeps, 'vault' | 'publicUrl'>,
  tx: Tx,
  { userId, username, email }: { userId: string; username: string; email: string },
): Promise<void> {
  const url = await makeLink(deps, tx, { userId, email })
  await queueMail(deps.vault, tx, linkMail({ to: email, username }, url))
}

/** From now on a link that was mailed to an account before opens nothing. */
export const endResetLink = (tx: Tx, userId: string): Promise<void> => deleteReset(tx, userId)

/** Counts one link to a mailbox; throws RATE_LIMITED where it has had its share. */
export async function countResetLink({ limits }: Pick<LinkDeps, 'limits'>, email: string): Promise<void> {
  await consumeAll(limits, LINKS_PER_EMAIL, email.toLowerCase())
}

/** Makes an account's one link and answers its address. `email` is empty where the account has none. */
async function makeLink(
  { vault, publicUrl }: Pick<LinkDeps, 'vault' | 'publicUrl'>,
  tx: Tx,
  { userId, email }: { userId: string; email: string },
): Promise<string> {
  const { token, tokenHash } = newToken()
  await replaceReset(tx, { userId, tokenHash, sealedEmail: await vault.seal(LINK_EMAIL_PURPOSE, email) })
  return linkTo(publicUrl, token)
}

/** Exceeding the limit of a mailbox is not shown to the caller: it would reveal that the address belongs to an account. */
async function mayMail(deps: LinkDeps, email: string): Promise<boolean> {
  try {
    await countResetLink(deps, email)
    return true
  } catch (error) {
    if (error instanceof Refusal) {
      deps.log.warn({ event: 'password.link-limited' }, 'a mailbox has had its share of links')
      return false
    }
    throw error
  }
}

/**
 * Makes an account for somebody who will run the portal, also under a name that registration reserves for staff. Answers
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

/** Requests are answered at fixed times, not when they come: the work for one does not show in the time of the next. */
const POLL_MS = 1_000
const HOUR_MS = 3_600_000

export function startPasswordJobs(deps: LinkDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'password requests', pauseMs: POLL_MS, round: () => answerRequests(deps) },
    { name: 'old password links', pauseMs: HOUR_MS, round: () => removeOldLinks(deps) },
  ])
}

export const personalPasswords: PersonalPart = {
  lists: { password_links: exportPasswordLinks },
  erase: erasePasswordRequests,
}
