import { accountApi } from '../../worker/contract/account.ts'
import { announcementsApi } from '../../worker/contract/announcements.ts'
import { countryApi } from '../../worker/contract/country.ts'
import type { Endpoint, Input, Output } from '../../worker/contract/endpoint.ts'
import { liveApi } from '../../worker/contract/live.ts'
import { loginApi } from '../../worker/contract/login.ts'
import { networkApi } from '../../worker/contract/network.ts'
import { ramApi } from '../../worker/contract/ram.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { siteApi } from '../../worker/contract/site.ts'
import { verifyApi } from '../../worker/contract/verify.ts'

/** What a walk needs: a way to call, and to read the text of a captcha. */
export interface Walker {
  call<E extends Endpoint>(spec: E, input: Input<E>, token: string): Promise<Output<E>>
  captcha(uniqid: string): Promise<string>
}

/** A working day of a main account with two claimed, free routers: one successful call of the endpoints people use. */
export async function walk(
  walker: Walker,
  username: string,
  password: string,
  routers: readonly [string, string],
): Promise<void> {
  const anonymous = <E extends Endpoint>(spec: E, input: Input<E>) => walker.call(spec, input, '')
  await anonymous(siteApi.config, {})
  await anonymous(countryApi.lists, {})
  await anonymous(verifyApi.challenge, {})
  const { uniqid } = await anonymous(verifyApi.code, {})
  const code = await walker.captcha(uniqid)
  const { access_token: token } = await anonymous(loginApi.account, { username, password, code, uniqid })
  const call = <E extends Endpoint>(spec: E, input: Input<E>) => walker.call(spec, input, token)

  await call(accountApi.info, {})
  await call(accountApi.service, {})
  await call(ramApi.domain, {})
  const [announcement] = await call(announcementsApi.lists, {})
  if (announcement) await call(announcementsApi.info, { id: announcement.id })

  const [center, point] = routers
  await call(routerApi.lists, {})
  await call(routerApi.quantity, {})
  await call(routerApi.member, {})
  await call(routerApi.info, { router_name: center })
  await call(routerApi.traffic, { router_name: center })
  await call(routerApi.note, { router_name: center, note: '备注' })
  const software = await call(routerApi.add, { router_type: 2, username: 'bench.user', password: 'secret1' })

  await call(networkApi.config, {})
  const plan = { network_name: '测量组网', center: [center], point: [point] }
  const { network_number } = await call(networkApi.create, plan)
  await call(networkApi.lists, {})
  await call(networkApi.select, {})
  const { revision } = await call(networkApi.info, { network_number })
  await call(networkApi.member, { network_number, member_type: 'center' })
  await call(networkApi.status, { network_number })
  await call(networkApi.edit, { ...plan, network_number, revision })
  await call(networkApi.name, { network_number, network_name: '测量组网二' })
  await call(networkApi.addMember, { network_number, router_name: software.router_name, member_type: 'point' })
  await call(networkApi.removeMember, { network_number, router_name: software.router_name })
  await call(networkApi.reSendConfig, { network_number })
  await call(liveApi.trafficTicket, { kind: 'network', network_number })
  await call(networkApi.delete, { network_number })
  await call(routerApi.delete, { router_name: software.router_name })
  await call(loginApi.logout, {})
}
