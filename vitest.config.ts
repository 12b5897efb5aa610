import react from '@vitejs/plugin-react'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, defineConfig } from 'vitest/config'
import { writePublicRoots } from './infra/local/public-roots.ts'
import { noServerRefusals, semiLabels } from './infra/local/vite-plugins.ts'
import { LIBSQL_TOKEN } from './tests/support/libsql-server/global-setup.ts'
import { FUZZ_CALLS, IS_FULL, SEED, filesInTurn, filesOfRun } from './tests/support/selection.ts'

// Miniflare reads this once, while it is imported: workerd then trusts the certificate of the SMTP server in tests/support/fakes.
process.env['NODE_EXTRA_CA_CERTS'] = 'tests/support/fakes/localhost-cert.pem'
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-plugin')

writePublicRoots() // the Worker imports them

const BINDINGS = {
  MIGRATIONS: await readD1Migrations('migrations'),
  ENVIRONMENT: 'local',
  JWT_KEYS: `test:${'j'.repeat(32)}`,
  TICKET_KEYS: `test:${'t'.repeat(32)}`,
  HMAC_SECRET: 'h'.repeat(32),
  OPERATOR_TOKEN: 'o'.repeat(32),
  SEAL_KEYS: `test:${'5'.repeat(64)}`,
}

/** A limit of the platform for tests; the deployed ones would count all tests as one address. */
const TEST_LIMIT = { TEST_LIMIT: { namespace_id: '1', simple: { limit: 3, period: 60 as const } } }

const PASSWORD_COST = 'worker/security/password-cost.ts'

/** Suites that sign in thousands of times hash cheaply; unit tests and the browser suite hash as the product does. */
const CHEAP_HASHES: Plugin = {
  name: 'cheap-hashes',
  enforce: 'pre',
  resolveId: (id) =>
    basename(id) === basename(PASSWORD_COST)
      ? fileURLToPath(new URL('tests/support/password-cost.ts', import.meta.url))
      : undefined,
}

/** Hubs and API in every run: tenants, rights, secrets, devices, lost data, documents and states of routers. */
const WORKERD_ALWAYS = [
  'tests/durable/{convergence,database-away,isolation,isolation-networks,secrets,storm}.test.ts',
  'tests/durable/{hostile-device,missing-row,removal,router-config,router-presence,state-outbox,upgrades}.test.ts',
  'tests/durable/{account-delivery,earlier-attachments,erasure,role-changes,socket-matrix,tunnel-links}.test.ts',
  'tests/api/{account-scope,hub-outbox,matrix,rights-matrix,write-budget}.test.ts',
  'tests/api/ram-role/isolation.test.ts',
]

/** API tests about transactions, races and the outbox: every run takes them to libSQL, too. */
const LIBSQL_ALWAYS = [
  'tests/api/{hub-outbox,write-budget,account-scope}.test.ts',
  'tests/api/{account,auth-source}/{contact,manage}.test.ts',
  'tests/api/ldap/races.test.ts',
  'tests/api/login/refresh.test.ts',
  'tests/api/ops/{erasures,exports}.test.ts',
  'tests/api/network/{setting-faults,addresses/overlap,addresses/segments-race,members/members,members/quota}.test.ts',
  'tests/api/router/{batch,batch-delete,replace,join}.test.ts',
  'tests/api/ticket/tickets.test.ts',
  'tests/api/verify/parallel.test.ts',
]

/** Ceilings for a busy machine: a test waits for what it expects, not for time. */
const PATIENT = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }

/**
 * Suites by folder: unit (Node, pure rules), web (jsdom), workerd (API and hubs inside the real runtime, on D1), directory
 * (workerd against servers of LDAP and TLS), libsql (the API once more, on a libSQL server), agent (Node, real sockets),
 * release (two releases of the Worker over one storage),
 * browser (the product as `npm start` runs it). Files share a process: to start one, or a Chromium, takes longer than
 * most files. Without `full`, libsql runs the files about transactions and an eighth of the others, web, workerd and browser
 * a fifth of pages, hubs, API and flows, directory a third of the servers, agent a quarter of its files; what a promise rests
 * on is in every run.
 * Files that took longest in the last run begin first: the cache keeps their durations.
 */
