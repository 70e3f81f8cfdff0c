import type { ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import { Alert } from '#ui/alert.tsx'
import { Coins } from '#ui/coins.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Facts } from '#ui/facts.tsx'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'

/** One figure of what is bought; `text` is null while nothing is chosen. */
export type Figure = { label: string; text: string | null; isCoins?: boolean }

export function figureText({ text, isCoins }: Figure): ReactNode {
  if (text === null) return copy.nothing
  return isCoins ? <Coins>{text}</Coins> : text
}

type Props = {
  words: { confirmTitle: string; confirm: string; confirmWarning: string }
  characterName: string
  figures: readonly Figure[]
  /** What was shown before the price changed. */
  before: readonly Figure[] | null
  balanceAfter: number
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** The confirmation: what is paid, what is delivered, and to whom; a changed figure is shown with the earlier one. */
export function ConfirmPurchase(props: Props) {
  const { words, figures, before } = props
  return (
    <ConfirmDialog
      title={words.confirmTitle}
      confirmLabel={words.confirm}
      isBusy={props.isBusy}
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    >
      {before && (
        <Alert tone="note">
          <p>{copy.priceChanged}</p>
        </Alert>
      )}
      <Facts
        facts={[
          { label: copy.toCharacter, value: props.characterName },
          ...figures.map((figure, index) => ({
            label: figure.label,
            value: <FigureNow now={figure} before={before?.[index]} />,
          })),
          { label: copy.balanceAfter, value: <Coins>{formatNumber(props.balanceAfter)}</Coins> },
        ]}
      />
      {props.children}
      <p className="text-[0.9375rem] text-soft">{words.confirmWarning}</p>
    </ConfirmDialog>
  )
}

function FigureNow({ now, before }: { now: Figure; before: Figure | undefined }) {
  if (!before || before.text === now.text) return figureText(now)
  return (
    <>
      <span className="block">{figureText(now)}</span>
      <span className="block text-sm font-normal text-soft">{copy.before(before.text ?? '')}</span>
    </>
  )
}
