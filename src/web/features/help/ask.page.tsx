import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { pages, paths } from '#contract/pages.ts'
import { AskForm } from '#web/features/help/ask-form.tsx'
import { askCopy as copy } from '#web/features/help/ask.copy.ts'
import { FindCases } from '#web/features/help/find-cases.tsx'
import { OpenedVisitorCase, visitorCaseQuery } from '#web/features/help/visitor-case.tsx'
import { useNavigate } from '#web/navigation.tsx'
import type { Page } from '#web/page.ts'
import { useSession } from '#web/session/session-store.ts'
import { foldTitle } from '#ui/fold.ts'

const tokenInAddress = () => location.hash.slice(1)

/** The token of a case stands behind the mark of the address, which no server is sent. */
function useToken() {
  const [token, setToken] = useState('')
  useEffect(() => {
    const follow = () => setToken(tokenInAddress())
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return {
    token,
    open(opened: string) {
      history.replaceState(history.state, '', opened === '' ? location.pathname : `#${opened}`)
      setToken(opened)
    },
  }
}

/** Help for whoever is not signed in: the form, the cases that were sent, or the one whose link was opened. */
function AskPage() {
  const { status } = useSession()
  const { token, open } = useToken()
  const client = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => {
    // Players have a page of their own, where the desk sees who asks.
    if (status === 'player' && tokenInAddress() === '') void navigate(paths.help(), { replace: true })
  }, [status, navigate])
  return (
    <div className="shell-width pt-6">
      <h1 className="brush-title text-2xl sm:text-3xl">{pages.askForHelp.title}</h1>
      {token === '' ? (
        <div className="max-w-2xl">
          <p className="mt-3 mb-6 text-soft">{copy.lead}</p>
          <AskForm
            onSent={(sent) => {
              client.setQueryData(visitorCaseQuery(sent.token).queryKey, sent)
              open(sent.token)
            }}
          />
          <details className="mt-8 rounded-xl border border-line bg-raised px-4">
            <summary className={foldTitle}>{copy.reopen}</summary>
            <div className="pb-4">
              <FindCases onOpen={open} />
            </div>
          </details>
        </div>
      ) : (
        <div className="mt-4">
          <OpenedVisitorCase key={token} token={token} onAnother={() => open('')} />
        </div>
      )}
    </div>
  )
}

export const page: Page = { Component: AskPage }
