import { createBrowserRouter, type RouteObject } from 'react-router'
import type { Screen } from '#admin/screen.ts'
import { screens } from '#admin/screens.ts'
import { Console } from '#admin/shell/console.tsx'
import { NoScreen } from '#admin/shell/no-screen.tsx'
import { ScreenError } from '#admin/shell/screen-error.tsx'

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
        children: [...Object.values<Screen>(screens).map(routeOf), { path: '*', Component: NoScreen }],
      },
    ],
    { basename: '/admin' },
  )
