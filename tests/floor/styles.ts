import { parse, type AtRule, type Container, type Declaration, type Rule } from 'postcss'
import { entryAt, KNOWN, lackingIn } from './lacking.ts'

/** What a style sheet uses and engines of the floor lack, like `:has` or `height: dvh`, with these engines. */
type Lacks = Map<string, string[]>

const { css } = KNOWN

/** Units that MDN describes together. */
const UNIT_GROUPS: Record<string, string> = {
  dv: 'viewport_percentage_units_dynamic',
  sv: 'viewport_percentage_units_small',
  lv: 'viewport_percentage_units_large',
  cq: 'container_query_length_units',
}

/**
 * What a style sheet uses beyond the floor. What stands behind `@supports` has been asked for, and a value that is not known
 * leaves the one before it in force.
 */
export function stylesBeyondFloor(text: string): Lacks {
  const lacks: Lacks = new Map()
  const look = (what: string, ...path: readonly string[]) => {
    const statement = entryAt(css, ...path)?.__compat
    const engines = statement ? lackingIn(statement, { canHavePrefix: true }) : []
    if (engines.length > 0) lacks.set(what, engines)
    return engines.length > 0
  }
  const walk = (container: Container) => {
    container.each((node) => {
      if (node.type === 'decl') lookAtDeclaration(node, look)
      if (node.type === 'rule') lookAtSelector(node, look)
      if (node.type === 'atrule') lookAtRule(node, look)
      const isAskedFor = node.type === 'atrule' && node.name === 'supports' && !/^\s*not\b/.test(node.params)
      if ('nodes' in node && node.nodes && !isAskedFor) walk(node as Container)
    })
  }
  walk(parse(text))
  return lacks
}

/** Whether it is beyond the floor. */
type Look = (what: string, ...path: readonly string[]) => boolean

function lookAtDeclaration({ prop, value, parent }: Declaration, look: Look): void {
  if (look(prop, 'properties', prop)) return
  const hasFallback = (parent?.nodes ?? []).some(
    (other) => other.type === 'decl' && other.prop === prop && other.value !== value,
  )
  if (hasFallback) return
  const plain = value.replaceAll(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '')
  for (const [word] of plain.matchAll(/[a-z][a-z-]*(?![\w(-])/gi))
    look(`${prop}: ${word}`, 'properties', prop, word)
  for (const [, name = ''] of plain.matchAll(/([a-z][a-z-]*)\(/gi)) {
    look(`${name}()`, 'types', name)
    look(`${name}()`, 'types', 'color', name)
    look(`${prop}: ${name}()`, 'properties', prop, `${name.replaceAll('-', '_')}_function`)
    if (/gradient/.test(name)) look(`${name}()`, 'types', 'gradient', name)
  }
  if (/gradient\([^)]*\bin (oklab|oklch|srgb|hsl|lab|lch)/.test(plain))
    look('gradient in …', 'types', 'gradient', 'linear-gradient', 'interpolation_color_space')
  for (const [, unit = ''] of plain.matchAll(/\d([a-z]+)/gi)) look(unit, 'types', 'length', unitName(unit))
}

const unitName = (unit: string) => (unit.length > 2 ? UNIT_GROUPS[unit.slice(0, 2)] : undefined) ?? unit

function lookAtSelector({ selector, parent }: Rule, look: Look): void {
  const isFrame = parent?.type === 'atrule' && (parent as AtRule).name.endsWith('keyframes')
  if (isFrame) return
  // Of the lists of `:is` and `:where` a browser leaves out what it does not know.
  const plain = selector.replaceAll(/\\./g, '').replaceAll(/(?<=:is|:where)\([^()]*\)/g, '')
  if (parent?.type === 'rule' || plain.includes('&')) look('nested rules', 'selectors', 'nesting')
  for (const [, name = ''] of plain.matchAll(/::?([a-z-]+)/g)) look(selector, 'selectors', name)
}

function lookAtRule({ name, params, parent }: AtRule, look: Look): void {
  look(`@${name}`, 'at-rules', name)
  if (parent?.type === 'rule') look('nested rules', 'selectors', 'nesting')
  if (name !== 'media') return
  for (const [, feature = ''] of params.matchAll(/\(\s*(?:min-|max-)?([a-z-]+)/g))
    look(`@media (${feature})`, 'at-rules', 'media', feature)
  if (/[<>]/.test(params)) look('@media (width >= …)', 'at-rules', 'media', 'range_syntax')
}

/** Custom properties that are used without another value, and that no style sheet and no script sets. */
export function undefinedProperties(styles: readonly string[], scripts: readonly string[]): string[] {
  const text = styles.join('\n')
  const set = new Set([
    ...[...text.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name),
    ...[...text.matchAll(/@property (--[\w-]+)/g)].map(([, name]) => name),
    ...scripts.flatMap((script) => [...script.matchAll(/["'`](--[\w-]+)["'`]/g)].map(([, name]) => name)),
  ])
  const used = [...text.matchAll(/var\(\s*(--[\w-]+)\s*\)/g)].map(([, name = '']) => name)
  return [...new Set(used)].filter((name) => !set.has(name)).sort()
}
