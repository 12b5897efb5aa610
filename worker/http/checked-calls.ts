import type { AuthVendor } from '#contract/auth-source/vendor.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { LiveHubs } from './context.ts'

/* Ports of hubs, files and the outside whose calls wait until the session has been checked. */

type Check = () => Promise<void>
type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

/** Hubs whose calls wait for the check: such a call acts at once and cannot be rolled back. */
export const checkedHubs = (hubs: LiveHubs, check: Check): LiveHubs => ({
  router: (hub) => checked(hubs.router(hub), check),
  network: (hub) => checked(hubs.network(hub), check),
  account: (hub) => checked(hubs.account(hub), check),
  directory: (hub) => checked(hubs.directory(hub), check),
  connect: checked(hubs, check).connect,
})

export function checkedOutside(outside: Outside, check: Check): Outside {
  const { sendNothing, gaps, captchaLog } = checked(outside, check)
  return {
    sms: checked(outside.sms, check),
    mail: checked(outside.mail, check),
    webhook: checked(outside.webhook, check),
    domains: checked(outside.domains, check),
    authVendors: {
      wechat: checkedVendor(() => outside.authVendors.wechat, check),
      feishu: checkedVendor(() => outside.authVendors.feishu, check),
      dingtalk: checkedVendor(() => outside.authVendors.dingtalk, check),
    },
    sendNothing,
    gaps,
    captchaLog,
  }
}

/** `authorizeUrl` makes no call and does not wait. */
const checkedVendor = (vendor: () => AuthVendor, check: Check): AuthVendor => ({
  probe: async (credentials) => {
    await check()
    return vendor().probe(credentials)
  },
  authorizeUrl: (credentials, request) => vendor().authorizeUrl(credentials, request),
  identify: async (...args) => {
    await check()
    return vendor().identify(...args)
  },
})

/** The object with methods that all wait for the check. Hashing and R2 are not part of the transaction of the database. */
export const checked = <T extends object>(target: T, check: Check): T =>
  new Proxy(target, {
    get:
      (_, method) =>
      async (...args: unknown[]) => {
        await check()
        return (target as unknown as Methods)[String(method)]?.(...args)
      },
  })
