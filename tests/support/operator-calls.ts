import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '#contract/endpoint.ts'

const FOLDER = join(import.meta.dirname, '../../src/contract/operator')

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'access' in value

/** Every operator call of the contract that is not a read, as `POST /operator/users/{id}/ban`. */
export async function changingCalls(): Promise<Map<string, Endpoint>> {
  const found = new Map<string, Endpoint>()
  for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.ts'))) {
    const exported = Object.values((await import(join(FOLDER, file))) as Record<string, object>)
    const values = [...exported, ...exported.flatMap((value) => Object.values(value ?? {}))]
    for (const one of values.filter(isEndpoint))
      if (one.method !== 'GET') found.set(`${one.method} ${one.path}`, one)
  }
  return found
}
