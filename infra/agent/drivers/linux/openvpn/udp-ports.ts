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

/** Holders of those of the ports that are in use in this network namespace. */
export async function findPortHolders(ports: ReadonlySet<number>): Promise<PortHolder[]> {
  const read = (name: string) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')
  const bound = [...parseBoundPorts(await read('udp')), ...parseBoundPorts(await read('udp6'))]
  const used = bound.filter(({ port }) => ports.has(port))
  if (used.length === 0) return []
  const pids = await findSocketOwners(new Set(used.map(({ inode }) => inode)))
  return Promise.all(
    used.map(async ({ port, inode }) => {
      const pid = pids.get(inode) ?? null
      const command = pid === null ? '' : await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      return { port, pid, command: command.trim() }
    }),
  )
}

/** Processes by the inode of their socket. */
async function findSocketOwners(inodes: ReadonlySet<string>): Promise<Map<string, number>> {
  const owners = new Map<string, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    for (const fd of await readdir(`/proc/${name}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${name}/fd/${fd}`).catch(() => '')
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
      if (inode !== undefined && inodes.has(inode)) owners.set(inode, Number(name))
    }
  }
  return owners
}
