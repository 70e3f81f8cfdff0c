import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Where tests write which of them the machine cannot run, a sentence a line. */
export const LEFT_OUT_FILE = fileURLToPath(new URL('../.cache/left-out.txt', import.meta.url))

export const forgetLeftOut = () => rm(LEFT_OUT_FILE, { force: true })

/** Each sentence once, however many files wrote it. */
export async function readLeftOut(): Promise<string[]> {
  const text = await readFile(LEFT_OUT_FILE, 'utf8').catch(() => '')
  return [...new Set(text.split('\n').filter(Boolean))]
}
