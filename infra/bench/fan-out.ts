import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync } from 'node:fs'
import { WebSocket } from 'ws'
import { liveApi } from '../../worker/contract/live.ts'
import { signIn } from '../demo/load.ts'
import { INITIAL, type Stream, step } from '../../web/lib/live-stream.ts'
import { callEndpoint } from '../local/api.ts'
import { run } from '../local/run.ts'
import { cpuSeconds } from './cpu.ts'
import { openDevice } from './device.ts'
import { mqttClient } from './peers/mqtt-client.ts'
import { type Finding, print } from './report.ts'
import type { Stack } from './stack.ts'

const VIEWERS = 200
const INTERFACES = Array.from({ length: 32 }, (_, i) => `eth${i}`)
const TICK_MS = 600 // the hub tells no more than two a second
const SECONDS = 18
const MQTT_PORT = 18_840
const BUDGET = 2

/** The interfaces of a centre (its ports and a tunnel a member) to 200 viewers: samples that arrive per processor second of the server. */
export async function benchFanOut(stack: Stack): Promise<readonly Finding[]> {
  const ours = await measureOurs(stack)
  const ws = await measureWs()
  const mosquitto = await measureMosquitto()
  const findings: Finding[] = [
    { what: 'RouterHub: one frame a tick', value: ours, unit: 'samples/CPU-s' },
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

async function measureOurs({ origin, operatorToken, workerdPid }: Stack): Promise<number> {
  const token = await signIn(origin, 'demo02')
  const device = await openDevice(origin, operatorToken, token, INTERFACES)
  let samples = 0
  const viewers = await Promise.all(
    Array.from({ length: VIEWERS }, async () => {
      const input = { kind: 'router', router_name: device.serial } as const
      const { ticket } = await callEndpoint(origin, '/api/v1', liveApi.trafficTicket, input, token)
      const url = `${origin.replace('http', 'ws')}/api/v1/router/traffic?router_name=${device.serial}&ticket=${ticket}`
      const socket = new WebSocket(url, { origin })
      let stream: Stream = { ...INITIAL, phase: 'open' }
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as { code: number; type: string; seq: number; data: object }
        if (frame.type === 'interface') samples += Object.keys(frame.data).length
        const next = step(stream, { type: 'frame', frame }, Date.now(), 0)
        stream = next.stream
        for (const effect of next.effects) {
          if (effect.type === 'ack') socket.send(JSON.stringify({ type: 'ack', seq: effect.seq }))
        }
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
  const viewers = await Promise.all(
    Array.from({ length: VIEWERS }, (_, i) => mqttClient(MQTT_PORT, `viewer${i}`, () => samples++)),
  )
  for (const viewer of viewers) viewer.subscribe('router/1/#')
  const publisher = await mqttClient(MQTT_PORT, 'router', () => {})
  const send = () => {
    for (const name of INTERFACES) publisher.publish(`router/1/${name}`, sample(name))
  }
  const result = await ticking(send, () => samples, server.pid ?? 0)
  for (const client of [...viewers, publisher]) client.close()
  await ended(server)
  return result
}

/** What one interface's reading weighs on the wire of either peer: the same numbers as in our frame. */
const sample = (name: string): string =>
  JSON.stringify({ interface: name, down: 12_345_678, upload: 2_345_678, time: Date.now() })

/** Ticks for a while and divides what arrived by what the server's process used. */
async function ticking(tick: () => void, arrived: () => number, pid: number): Promise<number> {
  for (let i = 0; i < 1000 / TICK_MS; i++) await pause(tick) // warm
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
