import { randomInt } from 'node:crypto'

/** A random address of a private network, unlikely to be used twice in a run. */
export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`
}
