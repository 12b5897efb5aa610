import type { DocumentNetwork } from '#contract/device/document.ts'
import type { NetworkView } from './rows.ts'
import { memberAddress, serviceSegments } from './service-segments.ts'

/** Addresses that the router holds: its own segment when a centre, one a centre when a point. */
export function compileAddresses({
  self,
  centers,
}: NetworkView): Pick<DocumentNetwork, 'addresses' | 'software_segment'> {
  const own = centers.filter((center) => self.memberType === 'point' || center === self)
  return {
    addresses: own.map((center) => {
      const { router } = serviceSegments(center)
      return { center: center.routerName, segment: router, ip: memberAddress(router, self, center) }
    }),
    software_segment: self.memberType === 'center' ? serviceSegments(self).software : null,
  }
}
