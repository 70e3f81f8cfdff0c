/** The variable of the environment by which the primary (`cluster/primary.ts`) assigns each process its place. */
export const PLACE_VARIABLE = 'CONG_NINJA_PLACE'

export type ProcessPlace = {
  role: 'web' | 'worker'
  /** Web processes are 1, 2 …; the worker is 0. */
  number: number
  /** How many web processes share the listener, and what the machine can bear. */
  webs: number
}

export const writePlace = ({ role, number, webs }: ProcessPlace): string => `${role} ${number} ${webs}`

export function readPlace(text: string | undefined): ProcessPlace | null {
  const [, role, number, webs] = /^(web|worker) (\d+) (\d+)$/.exec(text ?? '') ?? []
  if (role === undefined) return null
  return { role: role as ProcessPlace['role'], number: Number(number), webs: Number(webs) }
}

/** Null in a portal of one process. */
export const ownPlace = readPlace(process.env[PLACE_VARIABLE])

/** As logs name it. */
export const nameOfPlace = ({ role, number }: ProcessPlace): string =>
  role === 'worker' ? 'worker' : `web${number}`

/**
 * Of what the machine bears, the part of this process; `least` where fewer would stop the work. The worker has no
 * other of its kind beside it.
 */
export function shareOfMachine(total: number, least = 1, place = ownPlace): number {
  const sharers = place?.role === 'web' ? place.webs : 1
  return Math.max(least, Math.ceil(total / sharers))
}
