/** What goes back over the wire. */
export type Answer = { status: number; body: unknown }

export const ok = (body: unknown): Answer => ({ status: 200, body })

export const refused = (reason: string): Answer => ({ status: 422, body: { status: 'refused', reason } })

/** A call that is not as the contract wants it; `field` says where. */
export const wrong = (status: number, error: string, field?: string): Answer => ({
  status,
  body: { error, ...(field === undefined ? {} : { field }) },
})
