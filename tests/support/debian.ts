import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const INSTALL_TIMEOUT_MS = 5 * 60_000

type RunOptions = { timeout: number; env: NodeJS.ProcessEnv }

/** Installs packages of Debian, for which root is needed. Throws with the reason. */
export async function installFromDebian(names: readonly string[], missing: string): Promise<void> {
  if (!(await isDebian())) throw new Error('not installed from Debian: this is not Debian')
  if (process.getuid?.() !== 0) throw new Error('not installed from Debian: that needs root')
  report(`No ${missing} found: installing ${names.join(', ')} with apt-get, which may take some minutes …`)
  const options = {
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  // Another test may be installing what it needs: apt-get itself would not wait for the list of packages.
  const waiting = [join(tmpdir(), 'cong-ninja-apt.lock'), 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=240']
  await runProgram('flock', [...waiting, 'update'], options)
  await runProgram('flock', [...waiting, 'install', '-y', '--no-install-recommends', ...names], options)
}

/** Runs a program; its error names the reason. */
export async function runProgram(program: string, args: string[], options: RunOptions): Promise<void> {
  try {
    await run(program, args, options)
  } catch (error) {
    const {
      killed = false,
      stderr = '',
      message,
    } = error as { killed?: boolean; stderr?: string; message: string }
    const reason = killed ? `no end after ${options.timeout / 1000} s` : reasonIn(stderr) || message
    throw new Error(`${[program, ...args].join(' ')}: ${reason}`, { cause: error })
  }
}

async function isDebian(): Promise<boolean> {
  // No such file outside Linux.
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^ID="?debian"?$/m.test(release)
}

/** The first line that mentions an error, since stack traces follow it; else the last line. */
export function reasonIn(output: string): string {
  const lines = output.trim().split('\n')
  return (lines.find((line) => /^(E:|error\b)/i.test(line)) ?? lines.at(-1) ?? '').trim()
}

export function report(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
