import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ManagedTunnel } from '#infra/agent/drivers/linux/openvpn/managed-tunnel.ts'
import { silentLog } from '#infra/agent/log.ts'

/** A management socket that answers `state` and `log all` with these texts, each in one write, and keeps the commands. */
async function openSocket(state: string, log: string, commands: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'managed-'))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      for (const command of data.toString().split('\n').filter(Boolean)) {
        commands.push(command)
        socket.write(command === 'state' ? state : command === 'log all' ? log : 'SUCCESS: done\n')
      }
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

const openTunnel = async (state: string, log = '', commands: string[] = []): Promise<ManagedTunnel> => {
  const tunnel = new ManagedTunnel({
    device: 'ov1c1',
    socketPath: await openSocket(state, log, commands),
    isServer: false,
    isPeer: log !== '',
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

it('an end of a link that both ends dial knows the other one, and ends its session by dialling anew', async () => {
  const commands: string[] = []
  const log = "1,I,Data Channel: cipher 'AES-128-GCM'\n2,I,Data Channel: cipher 'SM4-CBC', auth 'SM3'\nEND\n"
  const tunnel = await openTunnel('1,CONNECTED,SUCCESS,172.31.0.1,203.0.113.9,41234,,\nEND\n', log, commands)
  await expect.poll(() => tunnel.peer).toEqual({ remote: '203.0.113.9:41234', cipher: 'SM4-CBC' })
  expect(await tunnel.reconnect()).toBe(1)
  expect(commands.at(-1)).toBe('signal SIGUSR1')
})
