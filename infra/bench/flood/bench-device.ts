import { WebSocket } from 'ws'
import { deviceApi } from '#contract/device/index.ts'
import { type HubFrame, RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { DeviceIdentity } from '#infra/agent/hub/identity.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import type { Call } from '#infra/local/api.ts'
import { claimDevice, createHello } from '../live-clients.ts'
import type { Server } from '../stack.ts'

/* Claimed devices for the bench of floods, each of which connects from an address that the bench names. */

/** Header in which the platform names the client's address; a local run takes it from the client. */
export const ADDRESS_HEADER = 'cf-connecting-ip'

export type BenchDevice = Awaited<ReturnType<typeof createDevice>>

/** Devices with a registered key, each in an address block of its own so far. */
export async function createDevices(server: Server, call: Call, count: number): Promise<readonly BenchDevice[]> {
  const devices: BenchDevice[] = []
  for (let n = 0; n < count; n++) devices.push(await createDevice(server, call, n))
  return devices
}

async function createDevice(server: Server, call: Call, n: number) {
  const { origin } = server
  const serial = `NLFLOOD${String(n).padStart(4, '0')}`
  const home = `172.16.${n}.1`
  const identity = await DeviceIdentity.load({
    clock: systemClock,
    store: memoryStore(),
    log: silentLog,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), [ADDRESS_HEADER]: home } }),
    server: () => origin,
    serial,
    activationCode: heldCode(await claimDevice(server, serial, call)),
  })
  await identity.authorize() // registers its key
  const url = `${origin.replace('http', 'ws')}/device/v1/${deviceApi.connect.path}`
  const open = async (address: string) => {
    const headers = { ...(await identity.authorize()), [ADDRESS_HEADER]: address }
    return connect(
      new WebSocket(url, { headers: ticket === '' ? headers : { ...headers, [RETURN_TICKET_HEADER]: ticket } }),
      serial,
    )
  }
  let ticket = ''
  return {
    /** Connects from its own address, and keeps the return ticket of the welcome. */
    async takeTicket(): Promise<void> {
      const answer = await open(home)
      if (answer.welcome?.ticket === undefined) throw new Error(`${serial} got no ticket: ${answer.reason}`)
      ticket = answer.welcome.ticket
      answer.socket.terminate()
    },
    /** Reason of a close in place of a welcome; null if it was welcomed. */
    async connect(address: string): Promise<string | null> {
      return (await open(address)).reason
    },
  }
}

interface Answer {
  readonly socket: WebSocket
  readonly welcome: Extract<HubFrame, { t: 'welcome' }> | null
  readonly reason: string | null
}

/** Sends the hello, and waits for the welcome or for the end of the socket. */
const connect = (socket: WebSocket, serial: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => socket.send(JSON.stringify(createHello(serial, ['wan0']))))
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as HubFrame
      if (frame.t === 'welcome') resolve({ socket, welcome: frame, reason: null })
    })
    socket.once('close', (_code, reason) => resolve({ socket, welcome: null, reason: String(reason) }))
    socket.once('error', reject)
  })
