import type { DocumentAuthority, DocumentNetwork } from '#contract/device/document.ts'

/* Keys in a document: authority, own certificate, and of each network its control key and revocation list. */

export interface DeviceKeys {
  readonly authority: DocumentAuthority
  /** By number, of the networks whose tunnels the device runs. */
  readonly networks: ReadonlyMap<string, { readonly controlKey: string; readonly revoked: string }>
}

export const compileAuthorities = (keys: DeviceKeys | null) => keys && { authorities: [keys.authority] }

export function compileNetworkKeys(
  keys: DeviceKeys | null,
  number: string,
): Pick<DocumentNetwork, 'authority' | 'control_key' | 'revoked'> {
  const own = keys?.networks.get(number)
  return keys && own ? { authority: keys.authority.id, control_key: own.controlKey, revoked: own.revoked } : {}
}
