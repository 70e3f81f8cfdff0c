import { readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One a build and file, as scripts/build.ts lays them: outside of what is served. */
export const BUILT_MAPS = fileURLToPath(new URL('../../../../dist/web/maps/', import.meta.url))

/** The address of a built file, from its first folder on: what leaves the folder of maps is none. */
const BUILT_FILE = /^(?:admin\/)?static\/(?:js\/)?\w[\w.-]*\.js$/

/** Read ones that are kept: those of one page that breaks. Each holds some MB. */
const KEPT_MAX = 6

export type SourceMaps = {
  /** Whether a build that is kept has the file. */
  has(file: string): Promise<boolean>
  /** `src/web/router.tsx:12:3` for a place in a built file, `static/js/portal-x1.js:1:2345`; the same text where no map knows it. */
  placeOf(place: string): Promise<string>
}

/** Of each file the map in the first folder that has it. */
export function openSourceMaps(folders: readonly string[]): SourceMaps {
  const kept = new Map<string, Promise<SourceMap | null>>()

  function mapOf(file: string): Promise<SourceMap | null> {
    const known = kept.get(file)
    if (known) return known
    const read = readMap(folders, file)
    kept.set(file, read)
    for (const oldest of kept.keys()) if (kept.size > KEPT_MAX) kept.delete(oldest)
    return read
  }

  return {
    has: async (file) => (await mapOf(file)) !== null,
    async placeOf(place) {
      const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/.exec(place) ?? []
      const origin = (await mapOf(file))?.findOrigin(Number(line), Number(column))
      if (!origin || !('fileName' in origin)) return place
      const { fileName, lineNumber, columnNumber } = origin
      return `${fileName.replace(/^(?:\.\.\/)+/, '')}:${lineNumber}:${columnNumber}`
    },
  }
}

async function readMap(folders: readonly string[], file: string): Promise<SourceMap | null> {
  if (!BUILT_FILE.test(file)) return null
  for (const folder of folders) {
    const text = await readFile(join(folder, `${file}.map`), 'utf8').catch(() => null)
    if (text !== null) return new SourceMap(JSON.parse(text) as SourceMapPayload)
  }
  return null
}
