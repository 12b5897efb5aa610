import type { AuthVendor } from '#contract/auth-source/vendor.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { LiveHubs } from './context.ts'

type Check = () => Promise<void>
type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

/** Hubs, files and the outside act at once and cannot be rolled back, so each call waits until the session has been checked. */
export const checkedHubs = (hubs: LiveHubs, check: Check): LiveHubs => ({
  router: (hub) => checked(hubs.router(hub), check),
  network: (hub) => checked(hubs.network(hub), check),
  account: (hub) => checked(hubs.account(hub), check),
  directory: (hub) => checked(hubs.directory(hub), check),
  connect: async (...args) => {
    await check()
    return hubs.connect(...args)
  },
})

export const checkedOutside = (outside: Outside, check: Check): Outside => ({
  sms: checked(outside.sms, check),
  mail: checked(outside.mail, check),
  webhook: checked(outside.webhook, check),
  domains: checked(outside.domains, check),
  authVendors: {
    wechat: checkedVendor(() => outside.authVendors.wechat, check),
    feishu: checkedVendor(() => outside.authVendors.feishu, check),
    dingtalk: checkedVendor(() => outside.authVendors.dingtalk, check),
  },
  sendNothing: async () => {
    await check()
    return outside.sendNothing()
  },
  gaps: async (...args) => {
    await check()
    return outside.gaps(...args)
  },
  captchaLog: async (...args) => {
    await check()
    return outside.captchaLog(...args)
  },
})

/** `authorizeUrl` calls nobody. */
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

/** The same object, whose methods all wait for the check: hashing and R2 are no part of the database's transaction. */
export const checked = <T extends object>(target: T, check: Check): T =>
  new Proxy(target, {
    get:
      (_, method) =>
      async (...args: unknown[]) => {
        await check()
        return (target as unknown as Methods)[String(method)]?.(...args)
      },
  })
