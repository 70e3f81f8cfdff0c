import { QueryClientContext, type QueryClient } from '@tanstack/react-query'
import { Component, type ContextType, type ReactNode } from 'react'
import { Button } from './button.tsx'

const RETRY = 'Thử lại'

/** Of a part whose heading says what it is. */
export const PART_FAILED = 'Phần này chưa hiện được'

type FailureProps = { text: string; isBusy?: boolean; onRetry: () => unknown }

/** Something is not there: what, and the button to try again. The focus stays near when the button goes. */
export function Failure({ text, isBusy, onRetry }: FailureProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p className="font-bold text-balance">{text}</p>
      <Button
        kind="plain"
        isBusy={isBusy}
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

/**
 * What has broken may have read an answer that it cannot show, which would break it again: what nothing shows is forgotten, and what
 * else is shown is read again. Resolves when that has come.
 */
function readAgain(client: QueryClient): Promise<void> {
  client.removeQueries({ type: 'inactive' })
  return client.refetchQueries({ type: 'active' })
}

type Props = {
  /** The words beside “Thử lại” in place of what broke; without any of both nothing, for an extra that nobody misses. */
  failed?: string | undefined
  renderFailed?: ((retry: () => void) => ReactNode) | undefined
  /** Of another one it is tried again. */
  of?: unknown
  children: ReactNode
}

/** A part that breaks, or whose code does not arrive, takes nothing else along. */
export class Boundary extends Component<Props, { isBroken: boolean; isReading: boolean }> {
  static override contextType = QueryClientContext
  static getDerivedStateFromError = () => ({ isBroken: true })

  declare context: ContextType<typeof QueryClientContext>

  override state = { isBroken: false, isReading: false }

  override componentDidUpdate(before: Props) {
    if (this.state.isBroken && before.of !== this.props.of) this.showAgain()
  }

  showAgain = () => this.setState({ isBroken: false })

  retry = () => {
    if (!this.context) return this.showAgain()
    const read = readAgain(this.context)
    // At once with what is there; where another part shows the answer that broke it, once more when that has been replaced.
    this.setState({ isBroken: false, isReading: true })
    void read.finally(() => this.setState({ isBroken: false, isReading: false }))
  }

  override render() {
    const { failed, renderFailed, children } = this.props
    if (!this.state.isBroken) return children
    return failed === undefined ? (
      renderFailed?.(this.retry)
    ) : (
      <Failure text={failed} isBusy={this.state.isReading} onRetry={this.retry} />
    )
  }
}
