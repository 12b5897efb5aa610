import { createInterface } from 'node:readline'
import { openLinuxDevice } from '#infra/agent/drivers/linux/linux-device.ts'
import type { Dial } from '#infra/agent/reports/dial-reporter.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { folderStore } from '#infra/agent/store.ts'
import { routerDocument } from '#contract/device/document.ts'

/* The driver in a process of its own, for tests: one JSON command a line, one JSON answer a line. */

const [state = '', run = ''] = process.argv.slice(2)
/** Reason by the secret that is presented; a secret without one is allowed. */
let refusals: Readonly<Record<string, string>> = {}
/** Profile of a secret that is allowed. */
let profiles: Readonly<Record<string, number>> = {}
const asked: unknown[] = []
const device = await openLinuxDevice({
  state,
  run,
  wan: ['wan0'],
  lan: ['lan0'],
  probePort: 40_000,
  store: await folderStore(state),
  clock: systemClock,
  log: (line) => console.error(line),
  async authorizeDial(request) {
    asked.push(request)
    const reason = refusals[request.secret]
    if (reason !== undefined) return { ok: false, reason }
    return { ok: true, reason: '', profile: profiles[request.secret] ?? null, credential_version: 0 }
  },
})

const dials = new Map<string, Dial>()
device.dials.start((...reported) => reported.forEach((dial) => dials.set(dial.key, dial)))

const COMMANDS: Readonly<Record<string, (argument: unknown) => Promise<unknown>>> = {
  async apply(body) {
    const staged = await device.driver.stage(body === null ? null : routerDocument.parse(body))
    await staged.apply()
    return staged.changed
  },
  validate: (body) => device.driver.validate(routerDocument.parse(body)),
  async tunnel(name) {
    const tunnel = device.openvpn.tunnel(String(name))
    return tunnel && { isUp: tunnel.isUp, clients: [...tunnel.clients().keys()] }
  },
  async peer(name) {
    return device.openvpn.tunnel(String(name))?.peer ?? null
  },
  async refuse(reasons) {
    refusals = reasons as typeof refusals
  },
  async admitAs(numbers) {
    profiles = numbers as typeof profiles
  },
  asked: async () => asked,
  dials: async () => [...dials.values()],
  refreshDials: () => device.openvpn.refreshSessions(),
  endDial: async (args) => device.dials.end(...(args as [string, string, boolean, number | null])),
  disconnect: (named) => device.openvpn.disconnect(...(named as [string, string])),
  exhausted: async () => Object.fromEntries(device.openvpn.exhausted()),
  linkCounters: () => device.readLinkCounters(),
  reset: (network) => device.openvpn.reset(String(network)),
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name, argument] = JSON.parse(line) as [string, unknown]
  const answer = await COMMANDS[name]?.(argument).then(
    (value) => ({ value: value ?? null }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  )
  console.log(JSON.stringify(answer))
}
device.close()
