import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { expect, test } from 'vitest'
import { pages, type PageEntry } from '#contract/pages.ts'
import { seedCategories } from '#seeds/categories.ts'
import { renderPage } from '#web/entry-server.tsx'

// A page has one name: in its title, its heading, every menu and the footer. The browser tests check the
// pages and menus of players.

type Element = DefaultTreeAdapterTypes.Element

const entries: PageEntry[] = Object.values(pages)

/** Those that one address leads to. */
const named = entries.filter(({ path }) => !/:\w+(?!\w*\?)|\*/.test(path))

const nameOf = new Map(named.map(({ path, title }) => [path.replace(/\/:\w+\?/, ''), title]))

const render = async (url: string) =>
  renderPage({
    url,
    publicUrl: 'https://ninja.example.com',
    transport: async (call) =>
      call.url === '/api/settings'
        ? { status: 200, text: '{"site_name":"Tinh Hoa Ninja"}' }
        : { status: 200, text: '[]' },
  })

function elementsIn(html: string, matches: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node && matches(node)) found.push(node)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return found
}

const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

const addressOf = ({ attrs }: Element) => attrs.find(({ name }) => name === 'href')?.value ?? ''

/** Links of menus and footer, that is, all outside of the page itself, with the text that a logo has instead. */
function menuLinks(html: string): Element[] {
  return elementsIn(html.replace(/<main[\s\S]*<\/main>/, ''), ({ tagName }) => tagName === 'a').filter(
    (link) => textOf(link) !== '' && nameOf.has(addressOf(link)),
  )
}

test('no two pages have the same name, nor has a page that of a category', () => {
  const names = [...nameOf.values()]
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { title } of seedCategories) expect(names).not.toContain(title)
})

test('menus and footer call each page by its name, which is also its heading', async () => {
  const linked = new Set<string>()
  for (const path of ['/community', '/download', '/tournaments', '/gem-calculator']) {
    const { html } = await render(path)
    for (const link of menuLinks(html)) {
      expect([addressOf(link), textOf(link).trim()]).toEqual([addressOf(link), nameOf.get(addressOf(link))])
      linked.add(addressOf(link))
    }
    const [heading] = elementsIn(html, ({ tagName }) => tagName === 'h1')
    expect(heading && textOf(heading)).toBe(nameOf.get(path))
  }
  expect([...linked]).toEqual(
    expect.arrayContaining(['/home', '/ranking', '/tournaments', '/community', '/gem-calculator', '/terms']),
  )
})

test('home calls the pages that it leads to by their names', async () => {
  const { html } = await render('/home')
  for (const path of ['/ranking', '/tournaments', '/gem-calculator']) {
    const links = elementsIn(html, (element) => element.tagName === 'a' && addressOf(element) === path)
    expect(new Set(links.map((link) => textOf(link)))).toEqual(new Set([nameOf.get(path)]))
  }
})
