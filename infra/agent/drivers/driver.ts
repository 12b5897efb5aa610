import type { RouterDocument } from '#contract/device/document.ts'
import type { DeviceSettingKey } from '#domain/network/compile/device-settings.ts'
import type { Failure } from '../config/config-machine.ts'

/* Interface of a driver, which puts documents on a device; independent of hubs, versions and trials. */

/** Network that a device has left as it was. */
export interface Refusal {
  readonly network_number: string
  /** Chinese sentence for the console, of 200 characters at most. */
  readonly reason: string
}

interface Staged {
  /** Networks that differ from the running ones; empty: apply is a no-op. */
  readonly changed: readonly string[]
  /** Atomic: throws with the previous document still running. A node answers the networks that it has refused. */
  apply(): Promise<{ readonly refused: readonly Refusal[] } | void>
}

export interface Driver {
  readonly name: string
  /** Settings beyond the base set that the driver carries; a document with another one is refused before. */
  readonly settings: readonly DeviceSettingKey[]
  /** Capabilities of the device by this driver, as `vpn`. Absent: none. */
  readonly capabilities?: readonly string[]
  /** Checks that the device can carry a sound document (check-document.ts); touches nothing that runs. */
  validate(document: RouterDocument): Promise<Failure | null>
  /** Stages a document; null takes every network off the device. Also deletes leftovers of interrupted stages. */
  stage(document: RouterDocument | null): Promise<Staged>
}
