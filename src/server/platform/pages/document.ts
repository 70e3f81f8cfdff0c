import { hash } from 'node:crypto'
import { pages, paths } from '#contract/pages.ts'
import type { RenderedPage } from '#contract/rendered-page.ts'
import { MARK_SCRIPT, OLD_BROWSER, START_SCRIPT } from './csp.ts'
import { criticalOf, type SiteFiles } from './site-files.ts'

type DocumentOptions = { publicUrl: string; isDemoPublic: boolean; files: SiteFiles }

export type Document = {
  text: string
  /** Weak: two renderings that differ only in their times count as the same. */
  etag: string
}

/** The part that renders a page, and those that it needs soon. On a page for players they are for visitors, who see another page. */
type Parts = {
  names: readonly [rendering: string, ...more: string[]]
  areForVisitors: boolean
  needsScripts: string | undefined
}

type Frame = { text: string; tag: string }

const START = `<!doctype html>
<html lang="vi">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<script>${MARK_SCRIPT}</script>
`

/** When the reads of a page were made. Within a text of JSON the quotes are escaped, so that it is found nowhere else. */
const TIMES = /"(dehydratedAt|dataUpdatedAt)":\d+/g

/** The HTML documents around rendered pages. */
export function documents(options: DocumentOptions): (page: RenderedPage, path: string) => Document {
  const { publicUrl } = options
  const frames = new Map<string, Frame>()

  /** The HTML between head and page, the same in all documents of the same parts. */
  function frameOf(parts: Parts): Frame {
    const name = [parts.areForVisitors, parts.needsScripts, ...parts.names].join(' ')
    const known = frames.get(name)
    if (known) return known
    const text = frameText(options, parts)
    const frame = { text, tag: hash('sha256', text) }
    frames.set(name, frame)
    return frame
  }

  return (
    { head, html, part = '', more = [], isOfPlayers = false, needsScripts, structured, state },
    path,
  ) => {
    const frame = frameOf({ names: [part, ...more], areForVisitors: isOfPlayers, needsScripts })
    const address = new URL(path, publicUrl).href
    const tags = headTags(head, address, publicUrl) + structuredTag(structured)
    const stateText = escapeState(state)
    const body = `${html}</div>\n<script type="application/json" id="page-state">${stateText}</script>\n</body>\n</html>\n`
    const unchanging = `${frame.tag}${tags}\n${html}\n${stateText.replaceAll(TIMES, '')}`
    const tag = hash('sha256', unchanging, 'base64url').slice(0, 22)
    return { text: `${START}${tags}${frame.text}${body}`, etag: `W/"${tag}"` }
  }
}

const frameText = ({ files, isDemoPublic }: DocumentOptions, parts: Parts) =>
  `${fileTags(files, parts)}
</head>
<body>
${isDemoPublic ? '<p class="demo-strip">Bản dùng thử</p>' : ''}${OLD_BROWSER_TEXT}${noScriptText(parts)}<div id="root">`

const OLD_BROWSER_TEXT = `<p class="old-browser">${OLD_BROWSER} để đăng nhập, nạp và đổi. <a class="for-device" data-for="android" href="${paths.download}">Tải game cho Android (APK)</a></p>`

/** Outside the root: React does not know of it. */
const noScriptText = ({ needsScripts }: Parts) =>
  needsScripts === undefined
    ? ''
    : `<noscript><p class="no-script">Trang “${escapeHtml(needsScripts)}” cần JavaScript. Hãy bật JavaScript trong trình duyệt rồi tải lại trang. Tin tức, bài viết và <a href="${paths.download}">trang tải game</a> vẫn xem được khi tắt JavaScript.</p></noscript>`

/** They show what is the same for all, which the page cache has as long as nothing changes. */
const STILL_OPEN = [pages.home, pages.download, pages.tournaments, pages.gemCalculator]

