import type { Declaration } from 'postcss'
import program from '../package.json' with { type: 'json' }

/** The oldest engines in which both sites work in full: `browserslist` of package.json, in the words of Vite. */
export const BUILD_TARGETS: string[] = program.browserslist.map((engine) =>
  engine.replace('ios_saf', 'ios').replace(' ', ''),
)

/** Heights of the visible screen, `dvh` and the like, are younger than the floor: `vh` stands before each. */
export const HEIGHT_FALLBACKS = {
  postcssPlugin: 'height-fallbacks',
  Declaration(declaration: Declaration): void {
    const older = declaration.value.replaceAll(/(?<=\d)[dls]vh\b/g, 'vh')
    const before = declaration.prev()
    const isDone = before?.type === 'decl' && before.prop === declaration.prop
    if (older !== declaration.value && !isDone) declaration.cloneBefore({ value: older })
  },
}
