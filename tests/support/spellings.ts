/** What players type, or copy, for one and the same login name. */
export const spellingsOf = (name: string): string[] => [
  name.toUpperCase(),
  ` ${name}`,
  `${name} `,
  `${name}\t\r\n`,
  `\u00a0${name}\u3000`,
  `"${name}"`,
  `“${name.toUpperCase()}” `,
  `'${name}'`,
  `\u200b${name.slice(0, 2)}\u200d${name.slice(2)}\ufeff`,
  `\u202e${name}\u2069`,
  name.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  name.normalize('NFD'),
]

/** What looks like a name and is another text, which no account has. */
export const othersLike = (name: string): string[] =>
  [
    name.replace('e', '\u0435'),
    name.replace('h', '\u{1d5c1}'),
    // The Kelvin sign, whose lower case is an ordinary letter.
    name.replace('k', '\u212a'),
    name.replace('o', 'o\u0323'),
    `${name.slice(0, 2)} ${name.slice(2)}`,
    `${name}\u0000x`,
  ].filter((other) => other !== name)
