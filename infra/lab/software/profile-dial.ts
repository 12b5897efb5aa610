import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientApi } from '#contract/client/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { CLIENT } from '../bed/plan.ts'
import type { Lab } from '../lab.ts'
import type { SoftwareMember } from './members.ts'
import { type Output, watchOutput } from './output.ts'

/* Dials of a stock OpenVPN with the file of a profile, and nothing else of ours. */

/** Makes a profile as the page of the client does, and answers the path of its file. */
export async function makeProfile(
  { stack: { origin }, folder }: Lab,
  { name, password }: SoftwareMember,
  network_number: string,
  device_name: string,
): Promise<string> {
  const session = await callEndpoint(origin, '/api/v1', clientApi.login, { username: name, password })
  const response = await fetch(`${origin}/api/v1/${clientApi.createProfile.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session.access_token}` },
    body: JSON.stringify({ network_number, device_name }),
  })
  const text = await response.text()
  if (!response.headers.has('content-disposition')) throw new Error(`no file of a profile: ${text}`)
  const own = join(folder, 'profiles')
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const path = join(own, `${device_name}.ovpn`)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

export const startProfileDial = ({ bed }: Lab, file: string): Output =>
  watchOutput(`the dial with ${file}`, bed.start(CLIENT, ['openvpn', '--config', file], { output: 'pipe' }))
