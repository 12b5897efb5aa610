import { compareText } from '#contract/kernel/compare.ts'
import type { DocumentAuthority, DocumentNetwork } from '#contract/device/document.ts'

/* Keys in a document: authorities with own certificates, and of each network its control key and revocation list. */

export interface DeviceKeys {
  /** Of each account with networks on the device: of its own, or of the customers of a node. */
  readonly authorities: readonly DocumentAuthority[]
  /** By number, of the networks whose tunnels the device runs; `authority` is an id. */
  readonly networks: ReadonlyMap<
    string,
    { readonly authority: string; readonly controlKey: string; readonly revoked: string }
  >
}

export const compileAuthorities = (keys: DeviceKeys | null) =>
  keys && { authorities: keys.authorities.toSorted((a, b) => compareText(a.id, b.id)) }

export function compileNetworkKeys(
  keys: DeviceKeys | null,
  number: string,
): Pick<DocumentNetwork, 'authority' | 'control_key' | 'revoked'> {
  const own = keys?.networks.get(number)
  return own ? { authority: own.authority, control_key: own.controlKey, revoked: own.revoked } : {}
}
