import type { Parsed, Output } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { checkDevices, settingsOfCiphers } from '#domain/network/compile/device-settings.ts'
import { checkName } from '#domain/network/name.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { saveSettings } from './save-setting.ts'
import { readMissingSettings } from './service.ts'
import { selectClientsLacking } from './sql/members.ts'
import type { networkApi } from '#contract/network/index.ts'
import { hardwareOf } from '#domain/network/members/affected.ts'
import { loadSettings } from './load-settings.ts'

type Api = typeof networkApi

export const renameNetwork = (ctx: Ctx, { network_number, network_name }: Parsed<Api['name']>): Promise<void> =>
  saveSettings(ctx, network_number, ({ network }) => {
    throwIf(checkName(network_name, { name: network.name, isPop: network.frId !== null }))
    return {
      columns: { name: network_name },
      audit: {
        action: 'name',
        message: `组网“${network.name}”改名为“${network_name}”`,
        before: { network_name: network.name },
        after: { network_name },
      },
      isAllowedSuspended: true,
    }
  })

/** A column of the network, whose revision counts. */
export function setCiphers(ctx: Ctx, { network_number, ncp_ciphers, revision }: Parsed<Api['ciphers']>): Promise<void> {
  const needs = settingsOfCiphers(ncp_ciphers)
  return saveSettings(
    ctx,
    network_number,
    ({ network }, { clients }) => {
      throwIf(checkRevision(revision, network.revision))
      if (ncp_ciphers !== network.ciphers) throwIf(checkDevices(needs, clients))
      return {
        columns: { ciphers: ncp_ciphers },
        audit: {
          action: 'ciphers',
          message: `组网“${network.name}”的加密算法改为“${CIPHERS_NAME[ncp_ciphers]}”`,
          before: { ncp_ciphers: network.ciphers },
          after: { ncp_ciphers },
        },
      }
    },
    () => ({ clients: selectClientsLacking(ctx.db, requireSession(ctx), network_number, needs) }),
  )
}

/** Members that could not follow: hardware as the account's hub knows it, none where that does not answer, then software. */
export async function listUnsupported(
  ctx: Ctx,
  { network_number, ncp_ciphers }: Parsed<Api['unsupported']>,
): Promise<Output<Api['unsupported']>> {
  const needs = settingsOfCiphers(ncp_ciphers)
  const clients = selectClientsLacking(ctx.db, requireSession(ctx), network_number, needs)
  const { members, accountHub, more } = await loadSettings(ctx, network_number, { clients })
  if (needs.length === 0) return []
  const devices = hardwareOf(members)
  const hubs = devices.map(({ hub }) => hub)
  const missing = (await readMissingSettings(ctx, accountHub, hubs)) ?? {}
  const lacking = devices.filter(({ hub }) => needs.some((key) => missing[hub]?.includes(key)))
  return [...lacking, ...more.clients].map(({ routerName, note }) => ({ router_name: routerName, note }))
}
