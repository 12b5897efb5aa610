import { readFile, readdir, readlink } from 'node:fs/promises'

/* UDP ports in use on the device, and the processes that hold them. */

interface BoundPort {
  readonly port: number
  readonly inode: string
}

/** Bound ports, from the text of /proc/net/udp or udp6. */
function parseBoundPorts(text: string): BoundPort[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = '', , , , , , , , inode = '']) => {
      const port = Number.parseInt(local.split(':')[1] ?? '', 16)
      return port > 0 ? [{ port, inode }] : []
    })
}

export interface PortHolder {
  readonly port: number
  /** Null if the process cannot be seen. */
  readonly pid: number | null
  readonly command: string
}

/**
 * First holder that is none of the device's own processes. With the capabilities of the unit alone no process of another
 * account can be seen: there the port that an own process was started with decides.
 */
export const findForeign = (
  holders: readonly PortHolder[],
  own: readonly { readonly pid: number; readonly port: number | null }[],
): PortHolder | null =>
  holders.find((holder) =>
    own.every(({ pid, port }) => (holder.pid === null ? port !== holder.port : pid !== holder.pid)),
  ) ?? null

/**
 * Holders of those of the ports that are in use in this network namespace.
 *
 * @param likely processes that are looked at first: with hundreds of others the rest takes a second.
 */
export async function findPortHolders(ports: ReadonlySet<number>, likely: readonly number[]): Promise<PortHolder[]> {
  const read = (name: string) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')
  const bound = [...parseBoundPorts(await read('udp')), ...parseBoundPorts(await read('udp6'))]
  const used = bound.filter(({ port }) => ports.has(port))
  const pids = await findSocketOwners(new Set(used.map(({ inode }) => inode)), likely)
  return Promise.all(
    used.map(async ({ port, inode }) => {
      const pid = pids.get(inode) ?? null
      const command = pid === null ? '' : await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      return { port, pid, command: command.trim() }
    }),
  )
}

/** Processes by the inode of their socket. */
async function findSocketOwners(
  inodes: ReadonlySet<string>,
  likely: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>()
  const look = async (pids: readonly number[]) => {
    for (const pid of pids) {
      if (owners.size === inodes.size) return
      for (const inode of await readSockets(pid)) if (inodes.has(inode)) owners.set(inode, pid)
    }
  }
  await look(likely)
  if (owners.size < inodes.size) await look(await listProcesses())
  return owners
}

const listProcesses = async (): Promise<number[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)

/** Inodes of the sockets of a process; none of one that cannot be seen. */
async function readSockets(pid: number): Promise<string[]> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
}
