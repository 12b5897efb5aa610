import type { DialDocument } from '#contract/client/index.ts'
import { clientLines, remotesOf } from '#outside/client-profile/openvpn.ts'
import { toText } from './openvpn.ts'

/** Files beside a profile: the authority of the servers, and the control key of the network. */
export interface ProfileFiles {
  readonly ca: string
  readonly control: string
}

/**
 * Renders a profile for OpenVPN; null while no server can be dialled. Name and token are asked for.
 * @param own further lines.
 */
export function renderOpenvpnClient(
  dial: Pick<DialDocument, 'ciphers' | 'servers'>,
  files: ProfileFiles,
  own: readonly string[] = [],
): string | null {
  if (remotesOf(dial).length === 0) return null
  return toText([
    ...clientLines(dial),
    'auth-user-pass',
    'auth-retry interact',
    `ca ${files.ca}`,
    `tls-crypt ${files.control}`,
    'script-security 1',
    ...own,
  ])
}
