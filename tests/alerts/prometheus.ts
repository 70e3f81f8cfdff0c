import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { invariant } from '#server/platform/values/errors.ts'
import { ALERTS_FILE, type AlertRule } from '#tests/support/alert-rules.ts'
import { freePort } from '#tests/support/network.ts'
import { eventually } from '#tests/support/purchases.ts'

const START_MS_MAX = 60_000

export type Prometheus = {
  /** The names of the rules that have fired since its start, and of those that are pending or firing now. */
  fired(): Promise<string[]>
  active(state: 'pending' | 'firing'): Promise<string[]>
  /** How many targets answer. */
  targetsUp(): Promise<number>
  end(): Promise<void>
}

/** Debian's Prometheus with the configuration of the runbook and the rules as they are shipped. */
export async function startPrometheus(folder: string, held: readonly AlertRule[] = []): Promise<Prometheus> {
  await mkdir(folder)
  const runbook = await readFile('docs/runbooks/watch.md', 'utf8')
  const config = /```yaml\n(# prometheus\.yml\n.*?)```/s.exec(runbook)?.[1]
  invariant(config, 'the runbook has a configuration of Prometheus')
  await writeFile(join(folder, 'prometheus.yml'), config)
  await copyFile(ALERTS_FILE, join(folder, 'alerts.yml'))
  const data = join(folder, 'data')
  if (held.length > 0) await pretendPending(data, held)
  const port = await freePort()
  const child = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${data}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-5_000)))
  const query = async (expr: string) => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`
    const answer = (await (await fetch(url)).json()) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] }
    }
    return answer.data.result
  }
  const names = async (expr: string) =>
    (await query(`count by (alertname) (${expr})`)).map(({ metric }) => metric['alertname'] ?? '').toSorted()
  await eventually(async () => {
    invariant(child.exitCode === null, `Prometheus ended: ${output}`)
    await query('1')
  }, START_MS_MAX)
  return {
    fired: () => names('last_over_time(ALERTS{alertstate="firing"}[2h])'),
    active: (state) => names(`ALERTS{alertstate="${state}"}`),
    targetsUp: async () => Number((await query('sum(up)'))[0]?.value[1] ?? 0),
    end: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}

const MINUTE_S = 60

/**
 * Rules that wait for an hour, as if they had done so: Prometheus keeps since when an alert is pending in a series of its
 * own and reads that again when it starts, which is how it outlives a restart.
 */
async function pretendPending(data: string, rules: readonly AlertRule[]): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  const lines = rules.flatMap(({ name, severity }) =>
    [25, 24, 23, 22, 21, 20].map(
      (minutes) =>
        `ALERTS_FOR_STATE{alertname="${name}",severity="${severity}"} ${now - 180 * MINUTE_S} ${now - minutes * MINUTE_S}`,
    ),
  )
  const file = `${data}.openmetrics`
  await writeFile(file, ['# TYPE ALERTS_FOR_STATE gauge', ...lines, '# EOF', ''].join('\n'))
  await promisify(execFile)('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, data])
}
