import MarkdownIt, { type Token } from 'markdown-it'
import type { Plugin } from 'vite'

export type Runbook = {
  /** Its first heading, which the HTML does not repeat. */
  title: string
  html: string
}

const LEADS_OUTSIDE = /^https?:/
const IS_RUNBOOK = /^([\w-]+)\.md(#.*)?$/

/** HTML of a runbook's Markdown: HTML inside it is shown as text, pictures are not loaded, and links lead to other runbooks. */
export function renderRunbook(markdown: string): Runbook {
  // With html: false all of it is escaped, and links with a scheme that runs scripts stay text: markdown-it's safe mode.
  const parser = new MarkdownIt({ html: false }).disable('image')
  const tokens = parser.parse(markdown, {})
  const title = tokens[0]?.tag === 'h1' ? (tokens[1]?.content ?? '') : ''
  for (const token of tokens) {
    // A wide table is scrolled sideways on a phone, by keys too.
    if (token.type === 'table_open') token.attrSet('tabindex', '0')
    for (const child of token.children ?? []) setAddress(child)
  }
  return { title, html: parser.renderer.render(title === '' ? tokens : tokens.slice(3), parser.options, {}) }
}

/** Files that are not runbooks are not in the console: their links go nowhere, and are shown as text. */
function setAddress(token: Token): void {
  if (token.type !== 'link_open') return
  const address = String(token.attrGet('href'))
  const [, name] = IS_RUNBOOK.exec(address) ?? []
  if (name !== undefined) token.attrSet('href', `/admin/runbooks/${name}`)
  else if (LEADS_OUTSIDE.test(address)) token.attrSet('rel', 'noopener noreferrer')
  else token.attrs = null
}

/** Files of docs/runbooks, imported as `Runbook`. */
export const runbooks = (): Plugin => ({
  name: 'runbooks',
  transform: {
    filter: { id: /[\\/]docs[\\/]runbooks[\\/][\w-]+\.md$/ },
    // Of the text nothing is left to point to.
    handler: (markdown) => ({
      code: `export default ${JSON.stringify(renderRunbook(markdown))}`,
      map: { mappings: '' },
    }),
  },
})
