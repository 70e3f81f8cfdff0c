import { examine, lineOf } from './checkup/index.ts'
import type { Config } from './config.ts'
import type { Log } from './platform/log/log.ts'

/** Prints what is connected and what is not; what is missing is also logged. */
export async function report({ config, log }: { config: Config; log: Log }): Promise<void> {
  const findings = await examine(config)
  for (const { level, name, text } of findings) if (level !== 'ok') log.warn({ name }, text)
  process.stderr.write(`\n${findings.map((finding) => `  ${lineOf(finding)}\n`).join('')}`)
}
