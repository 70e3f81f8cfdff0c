import { SetupProblem } from '#server/platform/values/errors.ts'

/** Of packages, which have no code for it. */
const WITHOUT_MACHINE_CODE = /native binding|Could not load the "sharp" module/

type Coded = { code?: unknown; message?: unknown; address?: unknown; port?: unknown; path?: unknown }

const TEXTS: Record<string, (error: Coded) => string> = {
  EADDRINUSE: ({ address, port }) =>
    `another program uses ${address}:${port}: end it, or choose another port with PORT=…`,
  EADDRNOTAVAIL: ({ address }) =>
    `this machine has no address ${address}: set HOST to one it has, or to 0.0.0.0 for all`,
  ENOSPC: ({ path }) => `no space is left on the disk${of(path)}: make room, then start again`,
  EDQUOT: ({ path }) => `the quota of this user is used up${of(path)}: make room, then start again`,
  EROFS: ({ path }) => `a file has to be written on a read-only disk${of(path)}: choose another DATA_DIR`,
  // Also where a folder above may not be entered. Ports of this kind are below.
  EACCES: ({ path }) =>
    `this user may not read or write${path === undefined ? '' : ` ${path}`}: give it the right to, or start the portal as the user who has it; the program itself is read by everybody (umask 022 while it is installed, or chmod -R go+rX)`,
  ERR_MODULE_NOT_FOUND: notWhole,
  MODULE_NOT_FOUND: notWhole,
  ERR_DLOPEN_FAILED: notWhole,
  EMFILE: () => 'too many files are open: raise the limit of open files (LimitNOFILE=, ulimit -n) to 65536',
  // PostgreSQL's own codes.
  '53100': () => 'no space is left on the disk of PostgreSQL: make room there, then start again',
  '53300': () => 'PostgreSQL has no free connection: raise its max_connections, or lower DATABASE_POOL',
  '42501': ({ message }) =>
    `the role of DATABASE_URL may not do what the portal needs (${message}): give DATABASE_URL the role that owns the database`,
}

/** A part of the program that is read while it starts. */
function notWhole({ message }: Coded): string {
  const [reason = ''] = String(message).split('\n')
  return `the program is not whole here, or may not be read by this user (${reason}): run \`npm ci\` and \`npm run build\` in its folder on this machine, with umask 022, then start again`
}

const of = (path: unknown) => (typeof path === 'string' ? ` (${path})` : '')

/** The text of a failed start: one sentence with what to do; a stack only for unknown errors. */
export function sentenceOf(error: unknown): string {
  if (error instanceof SetupProblem) return error.message
  const failure = error as Coded & { stack?: unknown; syscall?: unknown }
  const { code } = failure
  if (
    (code === 'EACCES' || code === 'EPERM') &&
    (failure.syscall === 'listen' || failure.syscall === 'bind')
  ) {
    return `this user may not listen at ${failure.address}:${failure.port}: choose a port from 1024 on, and let a proxy have 443`
  }
  const text = typeof code === 'string' ? TEXTS[code] : undefined
  if (text) return text(failure)
  if (WITHOUT_MACHINE_CODE.test(String(failure?.message))) return notWhole(failure)
  return String(failure?.stack ?? error)
}
