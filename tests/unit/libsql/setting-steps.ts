import fc from 'fast-check'
import { editCenterLinkGateway, enableCenterLink, setCenterLink, editPointLink } from '#features/network/pair-links.ts'
import {
  disableQuagga,
  editPrefix,
  editRouting,
  enableQuagga,
  setDefaultRoute,
  setDns,
  setQuagga,
  setSoftwareMode,
} from '#features/network/routing/routing.ts'
import { editIpAddressPool, editCenterGateway, editFixedPorts } from '#features/network/addresses/addresses.ts'
import { restoreVersion } from '#features/network/history/restore.ts'
import { editStaticRoutes } from '#features/router/static-routes.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { run } from '#tests/support/libsql.ts'
import { ROUTERS, at, nameOf, router, selectNames, step, target } from './write-step.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

// Settings of networks and members, written by a customer.

const twinLink = step(
  networkApi.centerLink.path,
  fc.tuple(at, fc.nat(ROUTERS.hardware), fc.constantFrom(0, 1, 1), fc.nat(3)),
  async (fixture, [network, n, enable, third]) => {
    const segment = { gateway: `172.30.${third}.0`, mask: 30 }
    const ports = { public_ip: null, public_port: null, static_port: null }
    const center_router_name = await nameOf(fixture, n)
    return setCenterLink(fixture.ctx, {
      ...target(fixture, network),
      center_router_name,
      enable,
      ...segment,
      ...ports,
    })
  },
)
const twinSwitch = step(
  networkApi.enableCenterLink.path,
  fc.tuple(at, fc.constantFrom(0, 1)),
  (fixture, [network, enable]) => enableCenterLink(fixture.ctx, { ...target(fixture, network), enable }),
)
const twinSegment = step(networkApi.editCenterLinkGateway.path, fc.tuple(at, fc.nat(3)), (fixture, [network, third]) =>
  editCenterLinkGateway(fixture.ctx, {
    ...target(fixture, network),
    gateway: `172.30.${third}.0`,
    mask: 30,
  }),
)
const pairLinks = step(
  networkApi.editPointLink.path,
  fc.tuple(at, fc.nat(ROUTERS.hardware), fc.uniqueArray(fc.nat(ROUTERS.hardware), { maxLength: 2 }), fc.nat(9)),
  async (fixture, [network, n, peers, third]) => {
    const names = await selectNames(fixture)
    const link_config = peers.map((peer, i) => ({
      router_name: names[peer] ?? 'none',
      gateway: `172.29.${third}.${i * 4}`,
      mask: 30,
      static_port: null,
    }))
    return editPointLink(fixture.ctx, { ...target(fixture, network), router_name: names[n] ?? 'none', link_config })
  },
)
/** Links between members, which end with them. */
export const links = fc.oneof(twinLink, twinSwitch, twinSegment, pairLinks)
const dns = step(networkApi.dns.path, fc.tuple(at, fc.subarray(['10.0.0.53'])), (fixture, [network, list]) =>
  setDns(fixture.ctx, { ...target(fixture, network), dns: list }),
)
const prefix = step(networkApi.editPrefix.path, fc.tuple(at, fc.nat(2)), (fixture, [network, n]) => {
  const row = { mask: 16, name: '', permission: 'permit' as const, ge: null, le: 32 }
  const rows = Array.from({ length: n }, (_, i) => ({ ...row, ip: `10.${i}.0.1` }))
  return editPrefix(fixture.ctx, { ...target(fixture, network), prefix: rows })
})
const mainAndBackup = step(
  networkApi.editRouting.path,
  fc.tuple(at, fc.constantFrom(1, 2), router, router),
  async (fixture, values) => {
    const [network, type, main, secondary] = values
    const [main_router, secondary_router] = [await nameOf(fixture, main), await nameOf(fixture, secondary)]
    return editRouting(fixture.ctx, { ...target(fixture, network), type, main_router, secondary_router })
  },
)
const defaultRoute = step(
  networkApi.defaultRoute.path,
  fc.tuple(at, router, fc.constantFrom([0, null], [1, 30], [1, 60], [2, null]) as fc.Arbitrary<DefaultRoute>),
  async (fixture, [network, n, [model, metric]]) => {
    const router_name = await nameOf(fixture, n)
    return setDefaultRoute(fixture.ctx, { ...target(fixture, network), router_name, model, metric })
  },
)
type DefaultRoute = readonly [0 | 2, null] | readonly [1, 30 | 60]
const quagga = step(
  networkApi.quagga.path,
  fc.tuple(at, router, fc.constantFrom(0, 1)),
  async (fixture, [network, n, enable]) =>
    setQuagga(fixture.ctx, { ...target(fixture, network), router_name: await nameOf(fixture, n), enable }),
)
const quaggaOfAll = ({ path }: Endpoint, write: typeof enableQuagga) =>
  step(path, at, (fixture, network) => write(fixture.ctx, target(fixture, network)))
