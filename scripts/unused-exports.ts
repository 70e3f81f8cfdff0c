import { parseAst } from 'vite'

const wordsOf = (text: string) => text.trim().split(/\s+/)

/**
 * What React exports and the player site does not use. Its files are CommonJS, of which bundlers drop nothing by themselves; what
 * only these names hold is dropped with them. The build fails where one of our parts uses one.
 */
const UNUSED: { file: RegExp; names: string[] }[] = [
  {
    file: /\/react\/cjs\/react\.production\.js$/,
    names: wordsOf(`
      Activity Children Profiler PureComponent ViewTransition addTransitionType cacheSignal createRef
      unstable_useCacheRefresh useActionState useDebugValue useDeferredValue useEffectEvent
      useImperativeHandle useOptimistic useTransition __COMPILER_RUNTIME`),
  },
  {
    file: /\/react-dom\/cjs\/react-dom\.production\.js$/,
    names: wordsOf(`
      browser preconnect prefetchDNS preinit preinitModule preload preloadModule requestFormReset
      unstable_batchedUpdates useFormState useFormStatus`),
  },
]

type Chunk = { type: string; name?: string; code?: string }

export const WITHOUT_UNUSED_EXPORTS = {
  name: 'without-unused-exports',
  transform: {
    filter: { id: UNUSED.map(({ file }) => file) },
    handler(code: string, id: string) {
      const names = new Set(UNUSED.find(({ file }) => file.test(id))?.names)
      let [kept, from] = ['', 0]
      for (const { name, start, end } of exportsIn(code)) {
        if (!names.delete(name)) continue
        kept += code.slice(from, start)
        from = end
      }
      if (names.size > 0) throw new Error(`${id} exports no ${[...names].join(', ')} any more`)
      return kept + code.slice(from)
    },
  },
  generateBundle(_options: unknown, bundle: Record<string, Chunk>) {
    const used = new RegExp(`\\.(${UNUSED.flatMap(({ names }) => names).join('|')})\\b`)
    for (const { name, code = '' } of Object.values(bundle)) {
      const found = name === 'libraries' ? null : used.exec(code)
      if (found) throw new Error(`${name} uses ${found[1]}, which scripts/unused-exports.ts leaves out`)
    }
  },
} as const

/** `exports.name = …;` at the top of a file. */
function exportsIn(code: string): { name: string; start: number; end: number }[] {
  return parseAst(code).body.flatMap((statement) => {
    const made = statement.type === 'ExpressionStatement' ? statement.expression : null
    if (made?.type !== 'AssignmentExpression' || made.left.type !== 'MemberExpression') return []
    const { object, property } = made.left
    const isExport =
      object.type === 'Identifier' && object.name === 'exports' && property.type === 'Identifier'
    return isExport ? [{ name: property.name, start: statement.start, end: statement.end }] : []
  })
}
