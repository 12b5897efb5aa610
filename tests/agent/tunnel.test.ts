import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Tunnel } from '#infra/agent/tunnel/tunnel.ts'
import type { SocketEvents } from '#infra/agent/agent-socket.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import type { Pipe } from '#outside/tls/pipe.ts'
import { type TunnelSocket, openTunnelPipe } from '#outside/ldap/tunnel-pipe.ts'
import { atEnd, closeAll, connected, createAgent, createHub } from './support/agents.ts'
import { FakeClock } from './support/fake-clock.ts'
import type { FakeDevice, FakeHub } from './support/fake-hub.ts'

afterEach(closeAll)

/** A directory that does with each connection what the test says. */
async function listen(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** An agent that may reach these ports of this machine. */
async function createDevice(ports: readonly number[], over: Parameters<typeof createAgent>[1] = {}) {
  const hub = await createHub()
  const directories = {
    targets: new Set(ports.map((port) => `127.0.0.1:${port}`)),
    lookup: async () => [],
  }
  const { agent, lines } = await createAgent(hub, { directories, ...over })
  return { hub, agent, lines, device: await connected(hub) }
}

let asked = 0
const ask = (device: FakeDevice, port: number, host = '127.0.0.1', expires_at = Date.now() + 60_000) =>
  device.send({ t: 'tunnel', id: `t${++asked}`, host, port, ticket: `ticket-${asked}`, expires_at })

/** The hub's own end of the n-th tunnel. */
async function openPipe(hub: FakeHub, n = 0): Promise<Pipe> {
  await expect.poll(() => hub.tunnels.length).toBeGreaterThan(n)
  const { socket } = hub.tunnels[n]!
  socket.binaryType = 'arraybuffer'
  const opening = openTunnelPipe(socket as unknown as TunnelSocket, 60_000)
  socket.resume()
  return opening
}

async function readAll(pipe: Pipe, bytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size < bytes;) {
    const chunk = await pipe.read()
    if (chunk === null) break
    chunks.push(chunk)
    size += chunk.byteLength
  }
  return Buffer.concat(chunks)
}

const pattern = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 31 + (i >> 8)) % 251))
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: unknown) => (error instanceof DirectoryError ? error.reason : String(error)),
  )

