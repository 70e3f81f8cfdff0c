import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { BUILD_TARGETS, HEIGHT_FALLBACKS } from './scripts/floor.ts'
import { askingAgain, filesOfParts } from './scripts/built-files.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Small modules that most pages share, each of which would be a file of its own. */
const SHARED =
  /src\/(contract\/(format|tournament-phase)|ui\/(alert|badge|section)|web\/(parts\/(fallbacks|time)|session))/
/** What all pages about tournaments share, and what their list does without. */
const TOURNAMENT_LIST = /src\/web\/features\/tournaments\/(schedule|tournament-facts|tournaments\.api)/
const TOURNAMENTS =
  /src\/web\/features\/tournaments\/(bracket|live|tournament(\.copy|-notes|-parts)|use-live)|contract\/tournament-(rules|standing)/
/** Of the few pages with a name to choose; the others do without. */
const NAMES = /src\/contract\/name-texts/
const FORMS =
  /src\/(client\/(forms|use-send)|contract\/(accounts\/auth|endpoint|fields)|ui\/(dialog|field)|web\/parts\/(forms|outcomes))|node_modules\/zod/

/** How pictures and files are saved, where a page does nothing else of what shares it. */
const SAVING = /src\/(client\/(in-app|save-file|share-file)|web\/parts\/share\/tell-saving)/

/** What the pages of orders share. */
const RECHARGE = /src\/web\/(features\/recharge\/recharge\.api|parts\/recharge)/

/** The same in what the server renders. */
const ASSETS = 'static/assets/[name]-[hash][extname]'

/** What an endpoint does is written for the description of the API, which the server makes. */
const withoutSummaries = {
  name: 'without-summaries',
  transform: (code: string, id: string) =>
    /src\/contract\/[^?]*\.ts$/.test(id)
      ? {
          // Lines stay where they are, for the source map.
          code: code.replace(/\bsummary:(\s*)(?:'[^'\n]*'|"[^"\n]*"),/g, '$1'),
          map: null,
        }
      : undefined,
}

/** The player portal: `vite build` makes the browser's part, `vite build --ssr` the server's; `npm run dev` serves it. */
export default defineConfig(({ command, isSsrBuild = false }) => ({
  root: here('.'),
  // `public/` is served from where it lies; copying it into each build would only double it.
  publicDir: false,
  css: { postcss: { plugins: [HEIGHT_FALLBACKS] } },
  plugins: [
    react(),
    tailwindcss(),
    ...(command === 'build' && !isSsrBuild ? [withoutSummaries, askingAgain()] : []),
  ],
  // One file with everything in it: React as it is in production, whatever the environment of the portal says.
  ...(command === 'build' &&
    isSsrBuild && {
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      ssr: { noExternal: true as const },
    }),
  ...(command === 'build' && !isSsrBuild && { define: { 'globalThis.IS_PLAYER_SITE': 'true' } }),
  build: {
    target: isSsrBuild ? 'node24' : BUILD_TARGETS,
    outDir: isSsrBuild ? 'dist/web/server' : 'dist/web/client',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    // For what browsers report; scripts/build.ts puts them where nobody is served from.
    sourcemap: isSsrBuild ? false : 'hidden',
    modulePreload: filesOfParts,
    // Data addresses in style sheets are allowed for pictures only; fonts must stay files.
    assetsInlineLimit: 0,
    copyPublicDir: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // Schemas that a page does not use are left out: making one has no side effects.
      treeshake: { manualPureFunctions: ['z'] },
      input: isSsrBuild ? here('src/web/entry-server.tsx') : here('src/web/entry-client.tsx'),
      output: isSsrBuild
        ? { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', assetFileNames: ASSETS }
        : {
            entryFileNames: 'static/js/[name]-[hash].js',
            chunkFileNames: 'static/js/[name]-[hash:7].js',
            // The libraries stay the same over many releases, so that a returning visitor has them. `portal` is our own code that
            // every visit needs, and what most pages share.
            codeSplitting: {
              groups: [
                { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 3 },
                { name: 'portal', tags: ['$initial'], priority: 2 },
                { name: 'portal', test: SHARED, priority: 1 },
                { name: 'saving', test: SAVING, minShareCount: 2, priority: 2 },
                { name: 'posts', test: /src\/web\/features\/posts/, minShareCount: 2 },
                { name: 'tournament-list', test: TOURNAMENT_LIST, minShareCount: 2, priority: 1 },
                { name: 'tournaments', test: TOURNAMENTS, minShareCount: 2 },
                { name: 'recharge', test: RECHARGE, minShareCount: 2 },
                { name: 'names', test: NAMES, priority: 2 },
                { name: 'forms', test: FORMS },
              ],
            },
            assetFileNames: ASSETS,
            sourcemapExcludeSources: true,
          },
    },
  },
}))
