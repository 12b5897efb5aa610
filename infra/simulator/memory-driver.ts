import type { RouterDocument } from '#contract/device/document.ts'
import { canonicalJson } from '#domain/network/compile/compile.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import type { Driver } from '#infra/agent/drivers/driver.ts'

/** Keeps nothing but the document itself. */
export function memoryDriver(): Driver {
  let running: RouterDocument | null = null
  const byNumber = (document: RouterDocument | null) =>
    new Map(document?.networks.map((network) => [network.network_number, canonicalJson(network)]))
  return {
    name: 'memory',
    settings: DEVICE_SETTING_KEYS,
    validate: async () => null,
    async stage(document) {
      const [before, next] = [byNumber(running), byNumber(document)]
      const numbers = new Set([...before.keys(), ...next.keys()])
      return {
        changed: [...numbers].filter((number) => before.get(number) !== next.get(number)).toSorted(),
        apply: async () => {
          running = document
        },
      }
    },
  }
}
