import type { MemberOption } from '#pages/network/plan/picker/member-plan.ts'

/** A candidate that is online, in no network, and reports nothing. */
export const option = (router_name: string, over: Partial<MemberOption> = {}): MemberOption => ({
  router_name,
  note: '',
  routerType: 1,
  presence: { state: 'online', since: null, last_seen: null, reason: '' },
  networks: [],
  lan: [],
  wan: [],
  ...over,
})

export const inNetwork = (network_number: string, segment_index: number | null = null) => ({
  network_number,
  network_name: `组网${network_number}`,
  segment_index,
})

export const toKnown = (...options: readonly MemberOption[]): ReadonlyMap<string, MemberOption> =>
  new Map(options.map((one) => [one.router_name, one]))
