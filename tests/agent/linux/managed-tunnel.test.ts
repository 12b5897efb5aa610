import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ManagedTunnel } from '#infra/agent/drivers/linux/openvpn/managed-tunnel.ts'
import { silentLog } from '#infra/agent/log.ts'

/** A management socket that answers `state` with this text, in one write. */
async function openSocket(answer: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'managed-'))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      for (const command of data.toString().split('\n').filter(Boolean))
        socket.write(command === 'state' ? answer : 'SUCCESS: done\n')
    })
  })
  const path = join(folder, 'm.sock')
  await new Promise<void>((done) => server.listen(path, done))
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return path
}

const openTunnel = async (answer: string): Promise<ManagedTunnel> => {
  const tunnel = new ManagedTunnel({
    device: 'ov1c1',
    socketPath: await openSocket(answer),
    isServer: false,
    log: silentLog,
    isRunning: () => true,
    changed: () => {},
    connected: () => {},
    sessionsChanged: () => {},
    admit: () => Promise.reject(new Error('nobody dials')),
  })
  onTestFinished(() => tunnel.close())
  await tunnel.open(5_000)
  return tunnel
}

it('a tunnel that connects while its state is listed is up: the event is newer than the list', async () => {
  const tunnel = await openTunnel(
    '1,ASSIGN_IP,,10.0.0.4,,,,\nEND\n>STATE:2,CONNECTED,SUCCESS,10.0.0.4,203.0.113.1,1194,,\n',
  )
  await expect.poll(() => tunnel.isUp).toBe(true)
})

it('a tunnel that was connected before is up by the list', async () => {
  const tunnel = await openTunnel('1,CONNECTED,SUCCESS,10.0.0.4,203.0.113.1,1194,,\nEND\n')
  await expect.poll(() => tunnel.isUp).toBe(true)
})
