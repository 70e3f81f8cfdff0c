import { createHash } from 'node:crypto'
import { parse, parseFragment, type DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** Elements that run something, load something, or change how the rest is read. None of our pages needs one. */
const NEVER =
  /^(?:iframe|frame|frameset|object|embed|applet|base|portal|fencedframe|math|template|foreignobject|animate\w*|set|handler|plaintext|xmp|marquee|audio|video|track|map|area)$/i

const LOADED = new Set(['src', 'poster', 'background', 'data', 'dynsrc', 'lowsrc', 'manifest', 'codebase'])
const SENT = new Set(['action', 'formaction', 'ping', 'attributionsrc'])
const OWN = /^\/(?![/\\])/
const FOLLOWED = /^(?:$|\/(?![/\\])|#|https?:\/\/[^/@\s]+(?:[/?#]|$)|mailto:|tel:|\?)/
const LINK_RELS = /^(?:stylesheet|preload|modulepreload|icon|apple-touch-icon|manifest|alternate|canonical)$/

const textOf = (element: Element) =>
  element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')

const attributeOf = (element: Element, name: string) =>
  element.attrs.find((attribute) => attribute.name === name)?.value

function scriptFault(element: Element, policy: string): string | null {
  const src = attributeOf(element, 'src')
  const type = attributeOf(element, 'type')
  if (src !== undefined)
    return /^\/(?:static\/js\/[\w.-]+|offline)\.js$/.test(src) ? null : `script from ${src}`
  const text = textOf(element)
  // Data, which no browser runs.
  if (type === 'application/json' || type === 'application/ld+json') {
    JSON.parse(text)
    return null
  }
  return inlineFault(element, policy)
}

/** A script or style in the document must be one that its policy lists. */
function inlineFault(element: Element, policy: string): string | null {
  const text = textOf(element)
  const hash = createHash('sha256').update(text).digest('base64')
  return policy.includes(`'sha256-${hash}'`) ? null : `inline ${element.tagName} ${text.slice(0, 60)}`
}

function attributeFaults({ tagName, attrs }: Element): string[] {
  return attrs.flatMap(({ name, value }) => {
    const label = `${name}=${value} on ${tagName}`
    if (/^on/i.test(name)) return [label]
    if (/^(?:style|srcdoc|http-equiv|is|shadowrootmode)$/i.test(name)) return [label]
    if (SENT.has(name)) return OWN.test(value) ? [] : [label]
    if (LOADED.has(name) && !OWN.test(value)) return [label]
    if (name === 'srcset') return value.split(',').every((part) => OWN.test(part.trim())) ? [] : [label]
    if (/(?:^|:)href$/.test(name) && tagName !== 'link') return FOLLOWED.test(value) ? [] : [label]
    return []
  })
}

function elementFaults(element: Element, policy: string): string[] {
  const faults = attributeFaults(element)
  if (element.tagName === 'script') {
    const fault = scriptFault(element, policy)
    return fault === null ? faults : [...faults, fault]
  }
  if (element.tagName === 'style') {
    const fault = inlineFault(element, policy)
    if (fault !== null) faults.push(fault)
  }
  if (NEVER.test(element.tagName)) faults.push(`element ${element.tagName}`)
  if (element.tagName === 'link' && !LINK_RELS.test(attributeOf(element, 'rel') ?? ''))
    faults.push(`link of kind ${attributeOf(element, 'rel')}`)
  return faults
}

function faultsBelow(node: Node, policy: string): string[] {
  const own = 'tagName' in node ? elementFaults(node, policy) : []
  const inside = 'content' in node ? faultsBelow(node.content, policy) : []
  const below = 'childNodes' in node ? node.childNodes.flatMap((child) => faultsBelow(child, policy)) : []
  return [...own, ...inside, ...below]
}

/**
 * Everything in a page that could run, load or send something it should not, as a browser would read it: the parser
 * follows the standard's own rules, errors and all. Written apart from the sanitiser on purpose.
 */
export const hazardsInPage = (html: string, policy: string) => [
  ...faultsBelow(parse(html), policy),
  // Without scripts the inside of a noscript is markup as well.
  ...faultsBelow(parse(html, { scriptingEnabled: false }), policy),
]

/** The same for HTML that is put into a page. */
export const hazardsInPiece = (html: string) =>
  faultsBelow(parseFragment(html, { scriptingEnabled: false }), '')

/** The state embedded in a page, as the browser will read it; throws when the page has another structure. */
export const stateOf = (html: string): unknown => dataOf(html, 'id', 'page-state')

/** What search engines read of a page; throws when the page has none. */
export const structuredOf = (html: string): unknown => dataOf(html, 'type', 'application/ld+json')

function dataOf(html: string, attribute: 'id' | 'type', value: string): unknown {
  const found: Element[] = []
  const visit = (node: Node): void => {
    if ('tagName' in node && attributeOf(node, attribute) === value) found.push(node)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  if (found.length !== 1) throw new Error(`${found.length} elements with ${attribute}=${value}`)
  return JSON.parse(textOf(found[0] as Element))
}
