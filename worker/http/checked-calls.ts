import type { AuthVendor } from '#contract/auth-source/vendor.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { Passwords } from '#contract/kernel/passwords.ts'
import type { FileBucket, LiveHubs } from './context.ts'

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

/** A hash is not to be had with a session that has ended. */
export const checkedPasswords = (passwords: Passwords, check: Check): Passwords => checked(passwords, check)

/** R2 is no part of a transaction either: nothing is put, read or deleted before the check. */
export const checkedFiles = (files: FileBucket, check: Check): FileBucket => checked(files, check)

/** The same object, whose methods all wait for the check. */
const checked = <T extends object>(target: T, check: Check): T =>
  new Proxy(target, {
    get:
      (_, method) =>
      async (...args: unknown[]) => {
        await check()
        return (target as unknown as Methods)[String(method)]?.(...args)
      },
  })
