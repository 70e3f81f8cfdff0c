/** `npm run fonts`: cuts the font of the player pages to the letters they use and writes it to `src/ui/fonts`. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { FONT_WEIGHTS, cutFont } from './fonts.ts'

for (const weight of FONT_WEIGHTS) {
  const file = fileURLToPath(new URL(`../src/ui/fonts/be-vietnam-pro-${weight}.woff2`, import.meta.url))
  const font = await cutFont(weight)
  await writeFile(file, font)
  console.log(`${file}: ${font.length} bytes`)
}
