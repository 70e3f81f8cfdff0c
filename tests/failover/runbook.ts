import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { asRole } from '#tests/support/pgbouncer.ts'
import type { PatroniCluster } from './patroni.ts'

/** An `/etc` with what Debian has there at first, for this command alone. */
const IN_NEW_ETC = [
  'cp /etc/passwd /etc/group /run/postgresql/',
  'mount -t tmpfs tmpfs /etc',
  'cp /run/postgresql/passwd /run/postgresql/group /etc/',
  'mkdir -p /etc/default /etc/patroni /etc/modules-load.d /etc/udev/rules.d',
].join('\n')

/** How a line of the runbook is tried on the primary; null for what needs a real machine's kernel or service manager. */
function trialOf(line: string): string | null {
  if (/^(patronictl|ETCDCTL_API=3 etcdctl) /.test(line)) return line
  if (line.startsWith('install ')) return `${IN_NEW_ETC}\n${line}\ntest -s ${line.split(' ').at(-1)}`
  if (line.startsWith('apt install ')) return line.replace('apt install', 'apt-get --simulate install')
  return null
}

const SAYS: readonly (readonly [RegExp, RegExp])[] = [
  [/ list$/, /Sync Standby/],
  [/show-config/, /synchronous_mode: true[^]*synchronous_mode_strict: true/],
  [/endpoint health/, /is healthy/],
]

/** What docs/runbooks/failover.md lets people type, as it stands there, and what came out otherwise than it says. */
export async function tryRunbook({ healed }: PatroniCluster): Promise<string[]> {
  const runbook = await readFile('docs/runbooks/failover.md', 'utf8')
  const { machine, adminUrl } = await healed()
  const wrong: string[] = []
  const blocksOf = (kind: string) =>
    [...runbook.matchAll(new RegExp(`^ *\`\`\`${kind}\n(.*?)^ *\`\`\`$`, 'gms'))].map(([, text = '']) => text)
  const lines = blocksOf('bash').flatMap((text) => text.split('\n').map((line) => line.trim()))
  const quoted = [...runbook.matchAll(/`(patronictl -c [^`]*)`/g)].map(([, text = '']) => text)
  for (const line of [...lines, ...quoted]) {
    for (const [, unit = ''] of line.matchAll(/^systemctl .*?(\w+)$/g))
      if (unit !== 'udevd' && !existsSync(`/lib/systemd/system/${unit}.service`))
        wrong.push(`no unit: ${line}`)
    const trial = trialOf(line)
    if (trial === null) continue
    const { code, output } = machine.run(trial)
    const [, said] = SAYS.find(([typed]) => typed.test(line)) ?? []
    if (code !== 0 || said?.test(output) === false) wrong.push(`${line} ended with ${code}: ${output}`)
  }
  for (const [typed] of SAYS)
    if (![...lines, ...quoted].some((line) => typed.test(line))) wrong.push(`nowhere typed: ${typed}`)
  const asked = blocksOf('sql').find((text) => text.includes('SHOW synchronous_standby_names'))
  const [row] = await asRole(adminUrl, asked ?? '')
  if (!row?.['synchronous_standby_names']) wrong.push(`no standby is waited for: ${JSON.stringify(row)}`)
  return wrong
}
