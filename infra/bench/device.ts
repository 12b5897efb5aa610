import { WebSocket } from 'ws'
import type { AgentFrame, Hello } from '#contract/kernel/protocol.ts'
import { PROTOCOL_VERSION } from '#contract/kernel/hub-limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { heldCode } from '#infra/agent/activation-code.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { DeviceIdentity } from '#infra/agent/identity.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { callEndpoint } from '#infra/local/api.ts'
import type { Server } from './stack.ts'
import { routerApi } from '#contract/router/index.ts'

export interface BenchDevice {
  readonly serial: string
  sendCounters(): void
  close(): void
}

/** A claimed device that sends counters on demand, so that the measurement sets the pace. */
export async function openDevice(stack: Server, token: string, names: readonly string[]): Promise<BenchDevice> {
  const serial = `NLBENCH${Math.floor(performance.now())}`
  const code = await claimDevice(stack, serial, token)
  const socket = await connectDevice(stack, await loadIdentity(stack, serial, code))
  const send = (frame: AgentFrame) => socket.send(JSON.stringify(frame))
  send(createHello(serial))
  let bytes = 0
  return {
    serial,
    sendCounters: () => {
      bytes += 125_000
      const interfaces = Object.fromEntries(names.map((name) => [name, { rx: bytes, tx: bytes / 4 }]))
      send({ t: 'counters', boot_id: 'bench', at: performance.now(), applied: null, interfaces })
    },
    close: () => socket.close(),
  }
}

/** Provisions a device and claims it for the session's account; answers its activation code. */
export async function claimDevice({ origin, operatorToken }: Server, serial: string, token: string): Promise<string> {
  const { activation_code: code } = await callEndpoint(
    origin,
    '/ops/v1',
    opsApi.provisionDevice,
    { serial, model: 'NL-R220' },
    operatorToken,
  )
  await callEndpoint(origin, '/api/v1', routerApi.add, { router_type: 1, username: serial, code }, token)
  return code
}

export const loadIdentity = ({ origin }: Server, serial: string, code: string): Promise<DeviceIdentity> =>
  DeviceIdentity.load({
    clock: systemClock,
    store: memoryStore(),
    log: silentLog,
    fetch,
    server: origin,
    serial,
    activationCode: heldCode(code),
  })

/** An open socket, before its hello. */
export async function connectDevice({ origin }: Server, identity: DeviceIdentity): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/device/v1/connect`, {
    headers: await identity.authorize(),
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => resolve())
  })
  return socket
}

export const createHello = (serial: string, facts: Partial<Hello> = {}): Hello => ({
  t: 'hello',
  protocol: PROTOCOL_VERSION,
  serial,
  boot_id: 'bench',
  agent_version: 'bench',
  model: 'NL-R220',
  mac: '',
  capabilities: [],
  applied: null,
  interfaces: [],
  probe_port: 0,
  ...facts,
})
