import type { Dealer } from '#tests/support/hostile/dealer.ts'
import type { DeviceSocket } from './device-socket.ts'

interface Who {
  readonly serial: string
  readonly network_number: string
  readonly member: string
}

/** Every text of every frame that is kept. */
export async function sendHostileFrames(device: DeviceSocket, deal: Dealer, { serial, network_number, member }: Who) {
  const portOf = (frame: 'hello' | 'interfaces', role: 'wan' | 'lan') => ({
    interface: deal.text(`agent ${frame} interfaces[].interface`, 32),
    interface_uuid: deal.text(`agent ${frame} interfaces[].interface_uuid`, 64),
    protocol: 'dhcp' as const,
    role,
    ip: deal.text(`agent ${frame} interfaces[].ip`, 45),
    mask: 24,
    mac: deal.text(`agent ${frame} interfaces[].mac`, 32),
    mtu: 1500,
    up: true,
  })
  device.send({
    t: 'hello',
    protocol: 1,
    serial,
    boot_id: 'boot',
    agent_version: deal.text('agent hello agent_version', 32),
    model: deal.text('agent hello model', 64),
    mac: deal.text('agent hello mac', 32),
    capabilities: [deal.text('agent hello capabilities[]', 32)],
    applied: null,
    interfaces: [portOf('hello', 'wan')],
    probe_port: 0,
  })
  await device.next('welcome')
  const wan = portOf('interfaces', 'wan')
  device.send({ t: 'interfaces', interfaces: [wan] })
  const name = deal.text('agent counters interfaces{key}', 32)
  const count = (at: number) =>
    device.send({ t: 'counters', boot_id: 'boot', at, applied: null, interfaces: { [name]: { rx: at, tx: at } } })
  count(1_000)
  const { version, hash } = await device.next('config')
  const reason = deal.text('agent config_result reason', 200)
  device.send({
    t: 'config_result',
    version,
    hash,
    state: 'failed',
    reason,
    log: deal.all('agent config_result log').slice(0, 1024),
  })
  const remote = deal.text('agent dial dials[].remote', 64)
  device.send({
    t: 'dial',
    dials: [
      {
        key: 'hostile',
        network_number,
        name: member,
        remote,
        began_ms: 60_000,
        ended_ms: 1_000,
        rx: 1,
        tx: 1,
        reason: deal.text('agent dial dials[].reason', 100),
      },
    ],
  })
  return { wan: wan.interface, reason, remote }
}