export default defineConfig({
  cacheDir: '.wrangler/vitest',
  test: {
    provide: { isFull: IS_FULL, seed: SEED, fuzzCalls: FUZZ_CALLS },
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          include: ['tests/unit/**/*.test.ts'],
          setupFiles: ['tests/support/fresh-modules.ts'],
          ...PATIENT,
        },
      },
      {
        test: {
          name: 'browser',
          isolate: false,
          include: IS_FULL
            ? ['tests/browser/**/*.test.ts']
            : ['tests/browser/flows/main-flow.test.ts', ...filesOfRun('tests/browser/flows/*.test.ts', 5)],
          globalSetup: ['tests/browser/global-setup.ts'],
          testTimeout: 360_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000, interval: 200 } },
        },
      },
      {
        test: {
          name: 'agent',
          isolate: false,
          setupFiles: ['tests/support/fresh-modules.ts', 'tests/support/restore.ts'],
          include: [...filesOfRun('tests/agent/**/*.test.ts', 4)],
          ...PATIENT,
        },
      },
      {
        test: {
          name: 'release',
          isolate: false,
          include: ['tests/release/fixtures.test.ts', ...(IS_FULL ? ['tests/release/drill.test.ts'] : [])],
          ...PATIENT,
        },
      },
      {
        plugins: [react(), semiLabels, noServerRefusals],
        test: {
          name: 'web',
          environment: 'jsdom',
          isolate: false,
          include: filesOfRun('tests/web/**/*.test.{ts,tsx}', 5),
          setupFiles: ['tests/support/fresh-modules.ts', 'tests/support/web/jsdom.ts'],
          server: { deps: { inline: [/semi/] } },
          ...PATIENT,
        },
      },
      {
        plugins: [
          CHEAP_HASHES,
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: BINDINGS, ratelimits: TEST_LIMIT, d1Databases: { COPY: 'copy' } },
          }),
        ],
        test: {
          name: 'workerd',
          isolate: false,
          include: [...WORKERD_ALWAYS, ...filesOfRun('tests/{api,durable}/**/*.test.ts', 5)],
          globalSetup: ['tests/support/fakes/global-setup.ts'],
          setupFiles: ['tests/support/apply-migrations.ts', 'tests/support/restore.ts'],
          ...PATIENT,
        },
      },
      {
        plugins: [
          CHEAP_HASHES,
          cloudflareTest({ wrangler: { configPath: './wrangler.toml' }, miniflare: { bindings: BINDINGS } }),
        ],
        test: {
          name: 'directory',
          isolate: false,
          include: ['tests/directory/{hub,openldap}.test.ts', ...filesOfRun('tests/directory/**/*.test.ts', 3)],
          setupFiles: ['tests/support/apply-migrations.ts', 'tests/support/restore.ts'],
          globalSetup: ['tests/directory/global-setup.ts'],
          ...PATIENT,
        },
      },
      {
        plugins: [
          CHEAP_HASHES,
          cloudflareTest({ wrangler: { configPath: './wrangler.toml' }, miniflare: { bindings: BINDINGS } }),
        ],
        test: {
          name: 'ad',
          isolate: false,
          include: ['tests/ad/**/*.test.ts'],
          setupFiles: ['tests/support/apply-migrations.ts', 'tests/support/restore.ts'],
          globalSetup: ['tests/ad/global-setup.ts'],
          ...PATIENT,
        },
      },
      {
        plugins: [
          CHEAP_HASHES,
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { ...BINDINGS, LIBSQL_URL: inject('libsqlUrl'), LIBSQL_TOKEN },
              ratelimits: TEST_LIMIT,
            },
          })),
        ],
        test: {
          name: 'libsql',
          isolate: false,
          include: IS_FULL ? ['tests/api/**/*.test.ts'] : [...LIBSQL_ALWAYS, ...filesInTurn('tests/api/**/*.test.ts')],
          exclude: [
            'tests/api/schema-drift.test.ts', // reads the pragmas of D1
            'tests/api/{database-away,logs/export-lease}.test.ts', // stand before the binding of D1
            // thousands of calls about answers, whose statements other files run as well
            'tests/api/{fuzz,rights-matrix}.test.ts',
            ...(IS_FULL ? [] : ['tests/api/matrix.test.ts']), // workerd runs it each time
            'tests/api/{account,client,contacts,login,verify}/*same-answer.test.ts',
            'tests/api/auth-source/attacks.test.ts',
            // hardly a statement
            'tests/api/outside/auth-vendors.test.ts',
            'tests/api/verify/captcha.test.ts',
          ],
          globalSetup: ['tests/support/libsql-server/global-setup.ts', 'tests/support/fakes/global-setup.ts'],
          setupFiles: ['tests/support/libsql-server/own-database.ts', 'tests/support/restore.ts'],
          ...PATIENT,
        },
      },
    ],
  },
})