const softwareMode = step(
  networkApi.softwareMode.path,
  fc.tuple(at, router, fc.constantFrom(1, 2, 3)),
  async (fixture, values) => {
    const [network, n, mode] = values
    return setSoftwareMode(fixture.ctx, {
      ...target(fixture, network),
      router_name: await nameOf(fixture, n),
      mode,
    })
  },
)
export const passed = fc.oneof(
  dns,
  prefix,
  mainAndBackup,
  defaultRoute,
  quagga,
  quaggaOfAll(networkApi.quaggaEnable, enableQuagga),
  quaggaOfAll(networkApi.quaggaDisable, disableQuagga),
  softwareMode,
)
/** One of few ports and segments, so that they meet: null for the default. */
const fixedPort = fc.constantFrom(null, 4000, 4001, 20_004)
const segment = fc.constantFrom(
  null,
  { gateway: '10.50.0.0', mask: 24 },
  { gateway: '10.50.16.0', mask: 20 },
  { gateway: '100.64.32.0', mask: 20 },
)
const toPorts = (port: number | null) => ({ public_ip: null, public_port: port, static_port: port })
const ports = step(
  networkApi.fixedPort.path,
  fc.tuple(at, router, fixedPort, fixedPort),
  async (fixture, [network, n, hardware, software]) =>
    editFixedPorts(fixture.ctx, {
      ...target(fixture, network),
      router_name: await nameOf(fixture, n),
      router_service: toPorts(hardware),
      software_service: toPorts(software),
    }),
)
const gateway = step(
  networkApi.editCenterGateway.path,
  fc.tuple(at, router, segment, segment, fc.constantFrom(0, 1, 1)),
  async (fixture, [network, n, hardware, software, pack]) =>
    editCenterGateway(fixture.ctx, {
      ...target(fixture, network),
      router_name: await nameOf(fixture, n),
      router_network: hardware,
      software_network: software,
      pack,
    }),
)
const pool = step(
  networkApi.editIpAddressPool.path,
  fc.tuple(at, router, segment),
  async (fixture, [network, n, chosen]) => {
    const ends = { start: '10.50.16.100', end: '10.50.16.110' }
    const software = chosen?.mask === 20 && chosen.gateway.startsWith('10.') ? { ...chosen, ...ends } : null
    return editIpAddressPool(fixture.ctx, {
      ...target(fixture, network),
      mask: 20,
      pop: chosen,
      center_network: [{ router_name: await nameOf(fixture, n), software }],
      pack: 1,
    })
  },
)
/** Behind a LAN that its device has reported. */
const staticRoutes = step(
  routerApi.staticRoutes.path,
  fc.tuple(fc.nat(ROUTERS.hardware), fc.subarray([0, 1, 2])),
  async (fixture, values) => {
    const [n, thirds] = values
    const lan = { interface: 'lan', role: 'lan', ip: `192.168.${n}.1`, mask: 24 }
    await run(
      `insert into router_states (router_id, interfaces) select id, ?2 from routers where id = ?1
     on conflict (router_id) do update set interfaces = excluded.interfaces`,
      [fixture.routerIds[n] ?? 0, JSON.stringify([lan])],
    )
    const routes = thirds.map((third) => ({ prefix: `10.7.${third}.9`, mask: 24, via: `192.168.${n}.254` }))
    return editStaticRoutes(fixture.ctx, { router_name: await nameOf(fixture, n), routes })
  },
)
/** Restores one of the first versions. */
export const restore = step(networkApi.restore.path, fc.tuple(at, fc.integer({ min: 1, max: 8 })), (fixture, values) =>
  restoreVersion(fixture.ctx, { ...target(fixture, values[0]), version: values[1], pack: 1 }),
)
export const addresses = fc.oneof(ports, gateway, pool, staticRoutes)
