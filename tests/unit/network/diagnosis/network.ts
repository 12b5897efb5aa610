import type { PrefixRow } from '#contract/network/fields.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { DocumentMember, NetworkRows } from '#domain/network/compile/rows.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { memberWithLan } from '../members.ts'

/** Two centres R1 and R2, two points R3 and R4, each with the LAN 10.n.0.0/24. */
export const TWIN: readonly DocumentMember[] = [
  memberWithLan(1, 'center'),
  memberWithLan(2, 'center'),
  memberWithLan(3, 'point'),
  memberWithLan(4, 'point'),
]

export const networkOf = (
  members: readonly DocumentMember[] = TWIN,
  settings: Partial<NetworkSettings> = {},
  over: Partial<NetworkRows> = {},
): NetworkRows => ({
  networkNumber: 'N1',
  ciphers: 'default',
  secret: '',
  settings: { ...DEFAULT_NETWORK_SETTINGS, ...settings },
  members,
  ...over,
})

export const prefixRow = (ip: string, mask: number, over: Partial<PrefixRow> = {}): PrefixRow => ({
  ip,
  mask,
  name: '',
  permission: 'permit',
  ge: null,
  le: 32,
  ...over,
})

export const withDefault = (mode: 0 | 1 | 2, metric: 30 | null = null): Pick<DocumentMember, 'settings'> => ({
  settings: { ...DEFAULT_MEMBER_SETTINGS, default_route: { mode, metric } },
})
