import { expect, it } from 'vitest'
import * as z from 'zod'
import { networkApi } from '#contract/network/index.ts'
import { FIELDS } from '#tests/support/spec/fields.ts'

/** Paths of all properties in a schema: `member.ov_id.main`. */
function pathsIn(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, unknown>
    items?: unknown
    anyOf?: unknown[]
  }
  const own = Object.entries(properties).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`
    return [path, ...pathsIn(inner, path)]
  })
  return [...own, ...pathsIn(items, at), ...anyOf.flatMap((one) => pathsIn(one, at))]
}

const carried = new Set(pathsIn(z.toJSONSchema(networkApi.info.output, { io: 'output', unrepresentable: 'any' })))
const names = (entity: string) =>
  FIELDS.filter(([section, of]) => section === 'network 3' && of === entity).flatMap(([, , , list]) => list.split(' '))

/** Object that holds each nested field of network 3. */
const WITHIN: Readonly<Record<string, string>> = {
  network_router_use: 'network_config',
  network_router_count: 'network_config',
  network_level: 'network_config',
  network_center_count: 'network_config',
  dns_quantity: 'network_config',
  network_fr_id: 'network_fr',
  shortname: 'network_fr',
  gateway: 'network_center_link_network',
  mask: 'network_center_link_network',
  public_ip: 'network_center_link_network',
  public_port: 'network_center_link_network',
  static_port: 'network_center_link_network',
  center_router_name: 'network_center_link_network',
}
const MEMBER_WITHIN: Readonly<Record<string, string>> = {
  main: 'ov_id',
  backup: 'ov_id',
  main_name: 'ov_id',
  backup_name: 'ov_id',
  priority: 'ov_id',
  router_service: 'fixed_port',
  software_service: 'fixed_port',
  router: 'gateway',
  software: 'gateway',
  mask: 'gateway.router',
}
const place = (name: string, within: Readonly<Record<string, string>>) => [within[name], name].filter(Boolean).join('.')

it.each([
  ['network', names('network').map((name) => place(name, WITHIN))],
  ['member', names('member').map((name) => `member.${place(name, MEMBER_WITHIN)}`)],
  ['link', names('link').map((name) => `link.${name}`)],
])('network 3 · network/info carries every field of a %s under its name', (_, paths) => {
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !carried.has(path))).toEqual([])
})
