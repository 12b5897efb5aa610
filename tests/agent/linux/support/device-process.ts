import { createInterface } from 'node:readline'
import { openLinuxDevice } from '#infra/agent/drivers/linux/linux-device.ts'
import { denyDials } from '#infra/agent/drivers/linux/openvpn/admission.ts'
import { folderStore } from '#infra/agent/store.ts'
import { routerDocument } from '#contract/device/document.ts'

/* The driver in a process of its own, for tests: one JSON command a line, one JSON answer a line. */

const [state = '', run = ''] = process.argv.slice(2)
const device = await openLinuxDevice({
  state,
  run,
  wan: ['wan0'],
  lan: ['lan0'],
  probePort: 40_000,
  store: await folderStore(state),
  log: (line) => console.error(line),
  authorizeDial: denyDials,
})

const COMMANDS: Readonly<Record<string, (argument: unknown) => Promise<unknown>>> = {
  async apply(body) {
    const staged = await device.driver.stage(body === null ? null : routerDocument.parse(body))
    await staged.apply()
    return staged.changed
  },
  validate: (body) => device.driver.validate(routerDocument.parse(body)),
  async tunnel(name) {
    const tunnel = device.openvpn.tunnel(String(name))
    return tunnel && { isUp: tunnel.isUp, clients: [...tunnel.clients()] }
  },
  exhausted: async () => Object.fromEntries(device.openvpn.exhausted()),
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
