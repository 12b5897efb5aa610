import react from '@vitejs/plugin-react'
import { type Plugin, defineConfig } from 'vite'
import { licenses } from './infra/local/licenses.ts'
import { inRoot } from './infra/local/paths.ts'
import { noServerRefusals, pageStart, requireModules, semiLabels, SERVER_REFUSALS } from './infra/local/vite-plugins.ts'
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

/** Modules of the session, which every page needs: split by who else imports a part, they compress worse. */
const SESSION = [
  'worker/contract/kernel/fields.ts',
  'worker/contract/country/dial-codes.json',
  'worker/contract/kernel/input/phone.ts',
  'worker/contract/kernel/input/typed-text.ts',
  'web/lib/session/session.ts',
  'web/lib/toast/toast.ts',
  'web/lib/toast/toast.css',
  'web/lib/call/call.ts',
  'web/lib/call/save-file.ts',
  'web/lib/use-latest.ts',
]

/** Modules that stand in for those of zod. */
const ZOD = 'web/lib/bundle/zod.ts'
const NO_LOCALE = 'web/lib/bundle/no-zod-locale.ts'
const NO_JSON_SCHEMA = 'web/lib/bundle/no-zod-json-schema.ts'

const sessionPaths = new Set(SESSION.map((path) => inRoot(path)))

/** The console and the page of software members: sources in web/, output in dist/ which the Worker serves as static assets. */
export default defineConfig({
  root: 'web',
  plugins: [
    react(),
    icon,
    licenses,
    semiLabels,
    noServerRefusals,
    pageStart,
    requireModules([...SESSION, ...SERVER_REFUSALS, ZOD, NO_LOCALE, NO_JSON_SCHEMA]),
  ],
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(packageJson.version) },
  resolve: {
    alias: [
      { find: /^zod$/, replacement: inRoot(ZOD) },
      { find: /^\.\.\/locales\/en\.js$/, replacement: inRoot(NO_LOCALE) },
      { find: /^\.\.\/core\/(json-schema-processors|to-json-schema)\.js$/, replacement: inRoot(NO_JSON_SCHEMA) },
    ],
  },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    chunkSizeWarningLimit: 700, // X6 is one lazy chunk of that size
    rolldownOptions: {
      input: { index: inRoot('web/index.html'), client: inRoot('web/client.html') },
      output: {
        // The first page lists every chunk, and hashes do not compress: 42 bits are enough for one name, 30 for a style sheet's.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:5][extname]',
        codeSplitting: {
          groups: [
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// }, // of both entries
            { name: 'session', test: (id) => sessionPaths.has(id.replace(/\?.*$/, '')) },
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
