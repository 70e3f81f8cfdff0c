import { spawnSync } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useFolder } from '#tests/support/folder.ts'
import { stepsOf } from '../upgrade/runbook.ts'
import { root } from './checkout-copy.ts'

const folder = useFolder()
const step = stepsOf(await readFile(join(root, 'docs/runbooks/upgrade.md'), 'utf8'))

/** The step where these programs of the machine are others: each is a line of shell. */
async function restart(programs: { curl: string; restartsOfWorker: number }) {
  const log = join(folder, 'log')
  await writeFile(log, '')
  const systemctl = `[ "$1" = show ] && echo ${programs.restartsOfWorker} || echo "$@" >> ${log}`
  for (const [name, line] of Object.entries({ systemctl, curl: programs.curl, sleep: ':' })) {
    await writeFile(join(folder, name), `#!/bin/sh\n${line}\n`)
    await chmod(join(folder, name), 0o755)
  }
  const { status, stderr } = spawnSync('timeout', ['-s', 'KILL', '10', 'bash', '-c', step('restart')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${folder}:/usr/bin:/bin` },
  })
  return { status, stderr, acts: (await readFile(log, 'utf8')).split('\n').slice(0, -1) }
}

test('the restart goes from process to process, and ends with a sentence at the first that does not come back', async () => {
  expect(await restart({ curl: 'true', restartsOfWorker: 0 })).toEqual({
    status: 0,
    stderr: '',
    acts: ['restart portal-web@3001', 'restart portal-web@3002', 'restart portal-worker'],
  })
  const first = await restart({ curl: 'exit 22', restartsOfWorker: 0 })
  expect(first).toMatchObject({ status: 1, acts: ['restart portal-web@3001'] })
  expect(first.stderr).toMatch(
    /portal-web@3001 is not ready after 5 minutes[^]*journalctl -u portal-web@3001/,
  )
  const second = await restart({ curl: 'case "$*" in *:3002/readyz) exit 28;; esac', restartsOfWorker: 0 })
  expect(second).toMatchObject({ status: 1, acts: ['restart portal-web@3001', 'restart portal-web@3002'] })
  const worker = await restart({ curl: 'true', restartsOfWorker: 3 })
  expect(worker.status).toBe(1)
  expect(worker.stderr).toContain('portal-worker does not keep running')
})

test('the wait for a process has an end', () => {
  expect(step('restart')).toMatch(/--max-time 5 --retry 300 .*\\\n.*--retry-max-time 300 /)
})
