import { useEffect } from 'react'
import { useHistoryState, useNavigate, useParams, useSearchParams, type Navigate } from '#web/navigation.tsx'
import { REFERRAL_NAME } from '#contract/constants.ts'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { accessDecision } from '#web/session/access.ts'
import { rememberReferral } from '#web/session/referral.ts'
import { useSession } from '#web/session/session-store.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { PageSkeleton } from '#web/parts/fallbacks/fallbacks.tsx'

/** An address such as /login: opens its modal for a visitor and ends on the home page either way. */
function guestModal(modal: 'login' | 'register' | 'forgot'): Page {
  function GuestModal() {
    const { status } = useSession()
    const navigate = useNavigate()
    const state: unknown = useHistoryState()
    const [query] = useSearchParams()
    const referral = query.get(REFERRAL_NAME)
    const way = query.get('way')
    const decision = accessDecision('guest', status)
    const isShown = 'show' in decision
    const isSettled = !('wait' in decision)

    useEffect(() => {
      if (!isSettled) return
      if (isShown && modal === 'register' && referral) rememberReferral(referral)
      void goHome(navigate, () => isShown && openModal(modal, { ...nextOf(state), way }))
    }, [isSettled, isShown, navigate, referral, state, way])

    return null
  }
  return { Component: GuestModal }
}

/**
 * The link of a mail. Its token leaves the address, and with it the history, as soon as it is read; only the open
 * modal still knows it. Whoever is signed in may use it as well.
 */
function PasswordReset() {
  const navigate = useNavigate()
  const { token } = useParams()
  useEffect(() => {
    void goHome(navigate, () => openModal('reset-password', { token }))
  }, [navigate, token])
  return null
}

/**
 * First the home page, then its modal: the back button that closes the modal must lead there and not to this address. The modal
 * is rendered in a separate task, so that a slow phone can handle input in between.
 */
async function goHome(navigate: Navigate, open: () => unknown): Promise<void> {
  await navigate(paths.home, { replace: true })
  setTimeout(open)
}

/** An unknown address: players get the 404 page, visitors the login (spec §2). */
function UnknownPath() {
  const { status } = useSession()
  const navigate = useNavigate()
  const target = status === 'player' ? paths.notFound : status === 'anonymous' ? paths.login : null

  useEffect(() => {
    if (target) void navigate(target, { replace: true })
  }, [target, navigate])

  return <PageSkeleton />
}

/** The addresses that show nothing of their own and lead to another page, in a part of their own. */
export const redirectPages = {
  login: guestModal('login'),
  register: guestModal('register'),
  forgot: guestModal('forgot'),
  password: { Component: PasswordReset },
  unknown: { Component: UnknownPath },
} satisfies Record<string, Page>

function nextOf(state: unknown): { next?: string } {
  const next = (state as { next?: unknown } | null)?.next
  return typeof next === 'string' ? { next } : {}
}
