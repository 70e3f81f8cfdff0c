import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALARM_RUNBOOKS, machineRunbooks } from '#admin/features/runbooks/runbooks.copy.ts'
import { ALARMS } from '#server/modules/alarms/alarms.rules.ts'
import { renderOperatorsRunbook, renderRunbook } from '#scripts/runbooks.ts'
import { root } from './checkout-copy.ts'

const folder = join(root, 'docs/runbooks')
const files = (await readdir(folder)).filter((name) => name.endsWith('.md'))
const forOperators = (await readdir(join(folder, 'vi'))).map((name) => `vi/${name}`)

/** All that is shown of a page. */
async function shownOf(file: string): Promise<{ title: string; html: string }> {
  const markdown = await readFile(join(folder, file), 'utf8')
  if (!file.startsWith('vi/')) return renderRunbook(markdown)
  const { title, html, sections } = renderOperatorsRunbook(markdown)
  return { title, html: [html, ...sections.map((section) => section.html)].join('') }
}

test('every runbook is listed in the console, and each that an alarm names stands with those of alarms', () => {
  const named = [...ALARM_RUNBOOKS, ...Object.keys(machineRunbooks)].map((name) => `${name}.md`)
  expect(named.toSorted(), 'name it in src/admin/features/runbooks/runbooks.copy.ts').toEqual(
    files.toSorted(),
  )
  for (const { runbook } of Object.values(ALARMS))
    expect(ALARM_RUNBOOKS.map((name) => `${name}.md`)).toContain(runbook)
})

test.each([...files, ...forOperators])(
  '%s is shown with a heading, without scripts, styles or anything loaded from elsewhere',
  async (file) => {
    const { title, html } = await shownOf(file)
    expect(title).not.toBe('')
    expect(html).not.toMatch(/<(script|img|iframe|style|link|h1)\b|<[^>]* (style|on\w+)=/i)
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address = '']) => address)
    const shipped = [...files, ...forOperators].map((name) => {
      const [, isOperators, runbook] = /^(vi\/)?(.+)\.md$/.exec(name) ?? []
      return `/admin/runbooks/${runbook}${isOperators ? '' : '?part=engineer'}`
    })
    const isScreen = (address: string) => file.startsWith('vi/') && /^\/admin\/(?!runbooks\/)/.test(address)
    expect(
      links.filter(
        (address) => !address.startsWith('https:') && !shipped.includes(address) && !isScreen(address),
      ),
    ).toEqual([])
  },
)

test('what is written like HTML is shown as text, and links run nothing', () => {
  const { html } = renderRunbook(`# T

<script>alert(1)</script> <img src=x onerror=alert(1)> \`<username>\`

[a](javascript:alert(1)) [b](data:text/html,x) [c](../law.md) [d](//evil.example/x) [e](mail.md) ![f](https://evil.example/p.png)
`)
  expect(html).not.toMatch(/<(script|img)/)
  expect(html).toContain('<code>&lt;username&gt;</code>')
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
    '/admin/runbooks/mail?part=engineer',
    'https://evil.example/p.png',
  ])
})
