import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Alert } from '#ui/alert.tsx'
import { useDocumentTitle } from '#admin/kit/screen.tsx'
import { consoleCopy } from '#admin/shell/console.copy.ts'
import { SignInForm } from '#admin/shell/sign-in-form.tsx'

const copy = consoleCopy.signIn

/** The token of an invitation, when its link was opened: it stands behind `#`, which no server sees. */
const invitation = (): string | undefined =>
  location.pathname === '/admin/invite' && location.hash.length > 1 ? location.hash.slice(1) : undefined

/** `wasEnded`: the stored session is over. */
export function SignIn({ wasEnded }: { wasEnded: boolean }) {
  const [invite] = useState(invitation)
  const title = invite === undefined ? copy.title : consoleCopy.invited.title
  const navigate = useNavigate()
  useDocumentTitle(title)
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-8">
      <h1 className="brush-title text-2xl">{title}</h1>
      {wasEnded && <Alert tone="note">{consoleCopy.ended.loaded}</Alert>}
      <SignInForm
        invite={invite}
        onDone={async () => {
          if (invite !== undefined) await navigate('/', { replace: true })
        }}
      />
      <p className="text-sm text-soft">{invite === undefined ? copy.note : consoleCopy.invited.note}</p>
    </main>
  )
}
