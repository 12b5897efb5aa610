import type { UserInfo } from '#contract/account/user-info.ts'
import { type Features, checkFeatures } from '#domain/network/routing/routing.ts'

/** The account has the features that a setting needs; same rule as the server's. */
export const hasFeatures = (auth: UserInfo['auth'], needed: readonly (keyof Features)[]): boolean =>
  checkFeatures(
    {
      quagga: auth.quagga === 1,
      quaggaAdvanced: auth.quagga_advanced === 1,
      defaultRoute: auth.default_route === 1,
    },
    needed,
  ) === null
