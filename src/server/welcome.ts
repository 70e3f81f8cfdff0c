import { paths } from '#contract/pages.ts'
import { demoLogin } from '#seeds/players.ts'
import type { Config } from './config.ts'

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
