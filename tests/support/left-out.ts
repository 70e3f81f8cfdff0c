import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LEFT_OUT_FILE } from '#scripts/left-out.ts'
import { report } from './debian.ts'

/** Reports tests that this machine cannot run: at once, and in the closing lines of `npm test`. */
export async function leaveOut(sentence: string): Promise<void> {
  report(sentence)
  await mkdir(dirname(LEFT_OUT_FILE), { recursive: true })
  await appendFile(LEFT_OUT_FILE, `${sentence.replaceAll('\n', ' ')}\n`)
}