/** Sent when no page can be rendered: no script, and a message of the error catalogue. */
export function brokenDocument(files: SiteFiles, message: string): string {
  return `<!doctype html>
<html lang="vi">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Có lỗi xảy ra</title>
${styleLinks(files.styles).join('')}
</head>
<body class="broken-page">
<h1>${escapeHtml(message)}</h1>
<p>TCoin, đơn nạp và món đã mua của bạn vẫn được giữ nguyên. Những trang này thường vẫn xem được:</p>
<p>${STILL_OPEN.map(({ path, title }) => `<a href="${path}">${title}</a>`).join(' ')}</p>
<p><a href="">Thử lại</a></p>
</body>
</html>
`
}

function headTags(head: RenderedPage['head'], address: string, publicUrl: string): string {
  const { title, siteName, description, image, kind = 'website', isIndexable = true } = head
  const fullTitle = title === siteName ? siteName : `${title} — ${siteName}`
  const picture = new URL(image, publicUrl).href
  const meta = (key: 'name' | 'property') => (name: string, content: string | undefined) =>
    content === undefined ? '' : `<meta ${key}="${name}" content="${escapeHtml(content)}">\n`
  const named = meta('name')
  const property = meta('property')

  if (!isIndexable) return `<title>${escapeHtml(fullTitle)}</title>\n${named('robots', 'noindex')}`
  return [
    `<title>${escapeHtml(fullTitle)}</title>\n`,
    named('description', description),
    `<link rel="canonical" href="${escapeHtml(address)}">\n`,
    property('og:type', kind),
    property('og:site_name', siteName),
    property('og:title', title),
    property('og:description', description),
    property('og:url', address),
    property('og:image', picture),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:locale', 'vi_VN'),
    property('article:published_time', head.publishedAt),
    property('article:modified_time', head.modifiedAt),
    named('twitter:card', 'summary_large_image'),
    named('twitter:title', title),
    named('twitter:description', description),
    named('twitter:image', picture),
  ].join('')
}

/** A browser does not run a script of this type, so the policy does not concern it. */
const structuredTag = (structured: RenderedPage['structured']): string =>
  structured
    ? `<script type="application/ld+json">${escapeState({ '@context': 'https://schema.org', '@graph': structured })}</script>\n`
    : ''

/** The page is painted and readable before its scripts and the rest of its styles come. */
function fileTags(files: SiteFiles, parts: Parts): string {
  return [
    ...(criticalOf(files, parts.names[0]) === undefined ? waitingTags(files) : startTags(files, parts)),
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png">',
    '<link rel="manifest" href="/manifest.webmanifest">',
    '<link rel="alternate" type="application/atom+xml" href="/feed.xml" title="Bài viết mới">',
    '<meta name="theme-color" content="#fbf7f0" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#161210" media="(prefers-color-scheme: dark)">',
  ].join('\n')
}

/** In development: the whole style sheet, which the page waits for. */
const waitingTags = ({ script, styles }: SiteFiles) => [
  ...styleLinks(styles),
  `<script type="module" src="${script}"></script>`,
]

function startTags(files: SiteFiles, { names, areForVisitors }: Parts): string[] {
  const { script, styles, preloads, parts } = files
  const named = new Set(names.flatMap((name) => parts[name] ?? []))
  const more = [...named].filter((file) => !preloads.includes(file))
  const modules = [...preloads, ...(areForVisitors ? [] : more)].join(' ')
  const visitors = areForVisitors ? more.map((file) => ` ${file}`).join('') : ''
  return [
    `<style>${criticalOf(files, names[0])}</style>`,
    `<noscript>${styleLinks(styles).join('')}</noscript>`,
    `<script data-script="${script}" data-style="${styles.join(' ')}" data-parts="${modules}" data-visitors="${visitors}">${START_SCRIPT}</script>`,
  ]
}

const styleLinks = (styles: readonly string[]) =>
  styles.map((file) => `<link rel="stylesheet" href="${file}">`)

/** JSON for a script element: without characters that could end the element, or a line of a script. */
export function escapeState(state: unknown): string {
  return JSON.stringify(state)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)
}
