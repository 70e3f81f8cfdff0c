import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

/** Parts of an endpoint that are the server's alone: a browser judges what it sends, and believes what it is answered. */
const SERVERS_PARTS = new Set(['summary', 'params', 'query', 'answer', 'errors'])

const SCHEMAS = fileURLToPath(new URL('../src/client/schemas.ts', import.meta.url))

/**
 * The contract as the player site is built with it: without those parts and the schemas that they alone name, and with schemas
 * of our own in place of zod (ADR 0061).
 */
export const BROWSER_CONTRACT = {
  name: 'browser-contract',
  enforce: 'pre',
  resolveId: (id: string) => (id === 'zod/mini' ? SCHEMAS : null),
  transform: {
    order: 'post',
    filter: { id: /src\/contract\/[^/]+\.ts$/, code: 'endpoint(' },
    handler(code: string) {
      let [kept, from] = ['', 0]
      for (const { start, end } of serversParts(parseAst(code))) {
        kept += code.slice(from, start)
        from = code[end] === ',' ? end + 1 : end
      }
      return kept + code.slice(from)
    },
  },
} as const

function serversParts({ body }: ReturnType<typeof parseAst>): { start: number; end: number }[] {
  return body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') return []
    return declared.declarations.flatMap(({ init }) => {
      const isEndpoint =
        init?.type === 'CallExpression' &&
        init.callee.type === 'Identifier' &&
        init.callee.name === 'endpoint'
      const rest = isEndpoint ? init.arguments[3] : undefined
      if (rest?.type !== 'ObjectExpression') return []
      return rest.properties.filter(
        (part) =>
          part.type === 'Property' && part.key.type === 'Identifier' && SERVERS_PARTS.has(part.key.name),
      )
    })
  })
}
