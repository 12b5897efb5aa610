import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync } from 'node:fs'
import { Socket } from 'node:net'
import { type MqttClient, connectAsync } from 'mqtt'
import { WebSocket } from 'ws'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import { signIn } from '#infra/demo/load.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { run } from '#infra/local/run.ts'
import { createAcknowledger } from './acknowledge.ts'
import { cpuSeconds } from './cpu.ts'
import { openDevice } from './device.ts'
import { type Finding, print } from './report.ts'
import type { Stack } from './stack.ts'
import { routerApi } from '#contract/router/index.ts'

const VIEWERS = 200
const INTERFACES = Array.from({ length: 32 }, (_, i) => `eth${i}`)
const TICK_MS = 600 // a hub sends no more than two frames a second
const SECONDS = 18
const MQTT_PORT = 18_840
const MQTT_URL = `mqtt://127.0.0.1:${MQTT_PORT}`
const BUDGET = 2

/** The interfaces of a centre (its ports and a tunnel a member) to 200 viewers: samples that arrive per processor second of the server. */
export async function benchFanOut(stack: Stack): Promise<readonly Finding[]> {
  const ws = await measureWs()
  const mosquitto = await measureMosquitto()
  const ours = await measureOurs(stack) // last: for half a minute after the start, alarms of the demo's hubs are due
  const findings: Finding[] = [
    { what: 'RouterHub: a frame every two seconds', value: ours, unit: 'samples/CPU-s' },
    { what: 'ws: a message an interface', value: ws, unit: 'samples/CPU-s' },
    { what: 'ratio to ws', value: ours / ws, unit: '', budget: BUDGET, must: 'reach' },
  ]
  if (mosquitto !== null) {
    findings.push(
      { what: 'Mosquitto: a message an interface', value: mosquitto, unit: 'samples/CPU-s' },
      { what: 'ratio to Mosquitto', value: ours / mosquitto, unit: '', budget: BUDGET, must: 'reach' },
    )
  }
  const skipped = mosquitto === null ? ' (mosquitto is not installed: apt-get install mosquitto)' : ''
  print(
    `Fan-out of one router to ${VIEWERS} viewers, ${INTERFACES.length} interfaces, ${(1000 / TICK_MS).toFixed(1)} ticks/s${skipped}`,
    findings,
  )
  return findings
}

async function measureOurs(stack: Stack): Promise<number> {
  const { origin, workerdPid } = stack
  const token = await signIn(origin, 'demo02')
  const device = await openDevice(stack, token, INTERFACES)
  const tokens = [token] // one session opens only so many sockets on a hub
  while (tokens.length * STREAM.socketsPerSession < VIEWERS) tokens.push(await signIn(origin, 'demo02'))
  let samples = 0
  const viewers = await Promise.all(
    Array.from({ length: VIEWERS }, async (_, i) => {
      const input = { kind: 'router', router_name: device.serial } as const
      const { ticket } = await callEndpoint(
        origin,
        '/api/v1',
        routerApi.trafficTicket,
        input,
        tokens[i % tokens.length],
      )
      const url = `${origin.replace('http', 'ws')}/api/v1/router/traffic?router_name=${device.serial}&ticket=${ticket}`
      const socket = new WebSocket(url, { origin })
      const acknowledge = createAcknowledger((text) => socket.send(text))
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as { type: string; seq: number; data: object; earlier?: object[] }
        if (frame.type === 'interface')
          for (const rates of [...(frame.earlier ?? []), frame.data]) samples += Object.keys(rates).length
        acknowledge(frame)
      })
      await opened(socket)
      return socket
    }),
  )
  const result = await ticking(
    () => device.sendCounters(),
    () => samples,
    workerdPid,
  )
  const closed = viewers.filter(({ readyState }) => readyState !== WebSocket.OPEN).length
  if (closed > 0) throw new Error(`the hub closed ${closed} of ${VIEWERS} viewers`)
  for (const viewer of viewers) viewer.terminate()
  device.close()
  return result
}

async function measureWs(): Promise<number> {
  const server = spawn(process.execPath, ['infra/bench/peers/ws-server.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve) =>
    server.stdout.once('data', (data: Buffer) => resolve(String(data).trim())),
  )
  let samples = 0
  const viewers = await Promise.all(
    Array.from({ length: VIEWERS }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
      socket.on('message', () => samples++)
      await opened(socket)
      return socket
    }),
  )
  const publisher = new WebSocket(`ws://127.0.0.1:${port}/publish`)
  await opened(publisher)
  const send = () => {
    for (const name of INTERFACES) publisher.send(sample(name))
  }
  const result = await ticking(send, () => samples, server.pid ?? 0)
  for (const socket of [...viewers, publisher]) socket.terminate()
  await ended(server)
  return result
}

async function measureMosquitto(): Promise<number | null> {
  const binary = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto'].find(exists) ?? (await installed())
  if (!binary) return null
  const server = spawn(binary, ['-p', String(MQTT_PORT)], { stdio: 'ignore' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  let samples = 0
  const viewers = await Promise.all(Array.from({ length: VIEWERS }, mqttClient))
  for (const viewer of viewers) {
    viewer.on('message', () => samples++)
    await viewer.subscribeAsync('router/1/#', { qos: 0 })
  }
  const publisher = await mqttClient()
  const send = () => {
    for (const name of INTERFACES) publisher.publish(`router/1/${name}`, sample(name), { qos: 0 })
  }
  const result = await ticking(send, () => samples, server.pid ?? 0)
  for (const client of [...viewers, publisher]) await client.endAsync(true)
  await ended(server)
  return result
}

/** Without Nagle's algorithm, like the sockets of the other two. */
async function mqttClient(): Promise<MqttClient> {
  const client = await connectAsync(MQTT_URL)
  if (client.stream instanceof Socket) client.stream.setNoDelay(true)
  return client
}

/** Payload of one interface for the compared servers: the same numbers as in our frame. */
const sample = (name: string): string =>
  JSON.stringify({ interface: name, down: 12_345_678, upload: 2_345_678, time: Date.now() })

/** Ticks for a while and divides what arrived by what the server's process used. */
async function ticking(tick: () => void, arrived: () => number, pid: number): Promise<number> {
  for (let i = 0; i < 1000 / TICK_MS; i++) await pause(tick) // warm-up
  const before = { samples: arrived(), cpu: cpuSeconds(pid) }
  for (let i = 0; i < (SECONDS * 1000) / TICK_MS; i++) await pause(tick)
  return (arrived() - before.samples) / (cpuSeconds(pid) - before.cpu)
}

async function pause(tick: () => void): Promise<void> {
  tick()
  await new Promise((resolve) => setTimeout(resolve, TICK_MS))
}

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })

async function ended(server: ChildProcess): Promise<void> {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
}

async function installed(): Promise<string | null> {
  if (process.getuid?.() !== 0) return null
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'mosquitto'])
  return exists('/usr/sbin/mosquitto') ? '/usr/sbin/mosquitto' : null
}

function exists(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}
