import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestApp } from './app.ts'
import { PAYMENT_ENVIRONMENT } from './payment-keys.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs `npm run portal -- …` as its own process on the test's database. */
export function runCommand(
  { ownerUrl }: Pick<TestApp, 'ownerUrl'>,
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; output: string; errors: string }> {
  const env = {
    ...process.env,
    ...PAYMENT_ENVIRONMENT,
    DATABASE_URL: ownerUrl,
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    ...environment,
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/server/cli/cli.ts', ...words],
      { cwd: root, env },
      (error, output, errors) => resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    )
  })
}
