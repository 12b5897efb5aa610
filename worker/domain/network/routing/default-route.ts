import type { MemberSettings } from '#contract/network/settings.ts'
import type { Features } from './features.ts'
import { DEFAULT_ROUTE_METRICS } from '#contract/network/limits.ts'

/** Metrics 30, 60, 90, 120, 150 are shown as priority 1 to 5 (network 2). */
export const priorityOf = (metric: number): number => DEFAULT_ROUTE_METRICS.findIndex((known) => known === metric) + 1

/** Features that a default route needs. */
export const DEFAULT_ROUTE_FEATURES: readonly (keyof Features)[] = ['quagga', 'defaultRoute']

/** The same of one member's; turning it off needs none. */
export const featuresOfDefaultRoute = ({ mode }: MemberSettings['default_route']): readonly (keyof Features)[] =>
  mode === 0 ? [] : DEFAULT_ROUTE_FEATURES
