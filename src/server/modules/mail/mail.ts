/** The address of a mail and the player it greets. */
export type Addressee = { to: string; username: string }

/** The content of a mail to one player; its layout, as text and as HTML, is made when it is sent. */
export type Mail = Addressee & {
  /** What it is about, for logs and figures: `password-reset`, `new-device`. Lower-case words with hyphens. */
  kind: string
  subject: string
  /** Vietnamese sentences, plain text. */
  paragraphs: readonly string[]
  /** A one-time code, shown large. */
  code?: string
  /** A button; its address is also part of the text. */
  action?: { label: string; url: string }
  /** Closing sentences, such as what to do if it was somebody else. */
  closing?: readonly string[]
  /** How long its content is valid; it is not sent after that. A mail without it may come a day late. */
  usefulMinutes?: number
}
