import { createContext, use, type ComponentType, type ReactElement, type ReactNode } from 'react'

export type Part = {
  component: object
  /** All that its HTML depends on, as JSON. */
  by: readonly unknown[]
  drawn: ReactNode
}

export type Drawing = {
  /** What stands in the page for a part that is kept. */
  placeOf(part: Part): ReactElement
  /** The part that is being drawn, in which it stands for itself. */
  component: object | null
}

/** Of a rendering on the server. */
export const DrawingContext = createContext<Drawing | null>(null)

/**
 * Lets the server draw a component once for each of the values that it depends on, all of which `by` names: props, settings, what it
 * takes of the address. What is answered stands for it; null when it is to be drawn. It may use no `useId`, which counts from the place
 * in the whole page. `import.meta.env.SSR &&` before it leaves nothing of it to browsers.
 */
export function keptPart(component: object, props: object, by: readonly unknown[]): ReactElement | null {
  const drawing = use(DrawingContext)
  if (drawing === null || drawing.component === component) return null
  // Typed as a component, each that calls this would have to say what it answers.
  const Component = component as ComponentType<object>
  return drawing.placeOf({ component, by, drawn: <Component {...props} /> })
}
