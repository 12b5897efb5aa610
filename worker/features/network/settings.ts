import type { Parsed } from '../../contract/endpoint.ts'
import { refuse, throwIf } from '../../contract/errors.ts'
import { CIPHERS_NAME, type networkApi } from '../../contract/network.ts'
import { auditRow } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { detectConflict, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { hardwareOf } from '../../domain/network/affected.ts'
import { type DeviceSettingKey, checkDevices, settingsOfCiphers } from '../../domain/network/device-settings.ts'
import { isSuspended } from '../../domain/network/membership.ts'
import type { Ctx } from '../../http/context.ts'
import { bumpRevision } from './change.ts'
import type { NetworkColumns } from './queries-write.ts'
import { requireNetworkWithMembers } from './require.ts'
import { findUnsupported } from './unsupported.ts'

type Api = typeof networkApi

/** Handlers of the calls that set columns of one network, by their key in the contract. */
export const settings = {
  name: (ctx: Ctx, { network_number, network_name }: Parsed<Api['name']>) =>
    editSetting(ctx, network_number, {
      action: 'name',
      set: { name: network_name },
      wire: { network_name: 'name' },
      message: ({ name }) => `组网“${name}”改名为“${network_name}”`,
      isInDocuments: false, // devices identify a network by its number
    }),

  ciphers: (ctx: Ctx, { network_number, ncp_ciphers }: Parsed<Api['ciphers']>) =>
    editSetting(ctx, network_number, {
      needs: settingsOfCiphers(ncp_ciphers),
      action: 'ciphers',
      set: { ciphers: ncp_ciphers },
      wire: { ncp_ciphers: 'ciphers' },
      message: ({ name }) => `组网“${name}”的加密算法改为“${CIPHERS_NAME[ncp_ciphers]}”`,
      isInDocuments: true,
    }),
}

interface Setting<C extends keyof NetworkColumns> {
  /** Second segment of the call. */
  readonly action: string
  readonly set: Pick<NetworkColumns, C>
  /** Columns by wire name, as the audit row shows them. */
  readonly wire: Readonly<Record<string, C>>
  readonly message: (network: { readonly name: string }) => string
  /** Capabilities that devices need for it: it is refused where a member is known to lack one. */
  readonly needs?: readonly DeviceSettingKey[]
  /** A setting that hardware members carry: all of them are refreshed, and a suspended network refuses it. */
  readonly isInDocuments: boolean
}

/** Values that a network has already are neither written, audited nor pushed. */
function editSetting<C extends 'name' | 'ciphers'>(ctx: Ctx, number: string, setting: Setting<C>): Promise<void> {
  const { action, set, wire, message, isInDocuments, needs = [] } = setting
  return retryOnConflict(async () => {
    const { network, members, accountHub } = await requireNetworkWithMembers(ctx, number)
    if (isInDocuments && isSuspended(network)) refuse('NETWORK_SUSPENDED')
    const fields = Object.entries(wire).filter(([, column]) => set[column] !== network[column])
    if (fields.length === 0) return
    throwIf(checkDevices(needs, await findUnsupported(ctx, accountHub, members, needs)))
    const toWire = (row: NetworkColumns) => Object.fromEntries(fields.map(([field, column]) => [field, row[column]]))
    const moved = isInDocuments ? hardwareOf(members).map(({ hub }) => hub) : []
    const write = batch(ctx.db, {
      ...bumpRevision(ctx, network, set),
      audit: auditRow(ctx, {
        module: 'network',
        action,
        target: network.number,
        message: message(network),
        before: toWire(network),
        after: toWire(set),
      }),
      hubs: notifyHubs(ctx, [...refreshTasks('network', [network.hub]), ...refreshTasks('router', moved)]),
    })
    await detectConflict(write)
  })
}
