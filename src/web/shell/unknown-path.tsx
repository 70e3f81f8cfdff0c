import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { useSession } from '#web/session/session-store.ts'
import { PageSkeleton } from '#web/parts/page-states/page-skeleton.tsx'

/** An address that leads nowhere: players learn that, visitors are asked to log in first (spec §2). */
function UnknownPath() {
  const { status } = useSession()
  const navigate = useNavigate()
  const target = status === 'player' ? paths.notFound : status === 'anonymous' ? paths.login : null

  useEffect(() => {
    if (target) void navigate(target, { replace: true })
  }, [target, navigate])

  return <PageSkeleton />
}

export const unknownPathPage: Page = { Component: UnknownPath }
