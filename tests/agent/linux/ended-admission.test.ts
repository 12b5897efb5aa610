import { mkdtempSync, rmSync } from 'node:fs'
import { type Socket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ManagedTunnel } from '#infra/agent/drivers/linux/openvpn/managed-tunnel.ts'
import { silentLog } from '#infra/agent/log.ts'

/** A running server by its management socket: what it is commanded, and notifications of it. */
async function openServer(isAdmitted: (session: string) => boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'managed-'))
  const commands: string[] = []
  let notify: (text: string) => void = () => {}
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    notify = (text) => socket.write(text)
    socket.on('data', (data) => {
      for (const command of data.toString().split('\n').filter(Boolean)) {
        commands.push(command)
        if (command === 'state') socket.write('1,CONNECTED,SUCCESS,100.64.16.1,,,,\nEND\n')
        else socket.write(command.startsWith('status') ? 'END\n' : 'SUCCESS: done\n')
      }
    })
  })
  const socketPath = join(folder, 'm.sock')
  await new Promise<void>((done) => server.listen(socketPath, done))
  const tunnel = new ManagedTunnel({
    device: 'ov1s',
    socketPath,
    isServer: true,
    log: silentLog,
    isRunning: () => true,
    changed: () => {},
    connected: () => {},
    sessionsChanged: () => {},
    isAdmitted: ({ env }) => isAdmitted(env.get('session_id') ?? ''),
    admit: () => Promise.reject(new Error('nobody dials')),
  })
  onTestFinished(() => {
    tunnel.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await tunnel.open(5_000)
  const establish = (cid: number, session: string) =>
    notify(
      `>CLIENT:ESTABLISHED,${cid}\n>CLIENT:ENV,common_name=a@q\n>CLIENT:ENV,session_id=${session}\n>CLIENT:ENV,END\n`,
    )
  return { commands, establish }
}

it('a dial whose sessions were ended before it stood is ended when it does', async () => {
  const { commands, establish } = await openServer((session) => session !== 'S2')
  establish(1, 'S1')
  establish(2, 'S2')
  await expect
    .poll(() => commands.filter((command) => command.startsWith('client-kill')))
    .toEqual(['client-kill 2 HALT'])
})
