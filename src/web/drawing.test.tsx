import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { drawInParts } from '#web/drawing.tsx'
import { keptPart } from '#web/kept-part.tsx'

const alone = (drawn: ReactNode) => drawn

/** A part of its own for each test, and how often it was drawn. */
function countedPart() {
  let draws = 0
  function Text({ text }: { text: string }) {
    const part = keptPart(Text, { text }, [text])
    if (part) return part
    draws += 1
    return <p>{text}</p>
  }
  return { Text, draws: () => draws }
}

test('a part is drawn once for each of its values, in its place', () => {
  const { Text, draws } = countedPart()
  const page = (first: string) => (
    <main>
      <Text text={first} />
      <b>giữa</b>
      <Text text="<hai>" />
    </main>
  )
  expect(drawInParts(page('một'), alone)).toBe('<main><p>một</p><b>giữa</b><p>&lt;hai&gt;</p></main>')
  expect(drawInParts(page('một'), alone)).toBe('<main><p>một</p><b>giữa</b><p>&lt;hai&gt;</p></main>')
  expect(draws()).toBe(2)
  expect(drawInParts(page('ba'), alone)).toBe('<main><p>ba</p><b>giữa</b><p>&lt;hai&gt;</p></main>')
  expect(draws()).toBe(3)
})

test('parts of the same values, and of the same name, are others', () => {
  const [one, other] = [countedPart().Text, countedPart().Text]
  const [One, Other] = [one, other]
  const Marked = ({ text }: { text: string }) => keptPart(Marked, { text }, [text]) ?? <b>{text}</b>
  const page = [<One key="1" text="a" />, <Other key="2" text="a" />, <Marked key="3" text="a" />]
  expect(drawInParts(page, alone)).toBe('<p>a</p><p>a</p><b>a</b>')
})

test('a part within a part is drawn into it, and kept for others', () => {
  const { Text, draws } = countedPart()
  const List = ({ texts }: { texts: string[] }) =>
    keptPart(List, { texts }, [texts]) ?? texts.map((text) => <Text key={text} text={text} />)
  expect(drawInParts(<List texts={['a', 'b']} />, alone)).toBe('<p>a</p><p>b</p>')
  expect(drawInParts(<List texts={['b', 'c']} />, alone)).toBe('<p>b</p><p>c</p>')
  expect(draws()).toBe(3)
})

test('links of pictures to fetch first stand before the page, each once, also those of parts that are known', () => {
  const Picture = () => keptPart(Picture, {}, []) ?? <img src="/a.svg" alt="" />
  const page = (
    <div>
      <Picture />
      <Picture />
      <img src="/b.svg" alt="" />
    </div>
  )
  const whole = renderToString(page)
  expect(whole).toMatch(
    /^<link rel="preload" as="image" href="\/a.svg"\/><link rel="preload" as="image" href="\/b.svg"\/><div>/,
  )
  expect(drawInParts(page, alone)).toBe(whole)
  expect(drawInParts(page, alone)).toBe(whole)
})

test('parts that were shown least recently are forgotten when many are kept', () => {
  const { Text, draws } = countedPart()
  const long = (letter: string) => letter.repeat(150_000)
  const show = (letter: string) => drawInParts(<Text text={long(letter)} />, alone)
  show('a')
  show('b')
  show('c')
  show('a')
  expect(draws()).toBe(3)
  // A part's key and its text count: a fourth is one too many.
  show('d')
  show('a')
  expect(draws()).toBe(4)
  show('b')
  expect(draws()).toBe(5)
})
