import { WebSocket } from 'ws'
import type { AgentFrame } from '../../worker/contract/protocol.ts'
import { PROTOCOL_VERSION } from '../../worker/contract/limits.ts'
import { opsApi } from '../../worker/contract/ops.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { heldCode } from '../agent/activation-code.ts'
import { systemClock } from '../agent/clock.ts'
import { DeviceIdentity } from '../agent/identity.ts'
import { silentLog } from '../agent/log.ts'
import { memoryStore } from '../agent/store.ts'
import { callEndpoint } from '../local/api.ts'

export interface BenchDevice {
  readonly serial: string
  sendCounters(): void
  close(): void
}

/** A claimed device that sends counters on demand, so that the measurement sets the pace. */
export async function openDevice(
  origin: string,
  operatorToken: string,
  token: string,
  names: readonly string[],
): Promise<BenchDevice> {
  const serial = `NLBENCH${Math.floor(performance.now())}`
  const { activation_code: code } = await callEndpoint(
    origin,
    '/ops/v1',
    opsApi.provisionDevice,
    { serial, model: 'NL-R220' },
    operatorToken,
  )
  await callEndpoint(origin, '/api/v1', routerApi.add, { router_type: 1, username: serial, code }, token)
  const identity = await DeviceIdentity.load({
    clock: systemClock,
    store: memoryStore(),
    log: silentLog,
    fetch,
    server: origin,
    serial,
    activationCode: heldCode(code),
  })
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/device/v1/connect`, {
    headers: await identity.authorize(),
  })
  const send = (frame: AgentFrame) => socket.send(JSON.stringify(frame))
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => resolve())
  })
  send({
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
  })
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
