import { z } from 'zod'
import type { SentDocument } from '#contract/device/document.ts'
import type { DeviceJobKind } from '#contract/network/jobs.ts'
import { JOB } from '#contract/network/limits.ts'
import type { Handler } from './commands.ts'
import type { Prober } from './probe/prober.ts'

/* Handlers of the hub's jobs on sessions: ending those of a member, and restarting the tunnels of a network. */

/**
 * `halt`: the client stays out until its person dials again; otherwise it returns by a fresh authorization. `profile`: only a
 * session that dialled with it.
 */
const killParams = z.object({
  network_number: z.string(),
  name: z.string(),
  halt: z.boolean().default(false),
  profile: z.int().nullable().default(null),
})
const respawnParams = z.object({ network_number: z.string() })

interface Device {
  /** Control of links; the prober has it until a driver runs the tunnels itself. */
  readonly links: Pick<Prober, 'disconnect' | 'restart'>
  readonly owner: string
  /** Document that the device runs. */
  readonly applied: () => SentDocument | null
  /** Ends the sessions of a software member; answers their number. */
  readonly endDials: (networkNumber: string, name: string, isHalted: boolean, profile: number | null) => number
}

export function sessionJobs({ links, owner, applied, endDials }: Device): Readonly<Record<DeviceJobKind, Handler>> {
  const endsIn = (number: string) => {
    const network = applied()?.networks.find(({ network_number }) => network_number === number)
    if (!network) throw new Error('设备上没有该组网')
    return network.links
  }
  return {
    /** Ends the sessions of one member that dials this device. Without any the job succeeds: it may dial another device. */
    kill_user: async (params) => {
      const { network_number, name, halt, profile } = killParams.parse(params)
      const ends = endsIn(network_number)
      const own = ends.filter(({ role, peer }) => role === 'server' && peer === name).map(({ id }) => id)
      const dials = endDials(network_number, name, halt, profile)
      const sessions = dials + (await links.disconnect(owner, own)).length
      return { data: { sessions }, ...(sessions === 0 && { reason: '该成员当前没有连接' }) }
    },
    /** Answers the links whose tunnels it has restarted: their number, and their ids as far as they fit. */
    reset_respawn: async (params) => {
      const own = endsIn(respawnParams.parse(params).network_number).map(({ id }) => id)
      if (own.length === 0) throw new Error('该组网在设备上没有隧道')
      const restarted = await links.restart(owner, own)
      return { data: { count: restarted.length, links: restarted.slice(0, JOB.tunnelsNamed) } }
    },
  }
}
