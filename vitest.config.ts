import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const MIGRATIONS = await readD1Migrations('migrations')

/** Suites by folder: unit (Node, pure rules), web (jsdom), workerd (API and hubs inside the real runtime), agent (Node, real sockets). */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/browser/global-setup.ts'],
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      { test: { name: 'agent', include: ['tests/agent/**/*.test.ts'], testTimeout: 30_000 } },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['tests/web/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/web/jsdom.ts'],
          server: { deps: { inline: [/semi/] } },
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                MIGRATIONS,
                ENVIRONMENT: 'local',
                JWT_KEYS: `test:${'j'.repeat(32)}`,
                HMAC_SECRET: 'h'.repeat(32),
                OPERATOR_TOKEN: 'o'.repeat(32),
                SEAL_KEYS: `test:${'5'.repeat(64)}`,
              },
            },
          }),
        ],
        test: {
          name: 'workerd',
          include: ['tests/{api,durable}/**/*.test.ts'],
          setupFiles: ['tests/support/apply-migrations.ts'],
        },
      },
    ],
  },
})
