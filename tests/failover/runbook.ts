import { readFile } from 'node:fs/promises'
import { asRole } from '#tests/support/pgbouncer.ts'
import type { PatroniCluster } from './patroni.ts'

/** What docs/runbooks/failover.md lets people type, as it stands there, and what came out otherwise than it says. */
export async function tryRunbook({ healed }: PatroniCluster): Promise<string[]> {
  const runbook = await readFile('docs/runbooks/failover.md', 'utf8')
  const { machine, adminUrl } = await healed()
  const wrong: string[] = []
  const blocks = [...runbook.matchAll(/^ *```(bash|sql)\n(.*?)^ *```$/gms)].map(([, kind, text = '']) => ({
    kind,
    text,
  }))
  const typed = blocks.flatMap(({ kind, text }) =>
    kind === 'bash'
      ? text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line.startsWith('patronictl '))
      : [],
  )
  if (typed.length === 0) wrong.push('the runbook has no patronictl')
  for (const line of typed) {
    const { code, output } = machine.run(line)
    if (code !== 0 || !/Sync Standby|synchronous_mode_strict: true/.test(output))
      wrong.push(`${line} ended with ${code}: ${output}`)
  }
  const asked = blocks.find(
    ({ kind, text }) => kind === 'sql' && text.includes('SHOW synchronous_standby_names'),
  )
  const [row] = await asRole(adminUrl, asked?.text ?? '')
  if (!row?.['synchronous_standby_names']) wrong.push(`no standby is waited for: ${JSON.stringify(row)}`)
  return wrong
}
