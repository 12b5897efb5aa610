import type { DiagnosisKind } from '#contract/network/diagnosis.ts'
import { isUnicast } from '#contract/kernel/ipv4.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { isInside } from '../addresses/segments.ts'
import type { DocumentMember, NetworkRows } from '../compile/rows.ts'
import { declaredLans } from '../compile/server-segments.ts'
import { diagnosisSegments } from './addresses.ts'

/* Addresses that a diagnosis may have: the first gate, by the rows of the network. */

interface AskedDiagnosis {
  readonly kind: DiagnosisKind
  /** LAN address that the packet comes from; '' for the router itself. */
  readonly source: string
  readonly destination: string
}

/** Refuses a destination outside the network, and a source that is not in the member's own LANs. */
export function checkDiagnosis(
  network: NetworkRows,
  networkName: string,
  self: DocumentMember,
  { kind, source, destination }: AskedDiagnosis,
): Violation | null {
  const isAt = (address: string) => (segment: string) => isInside(`${address}/32`, segment)
  const isKnown = diagnosisSegments(network, kind === 'path').some(isAt(destination))
  if (!isKnown && !(kind === 'path' && usesInternet(self) && isPublic(destination)))
    return violation('DIAGNOSIS_DESTINATION', { network: networkName })
  if (source !== '' && !declaredLans(self).some(isAt(source))) return violation('DIAGNOSIS_SOURCE')
  return null
}

/** True for a member that takes or gives a default route. Only its routing is asked: nothing is sent to the internet. */
const usesInternet = ({ settings }: DocumentMember): boolean => settings.default_route.mode !== 0

/** Segments that are not in the internet: private ones, of carriers, link-local, and 192.0.0.0/24. */
const NOT_PUBLIC = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16', '192.0.0.0/24']

export const isPublic = (address: string): boolean =>
  isUnicast(address) && !NOT_PUBLIC.some((segment) => isInside(`${address}/32`, segment))
