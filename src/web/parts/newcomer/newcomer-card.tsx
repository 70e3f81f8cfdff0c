import { useEffect } from 'react'
import { formatNumber } from '#contract/format.ts'
import { pages, paths } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link } from '#web/navigation.tsx'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { useOwnCharacters } from '#web/parts/purchase/own-characters.ts'
import { useSettings } from '#web/parts/settings/settings.ts'
import { forgetCard, dismissCard } from '#web/session/session-store.ts'

const copy = {
  title: 'Ba bước cho người mới',
  steps: ['Nạp', 'Kích hoạt', 'Nhận quà'],
  /** For strong characters, to whom the starter gift is of no use. */
  stepsBeyond: ['Nạp', 'Kích hoạt', 'Đổi lượng'],
  done: '(xong)',
  texts: (fee: string) => [
    `Tài khoản chưa kích hoạt. Nạp đủ ${fee} TCoin để bắt đầu.`,
    `Tài khoản chưa kích hoạt. Kích hoạt một lần với ${fee} TCoin để giao dịch.`,
    'Chọn gói quà tân thủ cho nhân vật của bạn.',
  ],
  beyond: 'Nhân vật của bạn đã vượt xa tân thủ: đổi lượng để đi tiếp.',
  hide: 'Ẩn hướng dẫn này',
  actions: ['Nạp TCoin', 'Kích hoạt', 'Xem quà'],
} as const

const LAST_STEP = 2

/** The steps of a new account, with the one to do next. Of fixed height, like its placeholder. */
export function NewcomerCard({ user }: { user: User }) {
  const fee = Number(useSettings().active_fee)
  const step = stepOf(user, fee)
  const isBeyond = useIsBeyond(step === LAST_STEP)
  return (
    <section aria-label={copy.title} className="newcomer-card bg-sunken">
      <div className="shell-width flex h-full flex-col justify-center gap-3 md:flex-row md:items-center md:justify-between">
        <ol className="newcomer-steps">
          {(isBeyond ? copy.stepsBeyond : copy.steps).map((name, index) => (
            <li key={name} aria-current={index === step ? 'step' : undefined}>
              <span className="newcomer-mark">
                {index < step ? <Icon name="check" className="size-4" /> : index + 1}
              </span>
              {name}
              {index < step && <span className="sr-only"> {copy.done}</span>}
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-32 text-sm leading-snug text-soft">
            {isBeyond ? copy.beyond : copy.texts(formatNumber(fee))[step]}
          </p>
          <div className="flex items-center gap-1">
            {isBeyond ? (
              <Link to={paths.exchange} className={buttonClass()}>
                {pages.exchange.title}
              </Link>
            ) : (
              <Action step={step} />
            )}
            {step === LAST_STEP && (
              <button
                type="button"
                aria-label={copy.hide}
                className="grid size-11 shrink-0 place-items-center rounded-lg text-soft hover:text-ink"
                onClick={dismissCard}
              >
                <Icon name="close" />
              </button>
            )}
          </div>
        </div>
      </div>
    </section>
  )
}

/** From this level on the starter gift is of no use and is not offered. */
const BEYOND_LEVEL = 60

function useIsBeyond(isAsked: boolean): boolean {
  const { data } = useOwnCharacters(isAsked)
  const isBeyond = isAsked && (data?.characters.some(({ info }) => info.level >= BEYOND_LEVEL) ?? false)
  useEffect(() => {
    if (isBeyond) forgetCard()
  }, [isBeyond])
  return isBeyond
}

function Action({ step }: { step: number }) {
  if (step === 1) {
    return <Button onClick={() => openModal('active')}>{copy.actions[1]}</Button>
  }
  return (
    <Link to={step === 0 ? paths.recharge : paths.gift} className={buttonClass()}>
      {copy.actions[step]}
    </Link>
  )
}

/** The first of the three that is not done: TCoin for the fee, the activation, the gift. */
function stepOf({ activated, balance }: User, fee: number): number {
  if (activated) return LAST_STEP
  return balance >= fee ? 1 : 0
}
