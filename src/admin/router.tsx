import { createBrowserRouter, type RouteObject } from 'react-router'
import { PageSkeleton } from '#admin/kit/loaded.tsx'
import type { Screen } from '#admin/screen.ts'
import { screens } from '#admin/screens.ts'
import { Console } from '#admin/shell/console.tsx'
import { NoScreen, ScreenError } from '#admin/shell/screen-error.tsx'

const routeOf = ({ path, load }: Screen): RouteObject => ({
  path,
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
