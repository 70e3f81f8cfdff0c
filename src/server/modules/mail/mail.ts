/** A letter to one player, as what it says; how it looks, as text and as HTML, is decided where it is sent. */
export type Mail = {
  /** What it is about, for logs and figures: `password-reset`, `new-device`. Lower-case words with hyphens. */
  kind: string
  to: string
  subject: string
  /** Whom it greets. */
  username: string
  /** Vietnamese sentences, plain text. */
  paragraphs: readonly string[]
  /** A one-time code, shown large. */
  code?: string
  /** A button; its address is also part of the text. */
  action?: { label: string; url: string }
  /** Closing sentences, such as what to do if it was somebody else. */
  closing?: readonly string[]
  /** How long what it brings is good for; it is not sent any more after that. A letter without it may come a day late. */
  usefulMinutes?: number
}