describe('directory.md, Private mode · a tunnel of a device', () => {
  it('is named in its hello, and opened with the ticket', async () => {
    const port = await listen(() => {})
    const { hub, device } = await createDevice([port])
    expect(device.ofType('hello')[0]?.capabilities).toContain(TUNNEL.capability)
    ask(device, port)
    await openPipe(hub)
    expect(hub.tunnels[0]?.ticket).toBe(`ticket-${asked}`)
  })

  it('carries a megabyte each way, whatever the pieces', async () => {
    const sent = pattern(1 << 20)
    let received = Buffer.alloc(0)
    const port = await listen((socket) => {
      socket.on('data', (data) => (received = Buffer.concat([received, data])))
      for (let from = 0; from < sent.length; from += 7_777) socket.write(sent.subarray(from, from + 7_777))
    })
    const { hub, device } = await createDevice([port])
    ask(device, port)
    const pipe = await openPipe(hub)
    const writing = (async () => {
      for (let from = 0; from < sent.length; from += 99_991) await pipe.write(sent.subarray(from, from + 99_991))
    })()
    expect((await readAll(pipe, sent.length)).equals(sent)).toBe(true)
    await writing
    await expect.poll(() => received.length).toBe(sent.length)
    expect(received.equals(sent)).toBe(true)
  })

  it('stops reading the directory where the hub does not read', async () => {
    let written = 0
    const port = await listen((socket) => {
      const more = () => {
        while (!socket.destroyed && written < 64 << 20) {
          written += 65_536
          if (!socket.write(Buffer.alloc(65_536))) return void socket.once('drain', more)
        }
      }
      more()
    })
    const { hub, device } = await createDevice([port])
    ask(device, port)
    await openPipe(hub)
    const { socket } = hub.tunnels[0]!
    let inFlight = 0
    socket.on('message', (data: ArrayBuffer, isBinary: boolean) => (inFlight += isBinary ? data.byteLength : 0))
    await expect.poll(() => inFlight).toBe(TUNNEL.windowBytes)
    for (let turn = 0; turn < 3; turn++) {
      socket.ping() // the answer comes behind whatever the device has sent
      await once(socket, 'pong')
    }
    expect(inFlight).toBe(TUNNEL.windowBytes)
    expect(written).toBeLessThan(64 << 20) // the kernel's buffers
  })

  it('tells why it did not reach the directory', async () => {
    const { hub, device } = await createDevice([1])
    ask(device, 1)
    expect(await failure(openPipe(hub, 0))).toBe('refused')
    ask(device, 22, '10.0.0.1')
    expect(await failure(openPipe(hub, 1))).toBe('router_refused')
    ask(device, 389)
    expect(await failure(openPipe(hub, 2))).toBe('router_refused')
    ask(device, 389, 'unknown.local')
    expect(await failure(openPipe(hub, 3))).toBe('name_unknown')
  })

  it('carries four at once, and says that it is busy to the fifth', async () => {
    const port = await listen(() => {})
    const { hub, device } = await createDevice([port])
    for (let n = 0; n < TUNNEL.streams; n++) {
      ask(device, port)
      await openPipe(hub, n)
    }
    ask(device, port)
    expect(await failure(openPipe(hub, TUNNEL.streams))).toBe('router_busy')
    hub.tunnels[0]?.socket.close()
    await expect.poll(() => hub.tunnels[0]?.socket.readyState).toBe(3)
    ask(device, port)
    expect(await failure(openPipe(hub, TUNNEL.streams + 1))).toBe('opened')
  })

  it('ends with the directory, after its last bytes', async () => {
    const port = await listen((socket) => socket.end(pattern(100_000)))
    const { hub, device } = await createDevice([port])
    ask(device, port)
    const pipe = await openPipe(hub)
    expect((await readAll(pipe, 100_000)).length).toBe(100_000)
    expect(await pipe.read()).toBeNull()
    expect(await failure(pipe.write(Buffer.from('x')))).toBe('closed')
  })

  it('ends where nothing moves for 30 seconds', async () => {
    const port = await listen((socket) => socket.pipe(socket))
    const directory = connect(port, '127.0.0.1')
    await once(directory, 'connect')
    const clock = new FakeClock()
    let [events, how] = [null as Required<SocketEvents> | null, '']
    new Tunnel({
      clock,
      directory: Promise.resolve(directory),
      openSocket: (given) => {
        events = given
        return { send: () => {}, close: () => {} }
      },
      ended: (why) => (how = why),
    })
    await clock.advance(TUNNEL.idleMs - 1)
    events!.opened()
    await clock.advance(TUNNEL.idleMs - 1)
    events!.bytes(Buffer.from('x'))
    await clock.advance(TUNNEL.idleMs - 1)
    expect(how).toBe('')
    await clock.advance(1)
    expect([how, directory.destroyed]).toEqual(['nothing moved for 30 s', true])
  })

  it('outlives the device’s own socket, and leaves its commands alone', async () => {
    const port = await listen((socket) => socket.pipe(socket))
    const { hub, device } = await createDevice([port])
    ask(device, port)
    const pipe = await openPipe(hub)
    device.send({ t: 'command', id: 'r', kind: 'report', params: {}, expires_at: Date.now() + 60_000 })
    await expect.poll(() => device.ofType('job_result')).toHaveLength(1)
    device.socket.terminate()
    await connected(hub, 2)
    await pipe.write(Buffer.from('still here'))
    expect((await readAll(pipe, 10)).toString()).toBe('still here')
  })

  it('ends with the agent', async () => {
    const port = await listen(() => {})
    const { hub, agent, device } = await createDevice([port])
    ask(device, port)
    const pipe = await openPipe(hub)
    await agent.stop()
    expect(await pipe.read()).toBeNull()
  })

  it('is not opened for a request that came too late, nor by a device that has none', async () => {
    const port = await listen(() => {})
    const { hub, device, lines } = await createDevice([port])
    ask(device, port, '127.0.0.1', Date.now() - 5_000) // the agent's estimate of the hub's clock is off by the delay of a frame
    await expect.poll(() => lines.join('\n')).toContain('asked for too late')
    expect(hub.tunnels).toHaveLength(0)
    const plain = await createHub()
    await createAgent(plain)
    const other = await connected(plain)
    expect(other.ofType('hello')[0]?.capabilities).not.toContain(TUNNEL.capability)
    ask(other, port)
    other.send({ t: 'command', id: 'r', kind: 'report', params: {}, expires_at: Date.now() + 60_000 })
    await expect.poll(() => other.ofType('job_result')).toHaveLength(1)
    expect(plain.tunnels).toHaveLength(0)
  })
})
