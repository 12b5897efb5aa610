import { z } from 'zod'
import type { SentDocument } from '../../worker/contract/router-document.ts'
import type { DeviceJobKind } from '../../worker/contract/network-jobs.ts'

/** What ends and restarts links: the prober, until a driver runs the tunnels itself. */
export interface Links {
  /** These links of the owner are down at once, and are set up again. */
  restart(owner: string, ids: readonly string[]): void
}

const killParams = z.object({ network_number: z.string(), name: z.string() })
const respawnParams = z.object({ network_number: z.string() })

type Handler = (params: unknown) => Promise<void>

/** Handlers of the jobs of one device. @param running the document that it runs. */
export function sessionJobs(
  links: Links,
  owner: string,
  running: () => SentDocument | null,
): Readonly<Record<DeviceJobKind, Handler>> {
  const endsIn = (number: string) => {
    const network = running()?.networks.find(({ network_number }) => network_number === number)
    if (!network) throw new Error('设备上没有该组网')
    return network.links
  }
  const restart = (ids: readonly string[], problem: string) => {
    if (ids.length === 0) throw new Error(problem)
    links.restart(owner, ids)
  }
  return {
    /** The session of one member that dials this device. */
    kill_user: async (params) => {
      const { network_number, name } = killParams.parse(params)
      const own = endsIn(network_number).filter(({ role, peer }) => role === 'server' && peer === name)
      restart(
        own.map(({ id }) => id),
        '该成员当前没有连接',
      )
    },
    reset_respawn: async (params) => {
      const own = endsIn(respawnParams.parse(params).network_number)
      restart(
        own.map(({ id }) => id),
        '该组网在设备上没有隧道',
      )
    },
  }
}
