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

type Site = {
  name: string
  url: string
  /** What the law requires: the age class of the game, and who runs the portal. */
  notices: readonly string[]
}

type WrittenMail = { subject: string; text: string; html: string }

const AUTOMATIC = 'Thư này được gửi tự động, bạn không cần trả lời.'

/** One line without control characters, for a header or a greeting. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => `&#${mark.codePointAt(0)};`)

/** The layout of a mail, with the same content as text and as HTML. All content is escaped, never markup. */
export function writeMail(mail: Mail, site: Site): WrittenMail {
  return { subject: oneLine(mail.subject), text: plainText(mail, site), html: htmlText(mail, site) }
}

function plainText(mail: Mail, site: Site): string {
  const parts = [
    `Chào ${oneLine(mail.username)},`,
    ...mail.paragraphs,
    ...(mail.code === undefined ? [] : [`Mã OTP: ${mail.code}`]),
    ...(mail.action === undefined ? [] : [`${mail.action.label}:\n${mail.action.url}`]),
    ...(mail.closing ?? []),
    ['-- ', oneLine(site.name), site.url, AUTOMATIC, ...site.notices.map(oneLine)].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

const FONT = "font-family:'Be Vietnam Pro',Roboto,'Segoe UI',Helvetica,Arial,sans-serif"

/**
 * Mail programs of phones know tables and inline styles, and little else. Inline colours are dark on
 * light; the style element sets light on dark where the mail program supports it.
 */
const NIGHT = `@media (prefers-color-scheme: dark) {
.ground { background-color: #161210 !important; }
.sheet { background-color: #201a17 !important; border-color: #c43a20 #3b312b #3b312b !important; }
.ink, .ink td, .ink p { color: #f5ede1 !important; }
.soft, .soft p, .ink .soft { color: #bfb0a0 !important; }
.accent { color: #f58b71 !important; }
.code { background-color: #2a221e !important; border-color: #85776a !important; color: #f5ede1 !important; }
}
@media (max-width: 480px) {
.inside { padding-left: 20px !important; padding-right: 20px !important; }
.code { font-size: 28px !important; letter-spacing: 6px !important; }
}`

const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:1.6">${escapeHtml(text)}</p>`

const table = (attributes: string, content: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${content}</table>`

function codeBlock(code: string): string {
  const style = `${FONT};background-color:#f2eadd;border:1px solid #8d8074;border-radius:8px;color:#1f1a17;font-size:34px;font-weight:700;letter-spacing:10px;line-height:1;padding:18px 12px 18px 22px`
  return table(
    'align="center" style="margin:8px auto 24px"',
    `<tr><td class="code" align="center" style="${style}">${escapeHtml(code)}</td></tr>`,
  )
}

function actionBlock({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url)
  const link = `${FONT};display:inline-block;padding:14px 28px;color:#ffffff;font-size:16px;font-weight:700;text-decoration:none`
  const button = table(
    'align="center" style="margin:8px auto 20px"',
    `<tr><td align="center" bgcolor="#bf3319" style="background-color:#bf3319;border-radius:8px"><a href="${address}" style="${link}">${escapeHtml(label)}</a></td></tr>`,
  )
  return `${button}<p class="soft" style="margin:0 0 20px;color:#5c5149;font-size:13px;line-height:1.6">Nếu nút không mở được, bạn chép địa chỉ này vào trình duyệt:<br><a class="accent" href="${address}" style="color:#b9301a;word-break:break-all">${address}</a></p>`
}

function sheet(mail: Mail): string {
  const closing = (mail.closing ?? [])
    .map((text) => `<p style="margin:0 0 12px;font-size:14px;line-height:1.6">${escapeHtml(text)}</p>`)
    .join('')
  return [
    paragraph(`Chào ${oneLine(mail.username)},`),
    ...mail.paragraphs.map(paragraph),
    ...(mail.code === undefined ? [] : [codeBlock(mail.code)]),
    ...(mail.action === undefined ? [] : [actionBlock(mail.action)]),
    ...(closing === '' ? [] : [`<div class="soft" style="color:#5c5149">${closing}</div>`]),
  ].join('\n')
}

function htmlText(mail: Mail, site: Site): string {
  const name = escapeHtml(oneLine(site.name))
  const address = escapeHtml(site.url)
  const notices = site.notices.map((text) => `<br>${escapeHtml(oneLine(text))}`).join('')
  const seal = `${FONT};background-color:#bf3319;border-radius:6px;color:#ffffff;font-size:20px;font-weight:700;line-height:36px;width:36px;height:36px`
  const head = table(
    'align="left"',
    `<tr><td align="center" bgcolor="#bf3319" style="${seal}">${escapeHtml(oneLine(site.name).slice(0, 1))}</td><td style="${FONT};padding-left:12px;font-size:18px;font-weight:700;line-height:36px">${name}</td></tr>`,
  )
  return `<!doctype html>
<html lang="vi">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(oneLine(mail.subject))}</title>
<style>:root { color-scheme: light dark; }
${NIGHT}</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:#fbf7f0">
${table(
  'class="ground" width="100%" bgcolor="#fbf7f0" style="background-color:#fbf7f0"',
  `<tr><td align="center" style="padding:24px 12px">
${table(
  'width="100%" style="max-width:560px"',
  `<tr><td class="ink" align="left" style="padding:0 4px 16px;color:#1f1a17">${head}</td></tr>
<tr><td class="sheet ink inside" align="left" style="${FONT};background-color:#fffdf9;border:1px solid #dfd3c2;border-top:3px solid #bf3319;border-radius:10px;color:#1f1a17;padding:28px 32px 16px">
${sheet(mail)}
</td></tr>
<tr><td class="soft" align="left" style="${FONT};padding:16px 4px 0;color:#5c5149;font-size:13px;line-height:1.6">${AUTOMATIC}<br><a class="accent" href="${address}" style="color:#b9301a">${address}</a>${notices}</td></tr>`,
)}
</td></tr>`,
)}
</body>
</html>
`
}
