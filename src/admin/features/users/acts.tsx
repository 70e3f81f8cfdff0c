import { useCallback, useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { typedNumber } from '#admin/kit/fields.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import {
  operatorUserActs as calls,
  type OperatorUserDetail,
  type PlayersView as View,
  viewAsCall,
} from '#contract/operator/users.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { Field } from '#ui/field.tsx'
import { BanDialog } from './bans.tsx'
import { PlayersView, playersViewCopy as viewCopy } from './players-view.tsx'
import { actsCopy as copy } from './users.copy.ts'

type Contact = { email: string | null; phone: string | null }

type Opened =
  | 'ban'
  | 'lift sign-in'
  | 'lift trading'
  | 'end-sessions'
  | 'send-reset'
  | 'adjust'
  | 'reveal'
  | 'view-as'
  | 'remove-factor'

/** What an operator may do with a player. */
export function Acts({ user }: { user: OperatorUserDetail }) {
  const may = useMay()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [contact, setContact] = useState<Contact | null>(null)
  const [view, setView] = useState<View | null>(null)
  const closeView = useCallback(() => setView(null), [])
  const offered: readonly [Opened, string, boolean][] = [
    ['ban', copy.ban, may('users.ban')],
    ['lift sign-in', copy.lift['sign-in'], may('users.ban') && user.bans['sign-in'] !== null],
    ['lift trading', copy.lift.trading, may('users.ban') && user.bans.trading !== null],
    ['end-sessions', copy.endSessions, may('users.assist')],
    ['send-reset', copy.sendReset, may('users.assist') && user.email !== null],
    ['adjust', copy.adjust, may('wallet.adjust')],
    ['reveal', copy.reveal, may('users.reveal')],
    ['view-as', viewCopy.button, may('users.view-as')],
    ['remove-factor', copy.removeFactor, may('users.second-factor') && user.has_second_factor],
  ]
  return (
    <div className="flex flex-wrap gap-2">
      {offered.map(([act, label, isOffered]) =>
        isOffered ? (
          <Button key={act} kind="plain" onClick={() => setOpened(act)}>
            {label}
          </Button>
        ) : null,
      )}
      {opened && (
        <Act {...{ user, opened, onContact: setContact, onView: setView }} onClose={() => setOpened(null)} />
      )}
      {contact && <ContactDialog contact={contact} onClose={() => setContact(null)} />}
      {view && (
        <div className="mt-3 w-full">
          <PlayersView view={view} onClose={closeView} />
        </div>
      )}
    </div>
  )
}

type ActProps = {
  user: OperatorUserDetail
  opened: Opened
  onContact: (contact: Contact) => void
  onView: (view: View) => void
  onClose: () => void
}

function Act({ user, opened, onContact, onView, onClose }: ActProps) {
  const common = { params: { id: user.id }, onClose }
  switch (opened) {
    case 'ban':
      return <BanDialog user={user} onClose={onClose} />
    case 'lift sign-in':
    case 'lift trading': {
      const scope = opened === 'lift trading' ? ('trading' as const) : ('sign-in' as const)
      return (
        <ActDialog
          {...common}
          title={copy.lift[scope]}
          endpoint={calls.liftBan}
          toBody={({ reason }) => ({ scope, reason })}
          text={copy.liftText}
        />
      )
    }
    case 'end-sessions':
      return (
        <ActDialog
          {...common}
          title={copy.endSessions}
          endpoint={calls.endSessions}
          text={copy.endSessionsText}
        />
      )
    case 'send-reset':
      return (
        <ActDialog
          {...common}
          title={copy.sendReset}
          endpoint={calls.sendReset}
          text={copy.sendResetText(user.email?.masked ?? '')}
        />
      )
    case 'adjust':
      return <AdjustDialog user={user} onClose={onClose} />
    case 'reveal':
      return (
        <ActDialog
          {...common}
          title={copy.reveal}
          endpoint={calls.revealContact}
          onDone={onContact}
          text={copy.revealText}
        />
      )
    case 'view-as':
      return <ViewDialog {...common} onDone={onView} />
    case 'remove-factor':
      return (
        <ActDialog
          {...common}
          title={copy.removeFactor}
          endpoint={calls.removeSecondFactor}
          text={copy.removeFactorText}
        />
      )
  }
}

type ViewProps = { params: { id: string }; onDone: (view: View) => void; onClose: () => void }

const ViewDialog = (props: ViewProps) => (
  <ActDialog
    {...props}
    title={viewCopy.button}
    submitLabel={viewCopy.submit}
    endpoint={viewAsCall}
    text={viewCopy.text}
  />
)

function AdjustDialog({ user, onClose }: Pick<ActProps, 'user' | 'onClose'>) {
  return (
    <ActDialog
      title={copy.adjust}
      endpoint={calls.adjust}
      params={{ id: user.id }}
      start={{ amount: '' }}
      toBody={({ amount, reason }) => ({ amount: typedNumber(amount), reason })}
      onClose={onClose}
      text={copy.adjustText(formatNumber(user.balance))}
    >
      {(form) => <Field {...form.field('amount')} label={copy.amount} inputMode="text" autoComplete="off" />}
    </ActDialog>
  )
}

function ContactDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  return (
    <Dialog title={copy.revealed} onClose={onClose}>
      <Facts
        facts={[
          { label: copy.email, value: contact.email ?? copy.none },
          { label: copy.phone, value: contact.phone === null ? copy.none : `+${contact.phone}` },
        ]}
      />
      <div className="mt-4 text-right">
        <Button kind="plain" onClick={onClose}>
          {copy.close}
        </Button>
      </div>
    </Dialog>
  )
}
