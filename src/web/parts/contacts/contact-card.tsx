import type { User } from '#contract/users.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Link } from '#web/navigation.tsx'
import { linkToProof } from '#web/session/contact-question.ts'
import { putOffContacts } from '#web/session/session-store.ts'

const copy = {
  title: 'Cách lấy lại tài khoản',
  why: 'Xác thực số điện thoại hoặc email để lấy lại tài khoản khi quên mật khẩu.',
  prove: 'Xác thực ',
  phone: 'Số điện thoại',
  email: 'Email',
  later: 'Để sau',
} as const

/** Asks who has proved no phone and no address for one of them. Of fixed height, like its placeholder. */
export function ContactCard({ user }: { user: User }) {
  function putOff() {
    putOffContacts(user)
    // What had the focus is gone.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }
  return (
    <section aria-label={copy.title} className="contact-card border-b border-line bg-wash">
      <div className="shell-width flex flex-col justify-center gap-x-6 gap-y-2 md:flex-row md:items-center md:justify-between">
        <output className="text-sm leading-snug font-bold">{copy.why}</output>
        <div className="flex flex-wrap gap-2">
          <Link to={linkToProof('phone')} className={buttonClass('main', 'flex-auto px-3')}>
            <span>
              <span className="sr-only">{copy.prove}</span>
              {copy.phone}
            </span>
          </Link>
          <Link to={linkToProof('email')} className={buttonClass('plain', 'flex-auto px-3')}>
            <span>
              <span className="sr-only">{copy.prove}</span>
              {copy.email}
            </span>
          </Link>
          <Button kind="text" className="px-3" onClick={putOff}>
            {copy.later}
          </Button>
        </div>
      </div>
    </section>
  )
}
