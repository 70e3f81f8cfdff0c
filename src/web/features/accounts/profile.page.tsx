import { useQuery } from '#web/use-query.ts'
import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import { banEnd, type getInvitation, type User } from '#contract/users.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Facts } from '#ui/facts.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Card, Fold } from '#web/features/accounts/profile-parts.tsx'
import { CharacterCard } from '#web/features/accounts/character-card.tsx'
import { profileCopy as copy } from '#web/features/accounts/profile.copy.ts'
import { ProfileSessions, sessionsQuery } from '#web/features/accounts/profile-sessions.tsx'
import { deletionQuery, secondFactorQuery } from '#web/features/accounts/accounts.api.ts'
import { RankingName, rankingNameQuery } from '#web/features/accounts/ranking-name.tsx'
import { PersonalDataSection } from '#web/features/accounts/personal-data-section.tsx'
import { SecuritySection } from '#web/features/accounts/security-section.tsx'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { isBanned, useSession } from '#web/session/session-store.ts'
import { hasPermission, hasRole } from '#web/session/access.ts'
import { ShareRow } from '#web/parts/share/share-row.tsx'
import { CopyRow } from '#web/parts/clipboard/copy-row.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { MilestonePlace } from '#web/parts/rewards/milestone-place.tsx'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { OwnInvitations } from '#web/parts/tournaments/own-invitations.tsx'
import { ownQuery } from '#web/query-client.ts'

const invitationQuery = ownQuery<typeof getInvitation>('/user/invitation')

function ProfilePage() {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <div className="mb-6">
        <h1 className="brush-title text-3xl">{pages.profile.title}</h1>
        <Staff user={user} />
      </div>
      <OwnInvitations className="mb-6" />
      <div className="grid gap-6 md:grid-cols-2">
        <CharacterCard user={user} />
        <Wallet user={user} />
        {(!user.activated || isBanned(user)) && <TradingState user={user} />}
      </div>
      <SecuritySection user={user} />
      <ProfileSessions />
      <Rewards />
      <RankingName />
      <PersonalDataSection user={user} />
      <Fold title={copy.invitation}>
        <Invitation />
      </Fold>
    </div>
  )
}

/** Where goods that cost nothing are taken. */
function Rewards() {
  return (
    <Section title={copy.rewards} className="mt-8">
      <p className="mb-3 flex flex-wrap gap-x-5">
        <TextLink to={paths.checkIn}>{pages.checkIn.title}&nbsp;→</TextLink>
        <TextLink to={paths.milestones}>{pages.milestones.title}&nbsp;→</TextLink>
      </p>
      <MilestonePlace />
    </Section>
  )
}

/** An operator's roles, and what they permit. */
function Staff({ user }: { user: User }) {
  if (!hasRole(user, Object.keys(copy.roles))) return null
  const roles = Object.entries(copy.roles).filter(([role]) => hasRole(user, [role]))
  const acts = Object.entries(copy.acts).filter(([permission]) => hasPermission(user, permission))
  return (
    <div className="mt-3">
      <Badge tone="note">{copy.staff(namesOf(roles))}</Badge>
      {acts.length > 0 && <p className="mt-2 text-[0.9375rem] text-soft">{copy.mayDo(namesOf(acts))}</p>}
    </div>
  )
}

const namesOf = (entries: [string, string][]) => entries.map(([, name]) => name).join(', ')

function Wallet({ user }: { user: User }) {
  return (
    <Card title={copy.wallet}>
      <p className="flex items-center justify-between gap-3">
        <span className="text-soft">{copy.balance}</span>
        <Coins className="text-2xl">{formatNumber(user.balance)}</Coins>
      </p>
      <div className="mt-4 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        <Link to={paths.recharge} className={buttonClass('main', 'max-sm:col-span-2')}>
          {copy.recharge}
        </Link>
        <Link to={paths.exchange} className={buttonClass('plain')}>
          {copy.exchange}
        </Link>
        <Link to={paths.transfer} className={buttonClass('plain')}>
          {copy.transfer}
        </Link>
      </div>
    </Card>
  )
}

/** The link a player sends to friends, and how many came by it. */
function Invitation() {
  return (
    <>
      <p className="text-[0.9375rem] text-soft">{copy.invitationLead}</p>
      <Loaded query={useQuery(invitationQuery)} skeleton={<Skeleton className="mt-3 h-24 w-full" />}>
        {({ link, invited }) => (
          <>
            <dl className="my-3 rounded-xl border border-line">
              <CopyRow label={copy.invitationLink} text={link} />
            </dl>
            <div className="mb-3">
              <ShareRow to={link} title={copy.invitation} isCopiedElsewhere />
            </div>
            <Facts facts={[{ label: copy.invited, value: copy.invitedCount(invited) }]} />
            <TextLink to={paths.invitations} className="mt-2">
              {copy.toInvitations}&nbsp;→
            </TextLink>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Whether the account may trade: a ban suspends what its activation permits. */
function TradingState({ user }: { user: User }) {
  const isLocked = isBanned(user)
  return (
    <Card title={copy.state}>
      {isLocked && (
        <div className="mb-3">
          <Badge tone="danger">{copy.banned(banEnd(user.ban_until ?? ''))}</Badge>
          {user.ban_reason && <p className="mt-2 text-[0.9375rem]">{copy.banReason(user.ban_reason)}</p>}
        </div>
      )}
      <Badge tone={user.activated ? 'success' : 'note'}>
        {user.activated ? copy.activated : copy.notActivated}
      </Badge>
      {!(isLocked && user.activated) && (
        <p className="mt-2 text-[0.9375rem] text-soft">
          {user.activated ? copy.activatedText : copy.notActivatedText}
        </p>
      )}
      {!user.activated && (
        <Button className="mt-3" onClick={() => openModal('active')}>
          {copy.activate}
        </Button>
      )}
    </Card>
  )
}

export const page: Page = {
  Component: ProfilePage,
  queries: () => [invitationQuery, secondFactorQuery, sessionsQuery, rankingNameQuery, deletionQuery],
}
