import { type Violation, violation } from '#contract/kernel/result.ts'

/** Features of an account, as its flags say. */
export interface Features {
  readonly quagga: boolean
  readonly quaggaAdvanced: boolean
  readonly defaultRoute: boolean
}

/** As a refusal names them. */
const NAMES: Readonly<Record<keyof Features, string>> = {
  quagga: '动态路由',
  quaggaAdvanced: '网络号的高级设置',
  defaultRoute: '默认路由',
}

/** The first of the needed features that the account lacks. */
export function checkFeatures(features: Features, needed: readonly (keyof Features)[]): Violation | null {
  const missing = needed.find((feature) => !features[feature])
  return missing === undefined ? null : violation('FEATURE_NOT_ENABLED', { feature: NAMES[missing] })
}
