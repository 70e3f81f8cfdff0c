import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { matchPath } from 'react-router'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ALARM_RUNBOOKS } from '#admin/features/runbooks/runbooks.copy.ts'
import { type Screen, screens } from '#admin/screens.ts'
import { ALARM_NAMES } from '#contract/operator/alarms.ts'
import { renderOperatorsRunbook } from '#scripts/runbooks.ts'
import { contractEndpoints } from '#tests/security/contract-fields.ts'
import { alarmExpr, readAlertRules } from '#tests/support/alert-rules.ts'
import { wordsOfScreens } from '#tests/support/console-words.ts'
import { root } from './checkout-copy.ts'

const folder = join(root, 'docs/runbooks/vi')
/** Of `alarmTexts` there: the name of each alarm, and what the console calls it. */
const LABELS = /^ {2}'([\w-]+)': \{\n {4}label: '([^']+)'/gm
const PARTS = ['Nghĩa là gì', 'Làm gì ở đây', 'Khi nào gọi kỹ thuật']
const NAMES = 'Tên trong tin báo: '

/** Lists whose calls are not named as their screens. */
const LISTS: Record<string, string> = { '/gift-codes': '/gift-code-batches' }

/** What belongs into the engineer's part: calls, SQL, commands, names of fields and files, and English for which there is a word. */
const ENGINEERS =
  /(?<![\p{L}\p{N}])(GET|POST|PUT|PATCH|DELETE|SELECT|UPDATE|INSERT|SQL|API|HTTP|JSON|npm|curl|grep|psql|systemctl|journalctl|portal|log|server|worker|database|alarm|webhook|runbook|settings?|\w+_\w+|\/\w+\/[\w/]+|\w+\.(md|ts|yml|service))(?![\p{L}\p{N}])/iu

type Page = { name: string; text: string }
type Section = { title: string; text: string; names: readonly string[] }

const pages: Page[] = await Promise.all(
  (await readdir(folder)).map(async (file) => ({
    name: file.replace(/\.md$/, ''),
    text: await readFile(join(folder, file), 'utf8'),
  })),
)
const wordsOf = await wordsOfScreens()
const endpoints = await contractEndpoints()

const sectionsOf = (text: string): Section[] =>
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', , line = ''] = section.split('\n')
      const names = line.startsWith(NAMES) ? [...line.matchAll(/`([^`]+)`/g)] : []
      return { title, text: section.slice(title.length), names: names.map(([, name = '']) => name) }
    })

const alarmSections = () =>
  pages.flatMap(({ name: page, text }) =>
    sectionsOf(text)
      .filter(({ names }) => names.length > 0)
      .map((section) => ({ page, ...section })),
  )

const entries = Object.values<Screen>(screens)

/** What is wrong with the screens and words that a text names. */
function problemsOf(text: string): string[] {
  const links = [...text.matchAll(/\[([^\]]+)\]\(\/admin(\/[^)]*)\)/g)].map(
    ([, title = '', address = '']) => {
      const [path = '', query = ''] = address.split('?')
      return { title, path, query }
    },
  )
  const wrongLinks = links.flatMap(({ title, path, query }) => {
    const screen = entries.find((one) => matchPath(one.path, path))
    if (screen?.title !== title) return [`[${title}](/admin${path}): ${screen?.title ?? 'no such screen'}`]
    return query === '' || isFilter(path, query) ? [] : [`${path}?${query} is no filter of that list`]
  })
  const words = links.map(({ path }) => wordsOf(path))
  // The words that are on each screen.
  if (words.length === 0) words.push(wordsOf(''))
  const wrongWords = Array.from(text.matchAll(/\*\*([^*]+)\*\*/g), ([, word = '']) => word)
    .filter((word) => !words.some((known) => known.has(word)))
    .map((word) => `**${word}** is on none of the screens named beside it`)
  return [...wrongLinks, ...wrongWords]
}

/** Whether the list of a screen takes what an address has in its query. */
function isFilter(path: string, query: string): boolean {
  const list = endpoints.find((one) => one.method === 'GET' && one.path === `/operator${LISTS[path] ?? path}`)
  const filter = Object.fromEntries(
    Array.from(new URLSearchParams(query), ([name, value]) => [
      name,
      value === 'true' || value === 'false' ? value === 'true' : value,
    ]),
  )
  return list?.query !== undefined && z.safeParse(list.query, { filter: JSON.stringify(filter) }).success
}

/** What operators would not understand, or have no use for. */
const engineersWords = (text: string): string[] =>
  text
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split('\n')
    // The console's own words, and the names of an alarm.
    .filter((line) => !line.startsWith('## ') && !line.startsWith(NAMES))
    .flatMap((line) => (ENGINEERS.test(line) || line.includes('`') ? [line] : []))

