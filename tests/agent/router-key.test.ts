import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { CERTIFICATE, VPN } from '#contract/device/limits.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { createDeviceKey } from '#infra/agent/hub/identity.ts'
import { type RouterKey, routerKey } from '#infra/agent/keys/router-key.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { memoryDriver } from '#infra/simulator/virtual-device.ts'
import { SERIAL, atEnd, closeAll, connected, createAgent, createHub } from './support/agents.ts'

afterEach(closeAll)

/** File of a key that is not there yet, in a folder that is not there yet. */
function newKeyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'netloom-key-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  return join(folder, 'keys', 'router.key')
}

const openssl = (args: readonly string[], input: string): string =>
  execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })
const publicOf = (request: string): string => openssl(['req', '-noout', '-pubkey'], request)
const publicOfKey = (file: string): string => openssl(['pkey', '-in', file, '-pubout'], '')

it('the key is P-256, for root alone, made once, and its request is what OpenSSL verifies', async () => {
  const file = newKeyFile()
  const key = routerKey(file)
  const [request, same] = await Promise.all([key.request(), key.request()])
  expect(same).toBe(request)
  expect(await routerKey(file).request()).toBe(request)
  const modes = [file, join(file, '..'), file.replace('.key', '.csr')].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o600, 0o700, 0o600])
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  expect(createPrivateKey(text).asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
  expect(openssl(['req', '-verify', '-noout', '-subject'], request)).toMatch(/^subject=\s*$/m)
  expect(publicOf(request)).toBe(publicOfKey(file))
  expect(request.length).toBeLessThan(CERTIFICATE.requestMax)
  expect(readdirSync(join(file, '..')).toSorted()).toEqual(['router.csr', 'router.key'])
})

it('a request of another key, or a damaged one, is made anew; the key stays', async () => {
  const file = newKeyFile()
  await routerKey(file).request()
  const text = readFileSync(file, 'utf8')
  const other = await routerKey(newKeyFile()).request()
  for (const wrong of [other, '', 'damaged']) {
    writeFileSync(file.replace('.key', '.csr'), wrong)
    expect(publicOf(await routerKey(file).request())).toBe(publicOfKey(file))
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})

it('a key that cannot be read is an error, and stays', async () => {
  const file = newKeyFile()
  mkdirSync(file, { recursive: true })
  await expect(routerKey(file).request()).rejects.toThrow('EISDIR')
  const damaged = newKeyFile()
  await routerKey(damaged).request()
  writeFileSync(damaged, 'damaged')
  await expect(routerKey(damaged).request()).rejects.toThrow('DECODER')
  expect(readFileSync(damaged, 'utf8')).toBe('damaged')
})

it('another key has another request', async () => {
  const file = newKeyFile()
  const key = routerKey(file)
  const before = await key.request()
  chmodSync(file, 0o644)
  await key.renew()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const after = await key.request()
  expect(publicOf(after)).not.toBe(publicOf(before))
  expect(publicOf(after)).toBe(publicOfKey(file))
})

const tunnelDriver = { ...memoryDriver(), capabilities: [VPN.capability] }
const fixedKey = (over: Partial<RouterKey> = {}): RouterKey => ({
  request: async () => 'csr',
  renew: async () => {},
  ...over,
})
const helloOf = (frames: readonly { readonly t: string }[]) => frames.find(({ t }) => t === 'hello')

it('the hello of a device that runs tunnels has the capability and the request; others have neither', async () => {
  const hub = await createHub()
  await createAgent(hub, { driver: tunnelDriver, routerKey: fixedKey() })
  expect(helloOf((await connected(hub)).frames)).toMatchObject({
    csr: 'csr',
    capabilities: expect.arrayContaining([VPN.capability]),
  })
  const other = await createHub()
  await createAgent(other, { routerKey: fixedKey({ request: () => Promise.reject(new Error('asked')) }) })
  const hello = helloOf((await connected(other)).frames)
  expect(hello).not.toHaveProperty('csr')
  expect(JSON.stringify(hello)).not.toContain(`"${VPN.capability}"`)
})

it('a key that cannot be read is logged, and the device connects', async () => {
  const hub = await createHub()
  const routerKey = fixedKey({ request: () => Promise.reject(new Error('EIO')) })
  const { lines } = await createAgent(hub, { driver: tunnelDriver, routerKey })
  expect(helloOf((await connected(hub)).frames)).not.toHaveProperty('csr')
  expect(lines).toContain('the key of the tunnels cannot be read: EIO')
})

it('a device that is registered anew gets another key of its tunnels', async () => {
  const hub = await createHub()
  let renewals = 0
  const routerKey = fixedKey({ renew: async () => void (renewals += 1) })
  const identity = { serial: SERIAL, enrolled: false, key: await createDeviceKey() }
  const store = memoryStore({ identity })
  await createAgent(hub, { driver: tunnelDriver, routerKey, store, activationCode: heldCode('CODE') })
  await connected(hub)
  expect(renewals).toBe(1)
})
