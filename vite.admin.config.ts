import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { BUILD_TARGETS, HEIGHT_FALLBACKS } from './scripts/floor.ts'
import { askingAgain, filesOfParts } from './scripts/built-files.ts'
import { runbooks } from './scripts/runbooks.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The operator console, apart from the player site: no file of one is in the other. */
export default defineConfig({
  root: here('.'),
  base: '/admin/',
  publicDir: false,
  css: { postcss: { plugins: [HEIGHT_FALLBACKS] } },
  plugins: [react(), tailwindcss(), runbooks(), askingAgain()],
  build: {
    target: BUILD_TARGETS,
    outDir: 'dist/web/admin',
    emptyOutDir: true,
    manifest: true,
    // For what browsers report; scripts/build.ts puts them where nobody is served from.
    sourcemap: 'hidden',
    modulePreload: filesOfParts,
    // Data addresses in style sheets are allowed for pictures only; fonts must stay files.
    assetsInlineLimit: 0,
    copyPublicDir: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: here('src/admin/entry-client.tsx'),
      output: {
        entryFileNames: 'static/[name]-[hash].js',
        chunkFileNames: 'static/[name]-[hash].js',
        assetFileNames: 'static/[name]-[hash][extname]',
        sourcemapExcludeSources: true,
      },
    },
  },
})
