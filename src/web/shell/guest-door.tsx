import { useEffect } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { REFERRAL_NAME } from '#contract/constants.ts'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { judgeVisit } from '#web/session/guard.ts'
import { rememberReferral } from '#web/session/referral.ts'
import { useSession } from '#web/session/session-store.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { PageSkeleton } from '#web/parts/page-states/page-skeleton.tsx'

/** An address such as /login: opens its modal for a visitor and ends on the home page either way. */
function guestDoor(modal: 'login' | 'register' | 'forgot'): Page {
  function GuestDoor() {
    const { status } = useSession()
    const navigate = useNavigate()
    const { state } = useLocation()
    const [query] = useSearchParams()
    const referral = query.get(REFERRAL_NAME)
    const way = query.get('way')
    const verdict = judgeVisit('guest', status)
    const isShown = 'show' in verdict
    const isSettled = !('wait' in verdict)

    useEffect(() => {
      if (!isSettled) return
      if (isShown && modal === 'register' && referral) rememberReferral(referral)
      // First home, then the modal: the back button that closes it must come out there, not at this door.
      void Promise.resolve(navigate(paths.home, { replace: true })).then(() => {
        if (isShown) openModal(modal, { ...nextOf(state), way })
      })
    }, [isSettled, isShown, navigate, referral, state, way])

    return <PageSkeleton />
  }
  return { Component: GuestDoor }
}

function ResetDoor() {
  const navigate = useNavigate()
  const { token } = useParams()
  useEffect(() => {
    void Promise.resolve(navigate(paths.home, { replace: true })).then(() =>
      openModal('reset-password', { token }),
    )
  }, [navigate, token])
  return <PageSkeleton />
}

/**
 * The link of a mail. Its token leaves the address, and with it the history, as soon as it is read; only the open
 * modal still knows it. Whoever is signed in may use it as well.
 */
const resetDoor: Page = { Component: ResetDoor }

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

/** The addresses that are no pages themselves and lead to one, in a part of their own. */
export const doors = {
  login: guestDoor('login'),
  register: guestDoor('register'),
  forgot: guestDoor('forgot'),
  reset: resetDoor,
  unknown: { Component: UnknownPath } satisfies Page,
}

function nextOf(state: unknown): { next?: string } {
  const next = (state as { next?: unknown } | null)?.next
  return typeof next === 'string' ? { next } : {}
}
