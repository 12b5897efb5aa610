import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { until } from '#infra/bench/stack.ts'
import { ROOT } from '#infra/local/paths.ts'
import { run, stop } from '#infra/local/processes.ts'
import { ldapPasswordPlace, seal } from '#security/sealed.ts'
import { FIXTURES, HUB_FIXTURES, type Origin } from './fixtures.ts'
import { type Product, startDevices, startProduct } from './product.ts'
import { buildCommit } from './releases.ts'
import { type Customer, createCustomer, untilWell, watch } from './scene.ts'
import { SECRETS } from './secrets.ts'
import type { DrillState } from './state.ts'

/**
 * `node tests/release/record.ts <commit>`: runs the release of a commit with a small customer, and writes down what its hubs
 * and its database hold, the calls between them, and the frames of devices and consoles.
 */
const PORT = 9420
const ALERT_MS = 150_000
const DIRECTORY_HUB = `default.${'d'.repeat(32)}`
/** Tables of sessions, counters and what the start of a runtime fills; none of them belongs to a customer's state. */
const LEFT_OUT =
  /^(audit_logs|sessions|sign_in_origins|token_links|attempts|captchas|codes|outbox|login_tickets|hub_outbox|job_runs|sms_countries|provider_status|documents|releases)$/
/** Signed tokens: hubs pass them on and never read them. */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g
/** Columns of secrets that no fixture needs. */
const EMPTIED = /^(password_hash|password|activation_hash|refresh_hash|ticket_hash)$/

const [given = ''] = process.argv.slice(2)
const { code, stdout } = await run('git', ['rev-parse', `${given}^{commit}`], { cwd: ROOT })
if (code !== 0) stop('node tests/release/record.ts <commit>')
const commit = stdout.trim()
const release = (await buildCommit(commit)) ?? stop(`This clone has no commit ${commit}.`)
const product = await startProduct({ before: release, after: release }, PORT)
try {
  write(await record(product))
} finally {
  await product.stop()
}

async function record(service: Product): Promise<DrillState> {
  await service.record()
  const customer = await createCustomer(service, { username: 'lianyun01', centers: 1, points: 2 })
  const [center, point, lost] = customer.devices
  if (!center || !point || !lost) throw new Error('no devices')
  const devices = startDevices(release, service, 'devices', [center, point])
  const lostOne = startDevices(release, service, 'lost', [lost])
  await untilWell(
    customer,
    customer.devices.map(({ serial }) => serial),
  )
  const targets = [
    { kind: 'account' },
    { kind: 'network', network_number: customer.network },
    { kind: 'router', router_name: center.serial },
  ] as const
  const watchers = await Promise.all(targets.map((target) => watch(service, customer.username, target)))
  await lostOne.stop()
  await customer.call(networkApi.ciphers, { network_number: customer.network, ncp_ciphers: 'sm' })
  await runDirectory(service, customer)
  await until(() => isAlertSent(customer), ALERT_MS)
  await untilWell(customer, [center.serial, point.serial])
  await sleep(5_000) // streams, acknowledgements, saves
  const state = await service.state()
  for (const watcher of watchers) watcher.close()
  await devices.stop()
  return state
}

async function isAlertSent({ call }: Customer): Promise<boolean> {
  const deliveries = await call(monitorApi.deliveries, { page: 1, limit: 10 })
  return deliveries.length > 0 && deliveries.every(({ state }) => state === 'sent')
}

/** A directory whose first run has imported its people. */
async function runDirectory(service: Product, { username }: Customer): Promise<void> {
  const { rows } = await service.state()
  const account = rows['accounts']?.find((row) => row['username'] === username)
  const account_id = Number(account?.['id'])
  const now = Date.now()
  const config = {
    account_id,
    revision: 1,
    mode: 'public',
    router_id: null,
    domain: 'lianyun.example',
    host: 'ldap.lianyun.example',
    port: 636,
    base_dn: 'dc=lianyun,dc=example',
    security: 'ldaps',
    username: 'cn=reader,dc=lianyun,dc=example',
    password_sealed: await seal(SECRETS.SEAL_KEYS, ldapPasswordPlace(account_id), 'Reader2026'),
    sync_mode: 2,
    created_at: now,
    updated_at: now,
  }
  const hub = { account_id, hub: DIRECTORY_HUB, due_at: null }
  await service.fill({ hubs: [], rows: { ldap_hubs: [hub], ldap_configs: [config] } })
  const ask = (method: string, ...args: readonly unknown[]) =>
    service.call({ hubClass: 'DirectoryHub', name: DIRECTORY_HUB, method, args })
  await ask('refresh')
  await ask('start', { kind: 'main', id: account_id, name: username, ip: '203.0.113.9' })
  const isImported = async () => ((await service.state()).rows['ldap_members'] ?? []).length === 3
  await until(isImported, 30_000).catch(async () => stop(JSON.stringify(await ask('state'))))
  await ask('state')
  await ask('users', { search: '', exist: '', page: 1, limit: 10 })
}

function write({ hubs, rows, calls, received, sent }: DrillState): void {
  mkdirSync(FIXTURES, { recursive: true })
  const save = (name: string, value: unknown) =>
    writeFileSync(
      join(FIXTURES, `${name}.json`),
      `${JSON.stringify(value, null, 2).replaceAll(TOKEN, 'cut.cut.cut')}\n`,
    )
  save('origin', { commit, recordedAt: Date.now() } satisfies Origin)
  for (const name of HUB_FIXTURES)
    save(
      name,
      hubs.filter(({ hubClass, kv }) => hubClass.toLowerCase() === `${name}hub` && Object.keys(kv).length > 0),
    )
  const kept = Object.entries(rows).filter(([table]) => !LEFT_OUT.test(table))
  save('rows', Object.fromEntries(kept.map(([table, found]) => [table, found.map(withoutSecrets)])))
  save('calls', calls)
  save('frames', { received, sent })
}

function withoutSecrets(row: Readonly<Record<string, unknown>>) {
  const isEmptied = (column: string, value: unknown) => EMPTIED.test(column) && value !== null
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, isEmptied(column, value) ? '' : value]),
  )
}
