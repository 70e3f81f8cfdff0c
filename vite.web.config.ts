import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { BROWSER_CONTRACT } from './scripts/browser-contract.ts'
import { REACT_MODULES } from './scripts/react-modules.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const CONSENT_BAR = /src\/web\/parts\/pixel\/(consent-bar|choose-pixel|pixel\.copy)/
const LIVE_PARTS = /src\/client\/live/
const FORMS =
  /src\/(client\/(forms|use-send)|web\/parts\/(forms\/use|sending)|contract\/(auth|fields|envelope))|node_modules\/zod/
const LOADED_FIRST = /\/(libraries|entry-client)-/
const PLAYER_PAGES =
  /\/(profile|sign-ins|consents|statement|exchange|legal|tournament|tournaments|recharge|order|claim|transfer|deliveries|gift|ranking|sandbox)\.page-/
/** Shown over a page that has most of what they need. */
const DIALOGS =
  /\/(message-dialog|order-dialog|purchase-moment|active-modal|text-notice|consent-bar|splash|install|install-hint|report-first-recharge)-/
/** Of dialogs, forms and lists. */
const SMALL_PARTS = /src\/(ui\/(alert|choice|confirm-dialog|pager)|web\/(session\/referral|parts\/lists))/
/** Apart from those, since first visits to the downloads and to a tournament need none of them. */
const MORE_SMALL_PARTS =
  /src\/(ui\/(badge|facts|section|skeletons)|web\/parts\/(settings\/web-address|navigation\/text-links))/

/**
 * In place of Vite's own helper around dynamic imports, a kilobyte that also loads styles and waits for them. Ours have none
 * of their own, only the entry's, which is there: the scripts that a part needs are named to the browser, so that it fetches
 * them side by side.
 */
const SMALL_PRELOAD = {
  name: 'small-preload',
  enforce: 'pre',
  load: (id: string) => (id === '\0vite/preload-helper.js' ? PRELOAD_HELPER : null),
} as const

const PRELOAD_HELPER = `export const __vitePreload = (load, files) => {
  for (const file of files ?? [])
    if (file.endsWith('.js'))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + file }))
  return load()
}`

/** What the libraries carry and the player site has no use for: a stand-in for a hook that its React has (ADR 0056). */
const UNUSED: [string, string][] = [
  ['/use-sync-external-store/shim/index.js', "export { useSyncExternalStore } from 'react'"],
]

const WITHOUT_UNUSED = {
  name: 'without-unused',
  enforce: 'pre',
  load: (id: string) => UNUSED.find(([file]) => id.endsWith(file))?.[1] ?? null,
} as const

/** The player portal: `vite build` makes the browser's part, `vite build --ssr` the server's; `npm run dev` serves it. */
export default defineConfig(({ command, isSsrBuild = false }) => ({
  root: here('.'),
  // `public/` is served from where it lies; copying it into each build would only double it.
  publicDir: false,
  plugins: [
    react(),
    tailwindcss(),
    ...(command === 'build' && !isSsrBuild
      ? [SMALL_PRELOAD, WITHOUT_UNUSED, REACT_MODULES, BROWSER_CONTRACT]
      : []),
  ],
  ...(command === 'build' && {
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true as const },
  }),
  build: {
    target: isSsrBuild ? 'node24' : ['chrome109', 'safari16.4', 'firefox115'],
    outDir: isSsrBuild ? 'dist/web/server' : 'dist/web/client',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    modulePreload: {
      polyfill: false,
      // The names stand in the first script of every visit: without those that are loaded already, and without those of
      // players' pages and of dialogs, which find theirs when they are opened.
      resolveDependencies: (file, dependencies) =>
        PLAYER_PAGES.test(file) || DIALOGS.test(file)
          ? []
          : dependencies.filter((name) => !LOADED_FIRST.test(name)),
    },
    // Data addresses in style sheets are allowed for pictures only; fonts must stay files.
    assetsInlineLimit: 0,
    copyPublicDir: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: isSsrBuild ? here('src/web/entry-server.tsx') : here('src/web/entry-client.tsx'),
      output: isSsrBuild
        ? { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' }
        : {
            entryFileNames: 'static/js/[name]-[hash].js',
            chunkFileNames: 'static/js/[name]-[hash:7].js',
            // What every first visit needs, in two files: the libraries, which keep over many releases, and our own.
            codeSplitting: {
              groups: [
                { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 3 },
                { name: 'portal', tags: ['$initial'], priority: 2 },
                {
                  name: 'posts',
                  test: /src\/web\/features\/posts\/(?!home\.|hero|now-strip|own-|current-tournament|(category|post|search)\.page|older\.|rich-text)/,
                },
                {
                  name: 'post-pages',
                  test: /src\/web\/features\/posts\/((category|post|search)\.page|older\.|rich-text)/,
                },
                // Small things that pages share: the entry names every file there is, so few files keep it small.
                { name: 'consent-bar', test: CONSENT_BAR },
                { name: 'forms', test: FORMS },
                // A part takes along what it needs: these are needed by several.
                { name: 'outcomes', test: /src\/web\/parts\/outcomes\/report/, priority: 1 },
                {
                  name: 'written',
                  test: /src\/(contract\/(format-number|tournament-rules|vietnam-time)|web\/parts\/(time\/use-now|page-states\/use-hydrated)|ui\/field-box)/,
                  priority: 1,
                },
                { name: 'share', test: /src\/web\/(parts\/share|public-url)/, priority: 1 },
                { name: 'copying', test: /src\/web\/parts\/copy-row/, priority: 1 },
                { name: 'live', test: LIVE_PARTS },
                { name: 'parts', test: SMALL_PARTS, priority: 1 },
                { name: 'more-parts', test: MORE_SMALL_PARTS, priority: 1 },
              ],
            },
            assetFileNames: 'static/assets/[name]-[hash][extname]',
          },
    },
  },
}))
