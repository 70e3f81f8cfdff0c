import './style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { Fragment, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { createConsoleClient } from './query.ts'
import { createConsoleRouter } from './router.tsx'
import { resumeConsole } from './session/console-session.ts'

/** In development React runs effects twice, which shows those that do not clean up. */
const Checks = import.meta.env.DEV ? StrictMode : Fragment

const root = document.getElementById('root')
if (!root) throw new Error('The document lacks the element #root')

void resumeConsole()
createRoot(root).render(
  <Checks>
    <QueryClientProvider client={createConsoleClient()}>
      <RouterProvider router={createConsoleRouter()} />
    </QueryClientProvider>
  </Checks>,
)
