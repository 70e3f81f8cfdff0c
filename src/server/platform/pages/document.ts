import { paths } from '#contract/pages.ts'
import type { RenderedPage } from '#contract/rendered-page.ts'
import { criticalOf, type SiteFiles } from './site-files.ts'
import { MARK_SCRIPT, START_SCRIPT } from './csp.ts'

type DocumentOptions = { path: string; publicUrl: string; isDemoPublic: boolean; files: SiteFiles }

/** The HTML document around a rendered page. */
export function documentOf(
  page: RenderedPage,
  { path, publicUrl, isDemoPublic, files }: DocumentOptions,
): string {
  const demoStrip = isDemoPublic ? '<p class="demo-strip">Bản dùng thử</p>' : ''
  return `<!doctype html>
<html lang="vi">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>${MARK_SCRIPT}</script>
${headTags(page.head, new URL(path, publicUrl).href, publicUrl)}
${fileTags(files, page.part)}
</head>
<body>
${demoStrip}<div id="root">${page.html}</div>
<script type="application/json" id="page-state">${escapeState(page.state)}</script>
</body>
</html>
`
}

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
<p><a href="${paths.home}">Về trang chủ</a></p>
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

/** The page is painted and readable before its scripts and the rest of its styles come. */
function fileTags(files: SiteFiles, part = ''): string {
  return [
    ...(criticalOf(files, part) === undefined ? waitingTags(files) : startTags(files, part)),
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

function startTags(files: SiteFiles, part: string): string[] {
  const { script, styles, preloads, parts } = files
  const modules = [...preloads, ...(parts[part] ?? [])].join(' ')
  return [
    `<style>${criticalOf(files, part)}</style>`,
    `<noscript>${styleLinks(styles).join('')}</noscript>`,
    `<script data-script="${script}" data-style="${styles.join(' ')}" data-parts="${modules}">${START_SCRIPT}</script>`,
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
