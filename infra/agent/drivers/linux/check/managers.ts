import { readFile, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Problem, hint } from './problem.ts'

/* Programs that manage the network of the device beside the agent. */

interface Process {
  /** Name of the program, cut to 15 characters by the kernel. */
  readonly name: string
  readonly command: string
}

/** @param networkd settings of systemd-networkd, all files together. @param manager the same of NetworkManager. */
export function managerProblems(processes: readonly Process[], networkd: string, manager: string): Problem[] {
  const isRunning = (name: string) => processes.some((process) => process.name === name)
  const lacking = ['ManageForeignRoutingPolicyRules', 'ManageForeignRoutes'].filter(
    (setting) => !new RegExp(`^\\s*${setting}\\s*=\\s*(?:no|false|0|off)\\s*$`, 'mi').test(networkd),
  )
  const isUnmanaged = /^\s*unmanaged-devices\s*\+?=.*\bov\*/m.test(manager)
  const hasOtherFrr = processes.some(
    ({ name, command }) => /^(?:zebra|bgpd)$/.test(name) && command !== '' && !command.includes('--vty_socket'),
  )
  return [
    ...(isRunning('systemd-network') ? lacking : []).map((setting) =>
      hint(`systemd-networkd removes rules and routes of others: set ${setting}=no in networkd.conf`),
    ),
    ...(isRunning('NetworkManager') && !isUnmanaged
      ? [hint('NetworkManager may configure the tunnels: set unmanaged-devices=interface-name:ov* under [keyfile]')]
      : []),
    ...(hasOtherFrr
      ? [hint('another FRR runs, whose zebra removes our routes when it starts: systemctl disable --now frr')]
      : []),
  ]
}

export async function checkManagers(): Promise<Problem[]> {
  const [processes, networkd, manager] = await Promise.all([
    listProcesses(),
    readSettings('systemd/networkd.conf'),
    readSettings('NetworkManager/NetworkManager.conf', 'NetworkManager/conf.d'),
  ])
  return managerProblems(processes, networkd, manager)
}

/** Processes in the network namespace of this one. */
async function listProcesses(): Promise<Process[]> {
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const spaceOf = (pid: string) => readlink(`/proc/${pid}/ns/net`).catch(() => '')
  const own = await spaceOf('self')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    pids.map(async (pid) => ({
      space: await spaceOf(pid),
      name: (await read(pid, 'comm')).trim(),
      command: await read(pid, 'cmdline'),
    })),
  )
  return processes.filter(({ space }) => space === own || space === '') // unreadable without CAP_SYS_PTRACE
}

/** Text of a settings file and of the files in its folder of additions, in all places that systemd knows. */
async function readSettings(file: string, folder = `${file}.d`): Promise<string> {
  const roots = ['/usr/lib', '/run', '/etc']
  const texts = roots.map(async (root) => {
    const names = await readdir(join(root, folder)).catch(() => [])
    const paths = [join(root, file), ...names.map((name) => join(root, folder, name))]
    return Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')))
  })
  return (await Promise.all(texts)).flat().join('\n')
}
