import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const worker = process.env['WORKER_ORIGIN'] ?? 'http://127.0.0.1:8787'

/** The SPA: sources in web/, output in dist/ which the Worker serves as static assets. */
export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    chunkSizeWarningLimit: 700, // X6 is one lazy chunk of that size
    rolldownOptions: {
      onwarn(warning, warn) {
        if (warning.code === 'MODULE_LEVEL_DIRECTIVE') return // Semi marks every file "use client"
        warn(warning)
      },
    },
  },
  server: { proxy: { '/api': { target: worker, ws: true, xfwd: true }, '/__local/outbox': worker } },
})
