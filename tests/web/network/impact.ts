import type { NetworkImpact } from '#contract/network/changes.ts'

/** Impact of a change of settings; none unless overridden. */
export const createImpact = (over: Partial<NetworkImpact> = {}): NetworkImpact => ({
  routers: 0,
  offline: 0,
  offline_routers: [],
  links: { reconnects: 0, opens: 0, closes: 0 },
  software_centers: 0,
  moved_links: [],
  routes: { lost: 0, gained: 0, moved: 0 },
  routes_partial: 0,
  moved_routes: [],
  ...over,
})
