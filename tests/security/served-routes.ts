import type { TestApp } from '#tests/support/app.ts'

/**
 * Every route the portal really serves, as `GET /api/posts/:id`, read from its router: a route that was added without
 * being listed anywhere is among them. HEAD belongs to its GET and is left out.
 */
export function servedRoutes({ app }: Pick<TestApp, 'app'>): string[] {
  const routes: string[] = []
  const path: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', piece, methods] =
      /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, -]+)\))?$/.exec(line) ?? []
    if (piece === undefined) continue
    path.length = indent.length / 4
    path.push(piece)
    const names = methods?.split(', ') ?? []
    // Answers every method alike: the 404 of unknown addresses.
    if (names.includes('TRACE') || names.includes('PROPFIND')) continue
    for (const name of names) if (name !== 'HEAD') routes.push(`${name} ${path.join('')}`)
  }
  return routes.sort()
}
