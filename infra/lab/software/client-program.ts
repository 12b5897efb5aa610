import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AGENT_BUNDLE, inRoot } from '#infra/local/paths.ts'
import { CLIENT } from '../bed/plan.ts'
import { toOptions } from '../agents.ts'
import { SERVICE_ADDRESS } from '../bed/sites.ts'
import type { Lab } from '../lab.ts'
import type { SoftwareMember } from './members.ts'
import { type Output, watchOutput } from './output.ts'

/** Starts the real client program of a member, which signs in by its password and dials a network. */
export function startClient({ bed, folder }: Lab, { name, password }: SoftwareMember, number: string): Output {
  const own = join(folder, 'clients', name)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const passwordFile = join(own, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const options = {
    server: `http://${SERVICE_ADDRESS}`,
    name,
    'password-file': passwordFile,
    state: join(own, 'state'),
  }
  const argv = [
    process.execPath,
    inRoot(AGENT_BUNDLE),
    'client',
    ...toOptions({ ...options, dial: number }),
    '--insecure',
  ]
  return watchOutput(`the client of ${name}`, bed.start(CLIENT, argv, { output: 'pipe' }))
}
