/** As long as a post may be, but for what makes a shape whole. */
const LETTERS = 199_000
/** What one request may bring. */
const BYTES = 240_000

const sentBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2
const filled = (piece: string) =>
  piece.repeat(Math.floor(Math.min(LETTERS / piece.length, BYTES / sentBytes(piece))))
const nested = (open: string, close: string) => {
  const count = Math.floor(LETTERS / (open.length + close.length))
  return open.repeat(count) + close.repeat(count)
}

const PICTURE = '<img src=/uploads/0123456789abcdef0123456789abcdef-640.webp>'

/** Texts that cost the parser more than their length. It runs in its own thread: the slowest of them shows as much as all. */
const OF_TAGS: Record<string, string> = {
  'nested b': nested('<b>', '</b>'),
  'b without an end': filled('<b>'),
  'nested lists': nested('<ul><li>', '</li></ul>'),
  'nested tables': nested('<table><tr><td>', '</td></tr></table>'),
  'nested quotes': nested('<blockquote>', '</blockquote>'),
  'nested unknown elements': nested('<x>', '</x>'),
  'nested links': nested('<a href=/x>', '</a>'),
  'nested svg': nested('<svg>', '</svg>'),
  'wrong nesting': nested('<b><i>', '</b></i>'),
  'deep lists again and again': filled('<ul><li>'.repeat(200) + '</li></ul>'.repeat(200)),
  'end tags in comments': filled('<b><!--</b>-->'),
  'paragraphs without an end': filled('<p>a'),
  'cells without an end': filled('<td>'),
  'rows without an end': filled('<tr><td>'),
  'end tags alone': filled('</b>'),
  'empty links': filled(`${'x'.repeat(40)}<a>y</a>`),
  'empty pictures': filled(`${'x'.repeat(40)}<img>`),
  'pictures of many widths': filled(PICTURE),
  'line breaks': filled('<br>'),
  'many attributes': `<p ${Array.from({ length: 20_000 }, (_, number) => `a${number}=1`).join(' ')}>`,
  'one attribute again and again': `<p ${filled('a=b ')}>`,
  'a huge attribute': `<a href="${filled('a')}">x</a>`,
  'a huge address': `<a href="https://x/${filled('ă')}">x</a>`,
  'a huge mail address': `<a href="mailto:${filled('a@')}">x</a>`,
  'a huge picture address': `<img src="/images${filled('/a')}!">`,
  'starts of end tags': filled('</'),
  comments: filled('<!---->'),
  'a comment without an end': `<!--${filled('-')}`,
  'cdata without an end': `<![CDATA[${filled(']]')}`,
  scripts: filled('<script>'),
  'a script that almost ends': `<script>${filled('</scrip')}`,
  'a text area without an end': filled('<textarea>'),
  'blanks and tags': filled('<b> </b> '),
}

/** Texts that cost a pattern or a normal form more than their length, in whichever thread. */
export const OF_LETTERS: Record<string, string> = {
  entities: filled('&amp;'),
  'numbers as entities': filled('&#x41;'),
  'an entity without an end': `&#${filled('1')}`,
  ampersands: filled('&'),
  'opening brackets': filled('<'),
  'closing brackets': filled('>'),
  'starts of tags': filled('<p a="'),
  'one word': filled('a'),
  blanks: filled(' '),
  'lines of blanks': filled(' \n'),
  'dots and dashes': `a${filled('.…–-')}`,
  'marks over one letter': `a${filled('\u0301\u0323')}`,
  'marks as entities': `a${filled('&#x301;&#x323;')}`,
  'letters in parts': filled('a\u0323\u0302'),
  'halves of letters': filled('\ud800a'),
  'characters without a picture': filled('\u0001'),
}

export const HEAVY_TEXTS: Record<string, string> = { ...OF_TAGS, ...OF_LETTERS }

/** What the finding was, and the slowest to parse, about 150 ms: it shows a call that parses in the thread of all requests. */
export const NESTED = 'nested b'
export const SLOWEST = 'empty pictures'

/** What a pattern may go back and forth in. */
export const HOSTILE_VALUES: Record<string, string> = {
  'one word': 'a'.repeat(60_000),
  marks: `a${'\u0301\u0323'.repeat(14_000)}`,
  blanks: `${' '.repeat(60_000)}x`,
  digits: `${'1'.repeat(60_000)}x`,
  'a phone number': `${'+84 (0)-'.repeat(7_000)}x`,
  'mail addresses': `${'a@a.'.repeat(15_000)}@`,
  'a moment': `2026-01-01T00:00:00.${'0'.repeat(60_000)}x`,
  'an address': `https://${'a/../'.repeat(12_000)}"`,
  lists: '['.repeat(60_000),
}
