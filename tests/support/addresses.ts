import { randomInt } from 'node:crypto'

/** An address of a private network that nobody else in this run is likely to have drawn. */
export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`
}
