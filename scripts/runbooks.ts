import { posix } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import type { Plugin } from 'vite'

export type Runbook = {
  /** Its first heading, which the HTML does not repeat. */
  title: string
  /** Of an operators' page what stands above its sections. */
  html: string
}

/** A section of an operators' page: of an alarm, or of something that sections of alarms refer to. */
type Section = Runbook & {
  /** By which messages name the alarm, which the HTML leaves out; the first one is the section's address. */
  alarms: readonly string[]
}

/** A page of docs/runbooks/vi, for whoever sits at the console. */
export type OperatorsRunbook = Runbook & { sections: readonly Section[] }

/** The same without its texts. */
export type RunbookSummary = { title: string; sections: readonly Omit<Section, 'html'>[] }

const LEADS_OUTSIDE = /^https?:/
const IS_RUNBOOK = /^(vi\/)?([\w-]+)\.md(?:#.*)?$/
const IS_SCREEN = /^\/admin\//
/** Of what operators read, beside the engineer's part of the same name. */
const OPERATORS = 'vi'

/** HTML of a runbook's Markdown: HTML inside it is shown as text, pictures are not loaded, and links lead to other runbooks and to screens. */
export function renderRunbook(markdown: string): Runbook {
  const { title, tokens, toHtml } = read(markdown, '')
  return { title, html: toHtml(tokens) }
}

/** The same of a page for operators, with each section by itself. */
export function renderOperatorsRunbook(markdown: string): OperatorsRunbook {
  const { title, tokens, toHtml } = read(markdown, OPERATORS)
  const starts = tokens.flatMap(({ type, tag }, at) => (type === 'heading_open' && tag === 'h2' ? [at] : []))
  return {
    title,
    html: toHtml(tokens.slice(0, starts[0])),
    sections: starts.map((start, index) => {
      const section = tokens.slice(start, starts[index + 1])
      // Heading and paragraph are three tokens each; the first paragraph of an alarm has nothing but its names in code.
      const [, heading, , , names] = section
      const codes = names?.children?.filter(({ type }) => type === 'code_inline') ?? []
      return {
        title: heading?.content ?? '',
        alarms: codes.map(({ content }) => content),
        html: toHtml(section.slice(codes.length > 0 ? 6 : 3)),
      }
    }),
  }
}

function read(markdown: string, folder: string) {
  // With html: false all of it is escaped, and links with a scheme that runs scripts stay text: markdown-it's safe mode.
  const parser = new MarkdownIt({ html: false }).disable('image')
  const all = parser.parse(markdown, {})
  const title = all[0]?.tag === 'h1' ? (all[1]?.content ?? '') : ''
  for (const token of all) {
    // A wide table is scrolled sideways on a phone, by keys too.
    if (token.type === 'table_open') token.attrSet('tabindex', '0')
    for (const child of token.children ?? []) setAddress(child, folder)
  }
  return {
    title,
    tokens: title === '' ? all : all.slice(3),
    toHtml: (tokens: Token[]) => parser.renderer.render(tokens, parser.options, {}),
  }
}

/** Files that are not runbooks are not in the console: their links go nowhere, and are shown as text. */
function setAddress(token: Token, folder: string): void {
  if (token.type !== 'link_open') return
  const address = String(token.attrGet('href'))
  const [, isOperators, name] = IS_RUNBOOK.exec(posix.join(folder, address)) ?? []
  if (name !== undefined)
    token.attrSet('href', `/admin/runbooks/${name}${isOperators ? '' : '?part=engineer'}`)
  else if (LEADS_OUTSIDE.test(address)) token.attrSet('rel', 'noopener noreferrer')
  else if (!IS_SCREEN.test(address)) token.attrs = null
}

function summarize(markdown: string): RunbookSummary {
  const { title, sections } = renderOperatorsRunbook(markdown)
  return { title, sections: sections.map(({ html: _html, ...section }) => section) }
}

/** Files of docs/runbooks, imported as `Runbook`; those of its folder `vi` as `OperatorsRunbook`, or with `?summary` as `RunbookSummary`. */
export const runbooks = (): Plugin => ({
  name: 'runbooks',
  transform: {
    filter: { id: /[\\/]docs[\\/]runbooks[\\/](?:vi[\\/])?[\w-]+\.md(?:\?summary)?$/ },
    // Of the text nothing is left to point to.
    handler(markdown, id) {
      const isOperators = /[\\/]vi[\\/][\w-]+\.md/.test(id)
      const render = !isOperators
        ? renderRunbook
        : id.endsWith('?summary')
          ? summarize
          : renderOperatorsRunbook
      return { code: `export default ${JSON.stringify(render(markdown))}`, map: { mappings: '' } }
    },
  },
})
