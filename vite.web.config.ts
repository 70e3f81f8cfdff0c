import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { BROWSER_CONTRACT } from './scripts/browser-contract.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Small modules that most pages share, each of which would be a file of its own. */
const SHARED =
  /src\/(contract\/(format|tournament-rules)|ui\/(section|badge|facts|alert|field-box)|web\/(features\/posts\/(posts?[-.](?!page)|structured|section|category-list|news-filter)|parts\/(time|structured|page-states|copy-row|navigation)))/
const FORMS =
  /src\/(client\/(forms|use-send)|ui\/(field\.|dialog)|web\/parts\/(forms|outcomes|one-time-codes))|node_modules\/zod/

/** The player portal: `vite build` makes the browser's part, `vite build --ssr` the server's; `npm run dev` serves it. */
export default defineConfig(({ command, isSsrBuild = false }) => ({
  root: here('.'),
  // `public/` is served from where it lies; copying it into each build would only double it.
  publicDir: false,
  plugins: [react(), tailwindcss(), ...(command === 'build' && !isSsrBuild ? [BROWSER_CONTRACT] : [])],
  ...(command === 'build' && {
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true as const },
  }),
  build: {
    target: isSsrBuild ? 'node24' : ['chrome109', 'safari16.4', 'firefox115'],
    outDir: isSsrBuild ? 'dist/web/server' : 'dist/web/client',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    modulePreload: { polyfill: false },
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
            // The libraries stay the same over many releases, so that a returning visitor has them. `portal` is our own code that
            // every visit needs, and what most pages share.
            codeSplitting: {
              groups: [
                { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 3 },
                { name: 'portal', tags: ['$initial'], priority: 2 },
                { name: 'portal', test: SHARED, priority: 1 },
                { name: 'forms', test: FORMS },
              ],
            },
            assetFileNames: 'static/assets/[name]-[hash][extname]',
          },
    },
  },
}))
