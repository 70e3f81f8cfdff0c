import { createBrowserRouter, Link, type RouteObject } from 'react-router'
import { Button } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { PageSkeleton } from './kit/loaded.tsx'
import { type Screen, screens } from './screens.ts'
import { consoleCopy } from './shell/console.copy.ts'
import { Console } from './shell/console.tsx'

const routeOf = ({ path, title, load }: Screen): RouteObject => ({
  path,
  handle: title,
  ErrorBoundary: ScreenError,
  lazy: load,
})

export const createConsoleRouter = () =>
  createBrowserRouter(
    [
      {
        Component: Console,
        ErrorBoundary: ScreenError,
        // The first screen's code is still being loaded.
        HydrateFallback: PageSkeleton,
        children: [...Object.values<Screen>(screens).map(routeOf), { path: '*', Component: NoScreen }],
      },
    ],
    { basename: '/admin' },
  )

/** A screen broke, or its code did not load. */
export function ScreenError() {
  return (
    <PageState title={consoleCopy.broken.title} isTopTitle>
      <Button kind="plain" onClick={() => location.reload()}>
        {consoleCopy.broken.again}
      </Button>
    </PageState>
  )
}

export function NoScreen() {
  return (
    <PageState title={consoleCopy.missing.title} isTopTitle>
      <Link to="/">{consoleCopy.missing.back}</Link>
    </PageState>
  )
}
