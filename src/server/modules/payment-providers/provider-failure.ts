/** A provider that was asked something and gave nothing to work with. What was asked may still have happened there. */
export class ProviderFailure extends Error {
  readonly kind: 'unreachable' | 'busy' | 'refused' | 'unreadable'
  /** How long it asked us to stay away. */
  readonly retryAfterSeconds: number | undefined
  /** The body of its refusal: MoMo refuses in JSON under HTTP 4xx as well. */
  readonly answer: string | undefined
  /** Not a byte of the request left this machine, so nothing can have happened. */
  readonly isUnsent: boolean

  constructor(
    kind: ProviderFailure['kind'],
    message: string,
    options: {
      retryAfterSeconds?: number | undefined
      isUnsent?: boolean
      answer?: string
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.retryAfterSeconds = options.retryAfterSeconds
    this.answer = options.answer
    this.isUnsent = options.isUnsent ?? false
  }
}
