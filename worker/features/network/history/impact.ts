import type { Endpoint, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal } from '#contract/kernel/errors.ts'
import type { ImpactCall } from '#contract/network/changes.ts'
import type { Ctx } from '#http/context.ts'
import { editCenterLinkGateway, enableCenterLink, setCenterLink, editPointLink } from '../pair-links.ts'
import { editIpAddressPool, editCenterGateway, editFixedPorts } from '../addresses/addresses.ts'
import { setCiphers } from '../networks.ts'
import { editMemberOv } from '../pop/resource.ts'
import { restoreVersion } from './restore.ts'
import {
  disableQuagga,
  editPrefix,
  editRouting,
  enableQuagga,
  setDefaultRoute,
  setDns,
  setQuagga,
} from '../routing/routing.ts'
import { NO_IMPACT } from '../impact-view.ts'
import { previewStaticRoutes } from '../settings.ts'
import { networkApi } from '#contract/network/index.ts'
import { staticRoutesPreview } from '#contract/network/changes.ts'
import { routerApi } from '#contract/router/index.ts'
import { inputViolation } from '#http/errors.ts'

/* Preview of a settings call: a dry run that returns the routers and links affected. */

type DryRun = (ctx: Ctx, input: unknown) => Promise<unknown>

const dry =
  <E extends Endpoint>(spec: E, handle: (ctx: Ctx, input: Parsed<E>) => Promise<unknown>): DryRun =>
  (ctx, input) => {
    const parsed = spec.input.safeParse(input)
    if (!parsed.success) throw new Refusal(inputViolation(parsed.error.issues[0]))
    return handle(ctx, parsed.data as Parsed<E>)
  }

/** Calls with a preview. All write by saveSettings(), which stops a dry run before the write. */
const CALLS: Readonly<Record<ImpactCall, DryRun>> = {
  center_link: dry(networkApi.centerLink, setCenterLink),
  ciphers: dry(networkApi.ciphers, setCiphers),
  default_route: dry(networkApi.defaultRoute, setDefaultRoute),
  dns: dry(networkApi.dns, setDns),
  edit_center_gateway: dry(networkApi.editCenterGateway, editCenterGateway),
  edit_center_link_gateway: dry(networkApi.editCenterLinkGateway, editCenterLinkGateway),
  edit_ip_address_pool: dry(networkApi.editIpAddressPool, editIpAddressPool),
  edit_point_link: dry(networkApi.editPointLink, editPointLink),
  edit_prefix: dry(networkApi.editPrefix, editPrefix),
  edit_routing: dry(networkApi.editRouting, editRouting),
  enable_center_link: dry(networkApi.enableCenterLink, enableCenterLink),
  fixed_port: dry(networkApi.fixedPort, editFixedPorts),
  member_ov: dry(networkApi.memberOv, editMemberOv),
  quagga: dry(networkApi.quagga, setQuagga),
  quagga_disable: dry(networkApi.quaggaDisable, disableQuagga),
  quagga_enable: dry(networkApi.quaggaEnable, enableQuagga),
  restore: dry(networkApi.restore, restoreVersion),
  static_routes: dry({ ...routerApi.staticRoutes, input: staticRoutesPreview }, previewStaticRoutes),
}

export async function previewImpact(ctx: Ctx, { call, input }: Parsed<(typeof networkApi)['impact']>) {
  let impact = NO_IMPACT
  await CALLS[call]({ ...ctx, dryRun: (found) => (impact = found) }, input)
  return impact
}
