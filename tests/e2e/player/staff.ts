import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { APIRequestContext } from '@playwright/test'
import { expect, registerPlayer, turnOnSecondFactor } from './fixtures.ts'

/** Runs the operator command of the portal with the given data folder. */
export async function grantRole(dataDir: string, username: string, role: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['src/server/cli.ts', 'operator', 'grant', username, role], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, DEMO: '1' },
  })
}

export async function saveSetting(
  request: APIRequestContext,
  { token, key, value }: { token: string; key: string; value: string },
): Promise<void> {
  const answer = await request.put(`/api/operator/settings/${key}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { value, reason: 'Kiểm thử' },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** A new player with the role cashier at the portal with the given data folder; returns their token. */
export async function aCashier(request: APIRequestContext, dataDir: string): Promise<string> {
  const { username, token } = await registerPlayer(request)
  await grantRole(dataDir, username, 'cashier')
  await turnOnSecondFactor(request, token)
  return token
}
