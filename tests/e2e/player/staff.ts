import type { APIRequestContext, APIResponse } from '@playwright/test'
import { sql } from 'kysely'
import type { Role } from '#contract/operator/roles.ts'
import { grantRole as grant } from '#server/modules/accounts/index.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { setProof } from '#tests/support/operators.ts'
import { appCode } from '#tests/support/players.ts'
import { setSetting } from '#tests/support/settings.ts'
import { expect, loginByCall, registerPlayer, whoIs } from './fixtures.ts'

/** `token` is of the console, `playerToken` of the same person at the player site. */
export type StaffMember = {
  username: string
  password: string
  token: string
  playerToken: string
  secret: string
  recoveryCodes: string[]
}

/** Works on the database of the portal with the given data folder. */
export async function withPortalsDb(dataDir: string, work: (db: Db) => Promise<unknown>): Promise<void> {
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  const db = openDatabase({ url: embedded.url, log: openLog('warn'), connectionsMax: 1 })
  try {
    await work(db)
  } finally {
    await db.destroy()
    await embedded.stop()
  }
}

/** What `operator grant` does, without a process for each of many. */
export const grantRole = (dataDir: string, username: string, role: Role): Promise<void> =>
  withPortalsDb(dataDir, (db) => grant(db, { username, role }))

/**
 * Confirms the second factor with the app's code of the step before this one. It is accepted until the next step begins:
 * when that happened before it was validated, the next code is sent.
 */
async function confirmSecondFactor(
  request: APIRequestContext,
  { headers, secret }: { headers: Record<string, string>; secret: string },
): Promise<APIResponse> {
  const code = appCode(secret, -1)
  const confirmed = await request.post('/api/user/second-factor/confirm', { headers, data: { code } })
  const isOutdated = confirmed.status() === 422 && code !== appCode(secret, -1)
  return isOutdated ? confirmSecondFactor(request, { headers, secret }) : confirmed
}

/** Owners of the tests before are owners no more: what the house decides would wait for them. */
export const leaveOwnersBehind = (dataDir: string): Promise<void> =>
  withPortalsDb(dataDir, (db) => sql`DELETE FROM user_roles WHERE role = 'owner'`.execute(db))

/** Gives an account a role and the second factor, and signs it in to the console. */
export async function makeStaff(
  request: APIRequestContext,
  { username, password }: { username: string; password: string },
  { dataDir, role }: { dataDir: string; role: Role },
): Promise<StaffMember> {
  await grantRole(dataDir, username, role)
  const playerToken = await loginByCall(request, { username, password })
  const headers = { authorization: `Bearer ${playerToken}` }
  const started = await request.post('/api/user/second-factor', { headers })
  const { secret } = (await started.json()) as { secret: string }
  const confirmed = await confirmSecondFactor(request, { headers, secret })
  expect(confirmed.status(), await confirmed.text()).toBe(200)
  const { recovery_codes: codes } = (await confirmed.json()) as { recovery_codes: string[] }
  // The present code of the app and the next one are left for what the test does: each works once.
  const [otp, ...recoveryCodes] = codes
  const opened = await request.post('/api/operator/session', { data: { username, password, otp } })
  expect(opened.status(), await opened.text()).toBe(201)
  const { access_token: token } = (await opened.json()) as { access_token: string }
  return { username, password, token, playerToken, secret, recoveryCodes }
}

/** A new member of staff at the portal with the given data folder. */
export async function aStaffMember(
  request: APIRequestContext,
  dataDir: string,
  role: Role,
): Promise<StaffMember> {
  return makeStaff(request, await registerPlayer(request), { dataDir, role })
}

/** One whose console session has a fresh proof. */
export async function aProvedStaffMember(
  request: APIRequestContext,
  dataDir: string,
  role: Role,
): Promise<StaffMember> {
  const staff = await aStaffMember(request, dataDir, role)
  const { id } = await whoIs(request, staff.playerToken)
  await withPortalsDb(dataDir, (db) => setProof({ db }, { id }, { isFresh: true }))
  return staff
}

type Setting = { token: string; key: string; value: string }

/** Sends a new value for a setting, as somebody who has just read it; it may be refused. */
export async function putSetting(
  request: APIRequestContext,
  { token, key, value }: Setting,
): Promise<APIResponse> {
  const headers = { authorization: `Bearer ${token}` }
  const filter = JSON.stringify({ id: key })
  const [current] = await (
    await request.get('/api/operator/settings', { headers, params: { filter } })
  ).json()
  return request.put('/api/operator/settings', {
    headers,
    data: { values: { [key]: value }, updated_at: current.updated_at, reason: 'Kiểm thử' },
  })
}

export async function saveSetting(request: APIRequestContext, setting: Setting): Promise<void> {
  const answer = await putSetting(request, setting)
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Sets a value past the console: of a link, which takes two people. */
export const storeSetting = (
  dataDir: string,
  { key, value }: { key: string; value: string },
): Promise<void> => withPortalsDb(dataDir, (db) => setSetting({ db }, key, value))

/** Changes a price as two owners with a fresh proof do: one proposes it, the other approves. */
export async function changePrice(
  request: APIRequestContext,
  [first, second]: readonly [StaffMember, StaffMember],
  { key, value }: { key: string; value: string },
): Promise<void> {
  const proposed = await putSetting(request, { token: first.token, key, value })
  expect(proposed.status(), await proposed.text()).toBe(202)
  await approveProposals(request, second)
}

/** Approves what waits for this owner's yes. */
export async function approveProposals(request: APIRequestContext, { token }: StaffMember): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const params = { filter: JSON.stringify({ state: 'waiting' }) }
  const listed = await request.get('/api/operator/proposals', { headers, params })
  for (const { id, kind } of (await listed.json()) as { id: string; kind: string }[]) {
    if (kind !== 'setting') continue
    const data = { reason: 'Kiểm thử' }
    const approved = await request.post(`/api/operator/proposals/${id}/approve`, { headers, data })
    expect(approved.status(), await approved.text()).toBe(200)
  }
}
