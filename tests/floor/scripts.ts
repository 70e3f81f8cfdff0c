import { parse, type Node, type Options } from 'acorn'
import { fullAncestor } from 'acorn-walk'
import type { Identifier } from '@mdn/browser-compat-data'
import { entryAt, interfacesOf, KNOWN, lackingIn, membersOf } from './lacking.ts'

/** The newest syntax that an engine of the floor may read; what is newer is an error. */
const SYNTAX: Options = { ecmaVersion: 2022, sourceType: 'module' }

const { builtins } = KNOWN.javascript

/** Methods that no object of the language has at the floor: found by their names, since built code has no types. */
const METHODS = new Set(
  [...membersOf(interfacesOf(builtins))].flatMap(([name, statements]) => {
    const standard = statements.filter(({ status }) => status?.standard_track)
    const isBeyond = standard.every((statement) => lackingIn(statement).length > 0)
    return standard.length > 0 && isBeyond ? [name] : []
  }),
)

/** Objects whose interface their names tell. */
const INTERFACES: Record<string, string> = {
  document: 'Document',
  navigator: 'Navigator',
  window: 'Window',
  self: 'Window',
  globalThis: 'Window',
  history: 'History',
  location: 'Location',
  crypto: 'Crypto',
  performance: 'Performance',
}

const lacks = (entry: Identifier | undefined) =>
  entry?.__compat !== undefined && lackingIn(entry.__compat).length > 0

type Found = Node & {
  name: string
  computed: boolean
  object: Found
  property?: Found
  callee: Found
  arguments?: Found[]
  value?: unknown
  quasis?: { value: { cooked: string } }[]
  regex?: { pattern: string; flags: string }
}

/** What a built script uses and the floor lacks, by names: `.toSorted`, `URL.canParse`, `document.startViewTransition`, syntax. */
export function scriptBeyondFloor(text: string): string[] {
  const found = new Set<string>()
  let program
  try {
    program = parse(text, SYNTAX)
  } catch (error) {
    return [`syntax: ${(error as Error).message}`]
  }
  fullAncestor(program, (node, _state, ancestors) => {
    const it = node as Found
    if (it.type === 'StaticBlock') found.add('syntax: static block')
    if (it.type === 'MemberExpression' && !it.computed) addMember(it, found)
    if (it.type === 'CallExpression' && METHODS.has(it.callee.property?.name ?? ''))
      found.add(`.${it.callee.property?.name}()`)
    if (it.type === 'Identifier' && isFree(it, ancestors as Found[]) && lacks(globalOf(it.name)))
      found.add(it.name)
    const { pattern, flags } = it.regex ?? patternOf(it)
    if (/\(\?<[=!]/.test(pattern)) found.add('syntax: look behind in a pattern')
    if (flags.includes('v')) found.add('syntax: flag v of a pattern')
  })
  return [...found]
}

/** What the build makes of a pattern that it may not write as one: `RegExp("…", "v")`, which is read at run time alone. */
function patternOf({ type, callee, arguments: given = [] }: Found) {
  const isPattern = (type === 'CallExpression' || type === 'NewExpression') && callee.name === 'RegExp'
  const textOf = (one: Found | undefined) =>
    String(one?.value ?? one?.quasis?.map(({ value }) => value.cooked).join('') ?? '')
  return { pattern: isPattern ? textOf(given[0]) : '', flags: isPattern ? textOf(given[1]) : '' }
}

function addMember({ object, property }: Found, found: Set<string>): void {
  const name = property?.name ?? ''
  const owner = INTERFACES[object.name] ?? object.name
  const own = [
    entryAt(builtins, owner, name),
    entryAt(KNOWN.api, owner, `${name}_static`),
    entryAt(KNOWN.api, owner, name),
  ]
  if (own.some(lacks)) found.add(`${object.name}.${name}`)
}

const globalOf = (name: string) =>
  entryAt(builtins, name) ?? entryAt(KNOWN.api, name) ?? entryAt(KNOWN.api, 'Window', name)

/** Not the name of a property or of something declared: minified code gives its own things names of at most three letters. */
function isFree({ name }: Found, ancestors: readonly Found[]): boolean {
  const parent = ancestors.at(-2)
  return name.length > 3 && parent?.type !== 'Property' && parent?.type !== 'MethodDefinition'
}
