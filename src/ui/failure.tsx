import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'

const RETRY = 'Thử lại'

/** Of a part whose heading says what it is. */
export const PART_FAILED = 'Phần này chưa hiện được'

type FailureProps = { text: string; onRetry: () => unknown }

/** Something is not there: what, and the button to try again. The focus stays near when the button goes. */
export function Failure({ text, onRetry }: FailureProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p className="font-bold text-balance">{text}</p>
      <Button
        kind="plain"
        onClick={(event) => {
          event.currentTarget.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
          void onRetry()
        }}
      >
        {RETRY}
      </Button>
    </div>
  )
}

type Props = {
  /** The words beside “Thử lại” in place of what broke; without any of both nothing, for an extra that nobody misses. */
  failed?: string | undefined
  renderFailed?: ((retry: () => void) => ReactNode) | undefined
  /** Makes ready what is to be tried again. */
  onRetry?: () => void
  /** Of another one it is tried again. */
  of?: unknown
  children: ReactNode
}

/** A part that breaks, or whose code does not arrive, takes nothing else along. */
export class Boundary extends Component<Props, { isBroken: boolean }> {
  static getDerivedStateFromError = () => ({ isBroken: true })

  override state = { isBroken: false }

  override componentDidUpdate(before: Props) {
    if (this.state.isBroken && before.of !== this.props.of) this.retry()
  }

  retry = () => {
    this.props.onRetry?.()
    this.setState({ isBroken: false })
  }

  override render() {
    const { failed, renderFailed, children } = this.props
    if (!this.state.isBroken) return children
    return failed === undefined ? renderFailed?.(this.retry) : <Failure text={failed} onRetry={this.retry} />
  }
}
