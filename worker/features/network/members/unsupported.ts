import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { hardwareOf } from '#domain/network/members/affected.ts'
import { settingsOfCiphers } from '#domain/network/compile/device-settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { readMissingSettings } from '../service.ts'
import { loadSettings } from '../load-settings.ts'
import { selectClientsLacking } from '../sql/capabilities.ts'
import type { networkApi } from '#contract/network/index.ts'

type Api = typeof networkApi

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
