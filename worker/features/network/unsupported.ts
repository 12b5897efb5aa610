import type { Output, Parsed } from '../../contract/endpoint.ts'
import type { HubName } from '../../contract/hubs.ts'
import type { networkApi } from '../../contract/network.ts'
import { hardwareOf } from '../../domain/network/affected.ts'
import { type DeviceSettingKey, settingsOfCiphers } from '../../domain/network/device-settings.ts'
import type { StoredMember } from '../../domain/network/membership.ts'
import type { Ctx } from '../../http/context.ts'
import { readMissingSettings } from '../../http/health.ts'
import { requireNetworkWithMembers } from './require.ts'

type Api = typeof networkApi

/** Hardware that lacks one of these capabilities, as the account's hub knows it: where that does not answer, none. */
export async function findUnsupported(
  ctx: Ctx,
  accountHub: HubName,
  members: readonly StoredMember[],
  needs: readonly DeviceSettingKey[],
): Promise<readonly StoredMember[]> {
  if (needs.length === 0) return []
  const devices = hardwareOf(members)
  const hubs = devices.map(({ hub }) => hub)
  const missing = (await readMissingSettings(ctx, accountHub, hubs)) ?? {}
  return devices.filter(({ hub }) => needs.some((key) => missing[hub]?.includes(key)))
}

export async function listUnsupported(
  ctx: Ctx,
  input: Parsed<Api['unsupported']>,
): Promise<Output<Api['unsupported']>> {
  const { members, accountHub } = await requireNetworkWithMembers(ctx, input.network_number)
  const found = await findUnsupported(ctx, accountHub, members, settingsOfCiphers(input.ncp_ciphers))
  return found.map(({ routerName, note }) => ({ router_name: routerName, note }))
}
