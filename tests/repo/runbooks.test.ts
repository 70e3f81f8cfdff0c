import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runbookNames } from '#admin/features/runbooks/runbooks.copy.ts'
import { ALARMS } from '#server/modules/alarms/alarms.rules.ts'
import { renderRunbook } from '#scripts/runbooks.ts'
import { root } from './checkout-copy.ts'

const folder = join(root, 'docs/runbooks')
const files = (await readdir(folder)).filter((name) => name.endsWith('.md'))

test('every runbook has a name in the console, and each that an alarm names stands with those of alarms', () => {
  const { alarms, machine } = runbookNames
  const named = Object.keys({ ...alarms, ...machine }).map((name) => `${name}.md`)
  expect(named.toSorted(), 'name it in src/admin/features/runbooks/runbooks.copy.ts').toEqual(
    files.toSorted(),
  )
  for (const { runbook } of Object.values(ALARMS))
    expect(Object.keys(alarms).map((name) => `${name}.md`)).toContain(runbook)
})

test.each(files)(
  '%s is shown with a heading, without scripts, styles or anything loaded from elsewhere',
  async (file) => {
    const { title, html } = renderRunbook(await readFile(join(folder, file), 'utf8'))
    expect(title).not.toBe('')
    expect(html).not.toMatch(/<(script|img|iframe|style|link|h1)\b|<[^>]* (style|on\w+)=/i)
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address = '']) => address)
    const shipped = files.map((name) => `/admin/runbooks/${name.replace(/\.md$/, '')}`)
    expect(links.filter((address) => !address.startsWith('https:') && !shipped.includes(address))).toEqual([])
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
    '/admin/runbooks/mail',
    'https://evil.example/p.png',
  ])
})
