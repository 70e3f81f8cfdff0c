import { createRequire } from 'node:module'

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2')

/**
 * In place of argon2 where tests make thousands of players: the same work on the same words is done once. Hashes are real
 * ones with the portal's parameters; a password has two, in turn, so that neighbours with the same password still show
 * whether they are salted. Processes of their own, the browser's portal and the tests of hashing have nothing of this.
 */
export const { parseOptions } = argon2

function remembered<A extends unknown[], R>(work: (...given: A) => Promise<R>, results: number) {
  const done = new Map<string, Promise<R>[]>()
  return (...given: A): Promise<R> => {
    const key = JSON.stringify(given)
    const known = done.get(key) ?? []
    const next = known.length < results ? work(...given) : (known.shift() as Promise<R>)
    done.set(key, [...known, next])
    return next
  }
}

export const hash = remembered(argon2.hash, 2)
export const verify = remembered(argon2.verify, 1)