test('every alarm, of the console or of the metrics, has one section on the page of its runbook', async () => {
  const rules = await readAlertRules()
  const expected = rules.map(({ name, expr, runbook }) => {
    const alarm = ALARM_NAMES.find((one) => expr === alarmExpr(one))
    return { page: /(?<=\/)[\w-]+(?=\.md)/.exec(runbook)?.[0], names: alarm ? [alarm, name] : [name] }
  })
  const byName = (list: readonly { page: string | undefined; names: readonly string[] }[]) =>
    list.map(({ page, names }) => `${names.join(' ')} on ${page}`).toSorted()
  expect(byName(alarmSections())).toEqual(byName(expected))
})

test('the section of an alarm that the console lists is called what the console calls it', async () => {
  const titles = alarmSections().flatMap(({ title, names: [name] }) =>
    ALARM_NAMES.some((alarm) => alarm === name) ? [[name, title]] : [],
  )
  const list = await readFile(join(root, 'src/admin/kit/alarm-list.tsx'), 'utf8')
  const labels = Array.from(list.matchAll(LABELS), ([, name, label]) => [name, label])
  expect(labels.map(([name]) => name).toSorted()).toEqual(ALARM_NAMES.toSorted())
  expect(Object.fromEntries(titles)).toEqual(Object.fromEntries(labels))
})

test('every alarm has its three parts, with numbered steps in the second', () => {
  const incomplete = alarmSections().filter(({ text }) => {
    const [, ...parts] = text.split(/^### /m)
    const bodies = parts.map((part) => part.slice(part.indexOf('\n')).trim())
    const titles = parts.map((part) => part.split('\n', 1)[0])
    return (
      titles.join() !== PARTS.join() || bodies.some((body) => body === '') || !/^1\. /m.test(bodies[1] ?? '')
    )
  })
  expect(incomplete.map(({ title }) => title)).toEqual([])
})

test('every page is listed, and has one link to the engineer’s part, in its first lines', () => {
  expect(pages.map(({ name }) => name).toSorted()).toEqual(ALARM_RUNBOOKS.toSorted())
  for (const { name, text } of pages) {
    expect(text.match(/\[Phần của kỹ thuật\]\([^)]*\)/g)).toEqual([`[Phần của kỹ thuật](../${name}.md)`])
    expect(renderOperatorsRunbook(text).html).toContain(`/admin/runbooks/${name}?part=engineer`)
  }
})

describe('the screens, filters, buttons and fields that a section names', () => {
  test('exist, and its words are on these screens', () => {
    const problems = pages.flatMap(({ name, text }) =>
      sectionsOf(text).flatMap((section) =>
        problemsOf(section.text).map((problem) => `${name}, ${section.title}: ${problem}`),
      ),
    )
    expect(problems).toEqual([])
  })

  test('are found wrong when a screen, its title, a filter or a button is', () => {
    const right = 'Mở [Giao hàng](/admin/deliveries?state=parked), bấm **Hỏi game**.'
    expect(problemsOf(right)).toEqual([])
    for (const [from, to, problem] of [
      ['/deliveries', '/delivery', 'no such screen'],
      ['[Giao hàng]', '[Giao món]', 'Giao hàng'],
      ['state=parked', 'state=stuck', 'no filter'],
      ['state=', 'status=', 'no filter'],
      ['Hỏi game', 'Hỏi máy chủ', 'none of the screens'],
      // Of another screen.
      ['Hỏi game', 'Ghép và cộng', 'none of the screens'],
    ] as const)
      expect(problemsOf(right.replace(from, to))[0], to).toContain(problem)
  })
})

test('nothing that only an engineer understands stands on a page for operators', () => {
  expect(pages.flatMap(({ text }) => engineersWords(text))).toEqual([])
  for (const text of [
    'Gọi `GET /api/operator/deliveries`.',
    'Chạy npm run portal.',
    'SELECT số dư từ bảng',
    'Xem cột last_error.',
    'Xem log của máy chủ.',
    'Mở docs/runbooks/mail.md.',
  ])
    expect(engineersWords(text), text).toHaveLength(1)
})
