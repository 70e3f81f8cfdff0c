import { paths } from '#contract/pages.ts'
import { demoLogin } from '#seeds/players.ts'
import type { Config } from '../config/config.ts'
import { examine, lineOf } from '../health/checkup.ts'
import type { Log } from '../platform/log/log.ts'

/** Prints what is connected and what is not; what is missing is also logged. */
export async function report({ config, log }: { config: Config; log: Log }): Promise<void> {
  const findings = await examine(config)
  for (const { level, name, text } of findings) if (level !== 'ok') log.warn({ name }, text)
  process.stderr.write(`\n${findings.map((finding) => `  ${lineOf(finding)}\n`).join('')}`)
}

export function printWelcome({ publicUrl, isDemo }: Pick<Config, 'publicUrl' | 'isDemo'>): void {
  const lines = [
    '',
    `  Cổng Ninja is open at ${publicUrl}${paths.home}`,
    ...(isDemo
      ? [
          `  Demo player: ${demoLogin.username} / ${demoLogin.password}`,
          `  Pay a QR without a bank, text without a phone: ${publicUrl}${paths.sandbox}`,
        ]
      : []),
    '  Become an operator: npm run portal -- operator grant <username> owner',
    `  then sign in and turn on the second factor: ${publicUrl}${paths.profile}`,
    '',
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
}
