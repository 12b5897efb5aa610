import { accountApi } from '../../worker/contract/account.ts'
import { announcementsApi } from '../../worker/contract/announcements.ts'
import { countryApi } from '../../worker/contract/country.ts'
import type { Endpoint, Input, Output } from '../../worker/contract/endpoint.ts'
import { liveApi } from '../../worker/contract/live.ts'
import { networkApi } from '../../worker/contract/network.ts'
import { ramApi } from '../../worker/contract/ram.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { siteApi } from '../../worker/contract/site.ts'
import { verifyApi } from '../../worker/contract/verify.ts'

/** What a walk needs: a way to call, and to read what left the house. */
export interface Walker {
  call<E extends Endpoint>(spec: E, input: Input<E>, token?: string): Promise<Output<E>>
  /** The newest code sent to a phone or e-mail address. */
  code(kind: 'sms' | 'mail', to: string): Promise<string>
}

/**
 * A working day of a main account: one successful call, the most expensive there is, of every endpoint for members and
 * networks. `routers` are claimed, in no network, and the first is online.
 */
export async function walk(
  { call: ask, code }: Walker,
  token: string,
  routers: readonly [string, string, string],
): Promise<void> {
  const call = <E extends Endpoint>(spec: E, input: Input<E>) => ask(spec, input, token)
  await call(siteApi.config, {})
  await call(countryApi.lists, {})
  await call(accountApi.info, {})
  await call(accountApi.service, {})
  await call(ramApi.domain, {})
  const [announcement] = await call(announcementsApi.lists, {})
  if (announcement) await call(announcementsApi.info, { id: announcement.id })

  const [center, point, second] = routers
  await call(routerApi.lists, {})
  await call(routerApi.quantity, {})
  await call(routerApi.member, {})
  await call(routerApi.info, { router_name: center })
  await call(routerApi.traffic, { router_name: center })
  await call(routerApi.updateStatus, { router_name: center })
  await call(accountApi.editSign, { sign: 'trips01' })
  const phone = { area_code: '86', phone: '13911110001' }
  const member = { router_type: 2, password: 'secret1', ...phone } as const
  await call(routerApi.add, { ...member, username: 'zhang.san' })
  const target = { verify_type: 'app_change_phone', send_type: 'phone', send_value: `+86 ${phone.phone}` } as const
  await call(verifyApi.sendCode, target)
  const sent = await code('sms', target.send_value)
  await call(verifyApi.verify, { ...target, code: sent })
  await call(routerApi.add, { ...member, username: 'li.si', type: 2, code: sent })
  await call(accountApi.editSign, { sign: 'trips02' })
  const software = 'li.si@trips02'

  await call(networkApi.config, {})
  const plan = { network_name: '测量组网', center: [center], point: [point] }
  const { network_number } = await call(networkApi.create, plan)
  await call(routerApi.note, { router_name: center, note: '备注' })
  await call(routerApi.resend, { router_name: center })
  await call(networkApi.lists, {})
  await call(networkApi.select, {})
  const { revision } = await call(networkApi.info, { network_number })
  await call(networkApi.member, { network_number, member_type: 'center' })
  await call(networkApi.status, { network_number })
  const changed = { network_name: '改名', center: [center, second], point: ['zhang.san@trips02'] }
  await call(networkApi.edit, { ...changed, network_number, revision })
  await call(networkApi.name, { network_number, network_name: '测量组网二' })
  await call(networkApi.addMember, { network_number, router_name: software, member_type: 'point' })
  await call(networkApi.removeMember, { network_number, router_name: software })
  await call(networkApi.reSendConfig, { network_number })
  await call(liveApi.trafficTicket, { kind: 'network', network_number })
  await call(routerApi.delete, { router_name: second })
  await call(networkApi.delete, { network_number })
}
