import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { type Plugin, defineConfig } from 'vite'
import { licenses } from './infra/local/licenses.ts'
import { semiLabels } from './infra/local/semi-labels.ts'
import packageJson from './package.json' with { type: 'json' }

const worker = process.env['WORKER_ORIGIN'] ?? 'http://127.0.0.1:8787'

/** The Worker puts each host's own icon into the page; in front of vite there is none. */
const icon: Plugin = {
  name: 'icon',
  apply: 'serve',
  transformIndexHtml: () => [
    { tag: 'link', attrs: { rel: 'icon', href: '/brand/netloom-icon.svg' }, injectTo: 'head' },
  ],
}

/** The SPA: sources in web/, output in dist/ which the Worker serves as static assets. */
export default defineConfig({
  root: 'web',
  plugins: [react(), icon, licenses, semiLabels],
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(packageJson.version) },
  resolve: {
    alias: [
      { find: /^zod$/, replacement: fileURLToPath(new URL('web/lib/zod.ts', import.meta.url)) },
      {
        find: /^\.\.\/locales\/en\.js$/,
        replacement: fileURLToPath(new URL('web/lib/no-zod-locale.ts', import.meta.url)),
      },
      {
        find: /^\.\.\/core\/(json-schema-processors|to-json-schema)\.js$/,
        replacement: fileURLToPath(new URL('web/lib/no-zod-json-schema.ts', import.meta.url)),
      },
      {
        find: /^\.\/(handbook|ldap)-errors\.ts$/,
        replacement: fileURLToPath(new URL('web/lib/no-server-errors.ts', import.meta.url)),
      },
    ],
  },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    chunkSizeWarningLimit: 700, // X6 is one lazy chunk of that size
    rolldownOptions: {
      // What the session of every page needs is one file: split by who else imports a part of it, it compresses worse.
      output: {
        // The first page lists every chunk, and hashes do not compress: 42 bits are enough for one name, 30 for a style sheet's.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:5][extname]',
        codeSplitting: {
          groups: [
            {
              name: 'session',
              test: /contract\/(fields|dial-codes)\.|lib\/(session|toast|call|save-file|use-latest)\./,
            },
            { name: 'page', minShareCount: 60 }, // small modules of nearly every page: apart they compress worse
          ],
        },
      },
      onwarn(warning, warn) {
        if (warning.code === 'MODULE_LEVEL_DIRECTIVE') return // Semi marks every file "use client"
        if (warning.code === 'IMPORT_IS_UNDEFINED' && warning.message.includes('no-zod-json-schema')) return
        warn(warning)
      },
    },
  },
  optimizeDeps: { rolldownOptions: { plugins: [semiLabels] } }, // `npm run dev` bundles Semi apart
  server: { proxy: { '/api': { target: worker, ws: true, xfwd: true }, '/__local/outbox': worker } },
})
