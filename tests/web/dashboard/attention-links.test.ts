import { expect, it } from 'vitest'
import { ATTENTION_KINDS, type AttentionRow } from '#contract/kernel/health.ts'
import type { Grants } from '#contract/kernel/permissions.ts'
import { objectPath, toLinkState, toVerb } from '#pages/dashboard/cards/attention-links.ts'
import { createAttentionRow } from './overview-fixture.ts'

const MAIN: Grants = { kind: 'main', flags: [], networks: null }
const row = createAttentionRow

it.each<[AttentionRow, string]>([
  [row('network_down', 'a', { type: 'network', network_number: 'N1' }), '/network/detail?network_number=N1'],
  [row('member_offline', 'a', { type: 'router', router_name: 'R1' }), '/router/detail?router_name=R1'],
  [
    row('link_down', 'a', { type: 'link', network_number: 'N1', router_name: 'R1', center_router_name: 'C1' }),
    '/network/detail?network_number=N1&member=R1',
  ],
  [row('fleet_offline', 'a', { type: 'members' }), '/router/lists?type=1&state=offline'],
  [row('service_ending', 'a', { type: 'service' }), '/account/service'],
  [row('quota_full', 'a', { type: 'quota' }), '/account/service'],
  [row('saas_ending', 'a', { type: 'saas', router_name: 'R1' }), '/saas/detail?router_name=R1'],
  [row('directory_failed', 'a', { type: 'directory' }), '/router/ldap'],
  [row('delivery_failed', 'a', { type: 'deliveries' }), '/monitor/setting?tab=deliveries'],
  [row('contact_expired', 'a', { type: 'contacts' }), '/account/contacts'],
  [row('ticket_answered', 'a', { type: 'ticket', ticket_number: 'T1' }), '/ticket/detail?ticket_number=T1'],
])('%# leads to the page of its object', (attention, path) => {
  expect(objectPath(attention)).toBe(path)
})

const overlap = row('overlap', 'a ↔ b', { type: 'network', network_number: 'N1' })
const role = (over: Partial<Grants>): Grants => ({ kind: 'ram', flags: [], networks: null, ...over })

it.each<[string, Grants, string]>([
  ['the main account', MAIN, '调整 /network/edit?network_number=N1'],
  ['a role that edits it', role({ flags: ['network:edit'], networks: ['N1'] }), '调整 /network/edit?network_number=N1'],
  [
    'a role that edits others',
    role({ flags: ['network:edit'], networks: ['N2'] }),
    '查看 /network/detail?network_number=N1',
  ],
  ['a role that edits none', role({}), '查看 /network/detail?network_number=N1'],
])('an overlap of segments is adjusted by whoever may: %s', (_, grants, verb) => {
  const { label, to } = toVerb(overlap, grants)
  expect(`${label} ${to}`).toBe(verb)
})

it.each([
  ['组网席位', 'seats'],
  ['软件成员', 'software'],
  ['子账号', 'ram'],
])('a quota of %s that is full leads to the request for more', (name, request) => {
  expect(toVerb(row('quota_full', name, { type: 'quota' }), MAIN).to).toBe(`/ticket/create?request=${request}`)
})

it('every row has one verb, and leads somewhere', () => {
  const verbs = ATTENTION_KINDS.map((kind) => toVerb(row(kind, 'a', { type: 'network', network_number: 'N1' }), MAIN))
  expect(new Set(verbs.map(({ label }) => label))).toEqual(new Set(['查看', '调整', '续费', '续期', '联系服务商']))
  expect(verbs.every(({ to }) => to.startsWith('/'))).toBe(true)
})

it.each<[string, AttentionRow, string | null]>([
  ['a member', row('member_offline', '门店', { type: 'router', router_name: 'R1' }), '门店'],
  ['a SaaS device', row('saas_ending', '洛杉矶', { type: 'saas', router_name: 'R1' }), '洛杉矶'],
  ['a network', row('network_down', '华东', { type: 'network', network_number: 'N1' }), '华东'],
  ['centres that are lost together', row('center_offline', '甲、乙', { type: 'router', router_name: 'R1' }), null],
  ['a POP node, by its network', row('pop_offline', 'POP节点', { type: 'network', network_number: 'N1' }), null],
  ['a link, by its network', row('link_down', '门店', { type: 'link', network_number: 'N1', router_name: 'R1' }), null],
])('the page of %s has its name at once', (_, attention, name) => {
  expect(toLinkState(attention)?.linkedName ?? null).toBe(name)
})
