import { centerLinkEnds } from '../members/links.ts'
import type { NetworkView } from './rows.ts'

/** The other centre that the twin-centre link reaches; null without one. */
export function twinOf({ self, members, settings }: Pick<NetworkView, 'self' | 'members' | 'settings'>) {
  const ends = centerLinkEnds(settings.center_link, members)
  if (ends === null || self.memberType !== 'center') return null
  return self === ends.server ? ends.client : ends.server
}

/** True when this router is an end of a point link. */
export const hasPointLinks = ({ self, pointLinks = [] }: Pick<NetworkView, 'self' | 'pointLinks'>): boolean =>
  pointLinks.some(({ serverId, clientId }) => self.routerId === serverId || self.routerId === clientId)
