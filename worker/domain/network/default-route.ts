import { DEFAULT_ROUTE_METRICS } from '../../contract/limits.ts'
import type { MemberSettings } from '../../contract/network-settings.ts'
import type { Features } from './features.ts'

/** Metrics 30, 60, 90, 120, 150 are shown as priority 1 to 5 (network 2). */
export const priorityOf = (metric: number): number => DEFAULT_ROUTE_METRICS.findIndex((known) => known === metric) + 1

/** Features that a member's default route needs; turning it off needs none. */
export const featuresOfDefaultRoute = ({ mode }: MemberSettings['default_route']): readonly (keyof Features)[] =>
  mode === 0 ? [] : ['quagga', 'defaultRoute']
