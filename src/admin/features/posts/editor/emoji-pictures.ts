const ONE_EMOJI = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`
/** Flags, keys, pictures with what belongs to them (UTS 51, 1.4.9); `\p{RGI_Emoji}` is above the floor of browsers. */
const EMOJI_ALONE = new RegExp(
  String.raw`^(?:\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3|${ONE_EMOJI}(?:[\u{e0020}-\u{e007e}]+\u{e007f})?(?:\u200d${ONE_EMOJI})*|\s)+$`,
  'u',
)

/** Facebook, Twitter, WordPress and others name the picture by the letters' numbers: `…/emoji.php/v9/t4f/1/16/1f600.png`. */
const BY_NUMBER = /emoji[^?#]*\/([0-9a-f]{2,6}(?:[-_][0-9a-f]{2,6})*)\.(?:png|svg|gif|webp)(?:[?#]|$)/i

/** A smiley in letters, as Slack and Discord name theirs. */
const NAMED = /^:[a-z0-9_+-]+:$|^[:;=8][-']?[)(dpo/|]$|^<3$|^\(y\)$/i

/** The emoji that a picture stands for, as text; null for a picture. */
export function emojiOfPicture(picture: Element): string | null {
  const names = ['alt', 'data-emoji', 'aria-label', 'title'].map(
    (name) => picture.getAttribute(name)?.trim() ?? '',
  )
  const shown = names.find((name) => name !== '' && EMOJI_ALONE.test(name))
  if (shown !== undefined) return shown
  const numbers = BY_NUMBER.exec(picture.getAttribute('src') ?? '')?.[1]
  const letters = numbers === undefined ? '' : lettersOf(numbers)
  if (letters !== '' && EMOJI_ALONE.test(letters)) return letters
  return names.find((name) => NAMED.test(name)) ?? null
}

function lettersOf(numbers: string): string {
  const points = numbers.split(/[-_]/).map((number) => Number.parseInt(number, 16))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : ''
}
