import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'vite'

const own = fileURLToPath(new URL('../src/client/built-files.ts', import.meta.url))

/** The module by which Vite wraps each `import()` of a built site: `__vitePreload(() => import(…), […files])`. */
const HELPER = /^\0vite\/preload-helper\.js$/

/** Puts `importWithFiles` in place of Vite's helper, which asks once and in a way that cannot be repeated. */
export function askingAgain(): Plugin {
  let isUsed = false
  return {
    name: 'asking-again',
    enforce: 'pre',
    load: {
      filter: { id: HELPER },
      handler() {
        isUsed = true
        return `export { importWithFiles as __vitePreload } from ${JSON.stringify(own)}`
      },
    },
    generateBundle() {
      if (!isUsed) this.error('Vite has another helper for `import()`: see scripts/built-files.ts')
    },
  }
}

/** The files of a part with itself, also where it needs no others. */
export const filesOfParts: BuildOptions['modulePreload'] = {
  polyfill: false,
  resolveDependencies: (file, files) => (files.length > 0 ? files : [file]),
}
