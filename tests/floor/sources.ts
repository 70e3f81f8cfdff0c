import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { CompatStatement } from '@mdn/browser-compat-data'
import { entryAt, interfacesOf, KNOWN, lackingIn, membersOf, statementsIn } from './lacking.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What sources use and engines of the floor lack, like `Array.toSorted`, and where. */
export type Uses = Map<string, { engines: string[]; places: string[] }>

const ENTRIES = ['src/web/entry-client.tsx', 'src/admin/entry-client.tsx', 'public/offline.js']

const MEMBERS = membersOf([...interfacesOf(KNOWN.javascript.builtins), ...interfacesOf(KNOWN.api)])

/** Names that some interface or the global object lacks: only of these the type of the receiver, which costs time, is asked for. */
const DOUBTFUL = new Set(
  [
    ...[...MEMBERS].flatMap(([name, statements]) =>
      statements.map((statement) => [name, statement] as const),
    ),
    ...statementsIn(KNOWN.javascript.builtins),
    ...statementsIn(KNOWN.api),
  ].flatMap(([name, statement]) => (lackingIn(statement).length > 0 ? [name] : [])),
)

/**
 * Everything that the scripts of both sites use of JavaScript and of the browser, and the floor lacks, by the types of the
 * receivers: `size` of an address's parameters is found, and `size` of a file is not. Code of libraries has no such types.
 */
export function usesBeyondFloor(planted: Record<string, string> = {}): Uses {
  const names = Object.keys(planted)
  const program = programOf(names.length > 0 ? names : ENTRIES, planted)
  const checker = program.getTypeChecker()
  const uses: Uses = new Map()
  const own = program.getSourceFiles().filter(({ fileName }) => isOwn(fileName))
  for (const file of own) {
    visit(file, (node) => {
      for (const [what, statements] of featuresAt(node, checker)) {
        const lacking = statements.map((statement) => lackingIn(statement))
        if (lacking.length === 0 || lacking.some((engines) => engines.length === 0)) continue
        const use = uses.get(what) ?? { engines: lacking[0] ?? [], places: [] }
        const { line } = file.getLineAndCharacterOfPosition(node.getStart())
        use.places.push(`${file.fileName.replace(root, '')}:${line + 1}`)
        uses.set(what, use)
      }
    })
  }
  return uses
}

const isOwn = (name: string) =>
  name.startsWith(root) && !name.includes('/node_modules/') && !name.endsWith('.d.ts')

function programOf(names: readonly string[], planted: Record<string, string>): ts.Program {
  const { options } = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    { incremental: false, tsBuildInfoFile: undefined, types: ['vite/client'] },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  ) ?? { options: {} }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, ...rest) => {
    const text = planted[name.replace(root, '')]
    return text === undefined
      ? getSourceFile(name, ...rest)
      : ts.createSourceFile(name, text, ts.ScriptTarget.ESNext)
  }
  return ts.createProgram(
    names.map((name) => root + name),
    options,
    host,
  )
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  // What stands in types is not run.
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
  look(node)
  ts.forEachChild(node, (child) => visit(child, look))
}

type Feature = [name: string, statements: CompatStatement[]]

function featuresAt(node: ts.Node, checker: ts.TypeChecker): Feature[] {
  if (ts.isJsxAttribute(node)) return attributeAt(node)
  if (!ts.isIdentifier(node) || !DOUBTFUL.has(node.text)) return []
  const declarations = symbolAt(node, checker)?.declarations ?? []
  const declaration = declarations.find(
    (one) =>
      /\/typescript\/lib\/lib\./.test(one.getSourceFile().fileName) &&
      !ts.isInterfaceDeclaration(one) &&
      !ts.isTypeAliasDeclaration(one),
  )
  return declaration ? [featureOf(declaration, node.text)] : []
}

function symbolAt(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { parent } = node
  const isTakenApart = ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === node
  if (isTakenApart) return checker.getTypeAtLocation(parent.parent).getProperty(node.text)
  return checker.getSymbolAtLocation(node)
}

/** An attribute of an element of HTML. */
function attributeAt({ name, parent }: ts.JsxAttribute): Feature[] {
  const element = parent.parent.tagName.getText()
  const attribute = name.getText().toLowerCase()
  const { elements, global_attributes: global } = KNOWN.html
  if (!elements || !entryAt(elements, element)) return []
  const statement = (entryAt(elements, element, attribute) ?? entryAt(global, attribute))?.__compat
  return statement ? [[`attribute ${name.getText()}`, [statement]]] : []
}

/** What MDN knows of a member or a global of the libraries that come with TypeScript. */
function featureOf(declaration: ts.Declaration, name: string): Feature {
  const { parent } = declaration
  const of = (owner: string): CompatStatement[] => {
    const plain = owner.replace(/^Readonly|Constructor$/g, '')
    const places = [KNOWN.javascript.builtins, KNOWN.api].flatMap((area) => [
      entryAt(area, plain, name),
      entryAt(area, plain, `${name}_static`),
      entryAt(area, 'Intl', plain, name),
    ])
    const found = places.find((entry) => entry?.__compat)?.__compat
    return found ? [found] : []
  }
  if (ts.isInterfaceDeclaration(parent)) {
    const owner = parent.name.text
    const found = of(owner)
    // A mixin, which MDN describes at each of the interfaces that have it.
    return [`${owner.replace(/Constructor$/, '')}.${name}`, found.length > 0 ? found : mixedIn(owner, name)]
  }
  if (ts.isTypeLiteralNode(parent) && ts.isVariableDeclaration(parent.parent)) {
    const owner = parent.parent.name.getText()
    return [`${owner}.${name}`, of(owner)]
  }
  if (ts.isVariableDeclaration(declaration) && ts.isModuleBlock(parent.parent.parent)) {
    const owner = parent.parent.parent.parent.name.getText()
    return [`${owner}.${name}`, of(owner)]
  }
  const global = [
    entryAt(KNOWN.javascript.builtins, name),
    entryAt(KNOWN.api, name),
    entryAt(KNOWN.api, 'Window', name),
  ].find((entry) => entry?.__compat)?.__compat
  return [name, global ? [global] : []]
}

/** The members of a style are properties of CSS, which is checked by itself. */
const mixedIn = (owner: string, name: string): CompatStatement[] =>
  /^CSSStyle|^DOMStringMap|JSON$/.test(owner) ? [] : (MEMBERS.get(name) ?? [])
