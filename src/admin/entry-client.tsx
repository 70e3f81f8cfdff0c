import './style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, Fragment, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  Link,
  matchPath,
  type RouteObject,
  RouterProvider,
  useLocation,
  useRevalidator,
  useRouteError,
} from 'react-router'
import { FileGone } from '#client/built-files.ts'
import { tieDialogsToHistory } from '#client/dialog-history.ts'
import { reportError, watchErrors } from '#client/report-error.ts'
import { SCREEN_PATHS } from '#contract/operator/screen-paths.ts'
import { surviveTranslation } from '#client/translated-pages.ts'
import { markTyping } from '#client/typing-mark.ts'
import { Button } from '#ui/button.tsx'
import { Boundary } from '#ui/failure.tsx'
import { PageState } from '#ui/page-state.tsx'
import { PageSkeleton } from './kit/loaded.tsx'
import { WhoMayOpen } from './kit/who-may-open.ts'
import { createConsoleClient } from './query.ts'
import { type Screen, screens } from './screens.ts'
import { resumeConsole } from './session/console-session.ts'
import { consoleCopy } from './shell/console.copy.ts'
import { Console } from './shell/console.tsx'

/** Not `lazy` of the router, which keeps a failure for as long as the document lives: a loader is run again. */
function routeOf({ path, title, load }: Screen): RouteObject {
  let Loaded: ComponentType | null = null
  return {
    path,
    handle: title,
    ErrorBoundary: ScreenError,
    loader: async () => {
      Loaded ??= (await load()).Component
      return null
    },
    shouldRevalidate: () => Loaded === null,
    Component: () => Loaded && <Shown of={Loaded} />,
  }
}

/** One that breaks is not left to the router, which would show it again with the answer that broke it. */
function Shown({ of: Loaded }: { of: ComponentType }) {
  const { pathname } = useLocation()
  return (
    <Boundary of={pathname} renderFailed={(retry) => <BrokenScreen onRetry={retry} />}>
      <Loaded />
    </Boundary>
  )
}

const createConsoleRouter = (dialogsAligned: () => Promise<void> | null) =>
  createBrowserRouter(
    [
      {
        Component: Console,
        ErrorBoundary: ScreenError,
        loader: dialogsAligned,
        shouldRevalidate: () => dialogsAligned() !== null,
        // The first screen's code is still being loaded.
        HydrateFallback: PageSkeleton,
        children: [...Object.values<Screen>(screens).map(routeOf), { path: '*', Component: NoScreen }],
      },
    ],
    { basename: '/admin' },
  )

/** In development React runs effects twice, which shows those that do not clean up. */
const Checks = import.meta.env.DEV ? StrictMode : Fragment

/** Of a screen that broke, or whose code did not arrive. */
const tellCaught = (error: unknown) => reportError(error, 'part')

const root = document.getElementById('root')
if (!root) throw new Error('The document lacks the element #root')

if (import.meta.env.PROD) watchErrors({ site: 'console', entry: import.meta.url, pageOf: screenPath })

surviveTranslation()
markTyping()
void resumeConsole()
const dialogsAligned = tieDialogsToHistory()
createRoot(root, import.meta.env.PROD ? { onCaughtError: tellCaught } : {}).render(
  <Checks>
    <QueryClientProvider client={createConsoleClient()}>
      <WhoMayOpen value={Object.values<Screen>(screens)}>
        <RouterProvider router={createConsoleRouter(dialogsAligned)} onError={tellCaught} />
      </WhoMayOpen>
    </QueryClientProvider>
  </Checks>,
)

/** The shown screen as the table of screens writes it, without what its address names. */
function screenPath(): string {
  const path = location.pathname.replace(/^\/admin/, '') || '/'
  return SCREEN_PATHS.find((pattern) => matchPath(pattern, path)) ?? ''
}

/**
 * The code of a screen did not arrive, or the frame broke. Where a newer release has taken its place the address is opened as a
 * document; one that was opened at this address says so instead.
 */
function ScreenError() {
  const isGone = useRouteError() instanceof FileGone
  const isFirst = useLocation().key === 'default'
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (isGone && !isFirst) location.reload()
  }, [isGone, isFirst])
  return <BrokenScreen onRetry={() => void revalidate()} />
}

function BrokenScreen({ onRetry }: { onRetry: () => void }) {
  return (
    <PageState title={consoleCopy.broken.title} isTopTitle>
      <div role="alert" className="flex flex-wrap justify-center gap-3">
        <Button onClick={onRetry}>{consoleCopy.broken.retry}</Button>
        <Button kind="plain" onClick={() => location.reload()}>
          {consoleCopy.broken.again}
        </Button>
      </div>
    </PageState>
  )
}

function NoScreen() {
  return (
    <PageState title={consoleCopy.missing.title} isTopTitle>
      <Link to="/">{consoleCopy.missing.back}</Link>
    </PageState>
  )
}
