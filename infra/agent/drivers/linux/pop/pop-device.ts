import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseNetDev } from '#infra/agent/machine/linux.ts'
import { folderStore } from '#infra/agent/store.ts'
import { reclaimFolder } from '../frr/daemons.ts'
import { watchInterfaces } from '../interface-watch.ts'
import { type LinuxDevice, type LinuxDeviceOptions, openShared } from '../linux-device.ts'
import { type LinuxPart, openPart } from '../linux-part.ts'
import { prepareShared } from '../openvpn/tunnel-files.ts'
import { guardDevice } from './device-guard.ts'
import { NetworkNamespace } from './network-namespace.ts'
import { type NodeNetwork, PopDriver } from './pop-driver.ts'
import { ProbeSocket } from './probe-socket.ts'

/* Wiring of the driver `linux` on a POP node: a part for each network, in folders of its own below those of the device. */

interface OpenNetwork extends NodeNetwork {
  readonly part: LinuxPart
  readonly probes: ProbeSocket
}

const RETRY_MS = 1_000

export async function openPopDevice(options: LinuxDeviceOptions): Promise<LinuxDevice> {
  const { state, run, wan, probePort, store, log, prober } = options
  const root = { keys: join(state, 'keys'), shared: run }
  await prepareShared(root)
  const networks = new Map<number, OpenNetwork>()
  const shared = await openShared(options, () => [...networks.values()].map(({ part }) => part))
  const { processes } = shared.ports

  async function create(slot: number): Promise<OpenNetwork> {
    const own = join(state, 'networks', String(slot))
    const folders = {
      keys: join(own, 'keys'),
      shared: join(run, String(slot)),
      deviceKey: join(root.keys, 'router.key'),
    }
    await prepareShared(folders)
    const namespace = new NetworkNamespace({ slot, run: folders.shared, processes })
    const probes = new ProbeSocket(prober ? probePort : 0, log, (socket) => prober?.receiveAt(socket))
    const networkStore = await folderStore(own)
    const part = openPart(shared.ports, {
      state: own,
      folders,
      store: networkStore,
      target: { wan: [], lan: [], probePort },
      inside: { slot, namespace, probes },
    })
    processes.onExit((name) => {
      if (name === namespace.holder) setTimeout(() => void part.driver.refresh(), RETRY_MS).unref()
    })
    return {
      part,
      probes,
      driver: part.driver,
      store: networkStore,
      async clear() {
        await reclaimFolder(folders.shared)
        for (const folder of [own, folders.shared]) await rm(folder, { recursive: true, force: true })
        await mkdir(own, { mode: 0o700 })
        await prepareShared(folders)
      },
    }
  }

  const driver = new PopDriver({
    store,
    log,
    settings: shared.ports.settings,
    target: { wan, lan: [], probePort, ...root },
    guard: guardDevice,
    async open(slot) {
      const network = networks.get(slot) ?? (await create(slot))
      networks.set(slot, network)
      return network
    },
  })
  prober?.sendBy((id) => {
    const number = id.slice(0, id.indexOf(':')) // worker/domain/network/members/links.ts
    const network = [...networks.values()].find(({ part }) => part.driver.running?.slots.has(number))
    return network?.probes.socket ?? null
  })
  const watch = watchInterfaces(() => void refreshOutside(networks))
  return shared.toDevice(driver, () => watch.close())
}

/** Refreshes the networks with an interface in the namespace of the device: its process has made it anew. */
async function refreshOutside(networks: ReadonlyMap<number, OpenNetwork>): Promise<void> {
  const names = Object.keys(parseNetDev(await readFile('/proc/net/dev', 'utf8').catch(() => '')))
  const slots = new Set(names.flatMap((name) => /^ov(\d+)[rscx]\d*$/.exec(name)?.[1] ?? []))
  for (const slot of slots) await networks.get(Number(slot))?.part.driver.refresh()
}
