import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const hasProcFs = process.platform === 'linux'

/** A zombie counts as ended: in a container an orphan may never be reaped, and it does no work any more. */
export function isProcessAlive(pid: number): boolean {
  if (!isPidTaken(pid)) return false
  return !hasProcFs || statFields(pid)?.[0] !== 'Z'
}

/** The kernel's answer, true for zombies too. PostgreSQL checks the pid in its pid file in this way. */
export function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Distinguishes two processes that had the same pid one after the other. Null when the process is gone. Not with the id of
 * the boot: containers and units with a /proc of their own show another one for the same boot.
 */
export function processBirth(pid: number): string | null {
  if (process.platform === 'win32') return isPidTaken(pid) ? 'unknown' : null
  if (!hasProcFs) return ps(pid, 'lstart=')
  return statFields(pid)?.[19] ?? null
}

/** The command line with its arguments joined by spaces; readable without any right over the process. */
export function processCommand(pid: number): string | null {
  if (!hasProcFs) return ps(pid, 'command=')
  const raw = readProc(`${pid}/cmdline`)
  return raw === null ? null : raw.replaceAll('\0', ' ')
}

export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (isProcessAlive(pid)) {
    if (performance.now() > deadline) return false
    await sleep(20)
  }
  return true
}

/** The fields of /proc/<pid>/stat from the third (state) on; the second is a name that may hold spaces and brackets. */
function statFields(pid: number): string[] | null {
  const raw = readProc(`${pid}/stat`)
  return raw === null ? null : raw.slice(raw.lastIndexOf(')') + 2).split(' ')
}

function readProc(name: string): string | null {
  try {
    return readFileSync(`/proc/${name}`, 'utf8')
  } catch {
    // The process ended between two reads, or the kernel does not show it: both mean "nothing to see".
    return null
  }
}

function ps(pid: number, column: string): string | null {
  try {
    return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    // ps answers with a failing exit code when there is no such process.
    return null
  }
}
