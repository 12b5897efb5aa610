import { existsSync } from 'node:fs'
import { installLabTools } from '#infra/local/network-tools.ts'
import { run } from '#infra/local/processes.ts'

/* Requirements of the lab on this machine. */

const TUN = '/dev/net/tun'

/** Lack of this machine in words, after an attempt to install it; null if the lab can run. */
export async function findLack(): Promise<string | null> {
  if (process.platform !== 'linux') return 'this is not Linux'
  if (process.getuid?.() !== 0) return 'this is not root'
  if (!existsSync(TUN)) return `no ${TUN}`
  const missing = await installLabTools()
  if (missing.length > 0) return `no ${missing.join(', ')}`
  const { code } = await run('unshare', ['--net', '--', 'true'])
  return code === 0 ? null : 'network namespaces cannot be made'
}
