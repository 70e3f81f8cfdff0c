import { fileURLToPath } from 'node:url'

const fileOf = (path: string) =>
  fileURLToPath(new URL(`../node_modules/${path}.production.js`, import.meta.url))

export const REACT_FILES: Readonly<Record<string, string>> = {
  react: fileOf('react/cjs/react'),
  'react/jsx-runtime': fileOf('react/cjs/react-jsx-runtime'),
  'react-dom': fileOf('react-dom/cjs/react-dom'),
  'react-dom/client': fileOf('react-dom/cjs/react-dom-client'),
  scheduler: fileOf('scheduler/cjs/scheduler'),
}

const REQUIRES = /^var ((?:\w+ = require\("[\w-]+"\)(?:,\s*)?)+);/m

/**
 * React comes as CommonJS, of which bundlers drop nothing by themselves, and every use goes over an object. Its files for
 * production are rewritten as modules: what the player site does not use is dropped, and the rest is called by its name.
 */
export const REACT_MODULES = {
  name: 'react-modules',
  enforce: 'pre',
  // React's renderer asks whether its scheduler has two functions that are there for its own developers.
  config: () => ({ build: { rolldownOptions: { checks: { importIsUndefined: false } } } }),
  resolveId: (source: string) => REACT_FILES[source] ?? null,
  transform: {
    filter: { id: Object.values(REACT_FILES) },
    handler: asModule,
  },
} as const

/** Throws when a new version is written in another way. */
export function asModule(code: string, id: string): string {
  const names = new Set<string>()
  const body = code
    .replace(REQUIRES, (_, list: string) =>
      list.replace(/(\w+) = require\(("[\w-]+")\),?/g, 'import * as $1 from $2;'),
    )
    // At the beginning of a line stand those at the top of the file.
    .replace(/^exports\.(\w+) =/gm, (_, name: string) => {
      const isFirst = !names.has(name)
      names.add(name)
      return `${isFirst ? 'let ' : ''}exported_${name} =`
    })
    .replace(/\bexports\.(\w+)/g, (use, name: string) => (names.has(name) ? `exported_${name}` : use))
  if (names.size === 0 || /\b(exports|require)\b/.test(body))
    throw new Error(`${id} is not written as it was`)
  return `${body}\nexport { ${[...names].map((name) => `exported_${name} as ${name}`).join(', ')} }`
}
