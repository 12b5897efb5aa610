import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { expect, it } from 'vitest'
import * as network from '#pages/network/api.ts'
import * as router from '#pages/router/api.ts'
import { adoptSession } from '#lib/session/session.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi } from '../lib/fake-api.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

const QUIET = { quiet: true } as const
const READS = {
  'network/config': {},
  'network/info': {},
  'network/lists': {},
  'network/select': {},
  'router/info': {},
  'router/lists': {},
  'router/member': {},
  'router/quantity': {},
}
type Read = keyof typeof READS

/** All reads of the two nouns, as if every page were open. */
function Reader() {
  useQuery(networkApi.lists, { page: 1 }, QUIET)
  useQuery(networkApi.info, { network_number: 'N1' }, QUIET)
  useQuery(networkApi.config, {}, QUIET)
  useQuery(networkApi.select, {}, QUIET)
  useQuery(routerApi.lists, { page: 1, type: ROUTER_TYPE.hardware }, QUIET)
  useQuery(routerApi.info, { router_name: 'r1' }, QUIET)
  useQuery(routerApi.member, {}, QUIET)
  useQuery(routerApi.quantity, {}, QUIET)
  return null
}

const named = { network_number: 'N1' }
const member = { ...named, router_name: 'r1' }
const MEMBERSHIP: readonly Read[] = [
  'network/config',
  'network/info',
  'network/lists',
  'router/info',
  'router/lists',
  'router/member',
]

it.each<[string, () => () => Promise<unknown>, readonly Read[]]>([
  [
    'a rename',
    () => {
      const { trigger } = network.useRenameNetwork()
      return () => trigger({ ...named, network_name: 'x' })
    },
    ['network/info', 'network/lists', 'network/select', 'router/info', 'router/lists', 'router/member'],
  ],
  [
    'a change of members and name',
    () => {
      const { trigger } = network.useEditNetwork()
      return () => trigger({ network_number: 'N1', network_name: 'x', center: ['r1'], point: [] })
    },
    [
      'network/config',
      'network/info',
      'network/lists',
      'network/select',
      'router/info',
      'router/lists',
      'router/member',
    ],
  ],
  [
    'a removed member',
    () => {
      const { trigger } = network.useRemoveMember()
      return () => trigger(member)
    },
    MEMBERSHIP,
  ],
  [
    'a deleted network, but not the network itself',
    () => {
      const { trigger } = network.useDeleteNetwork()
      return () => trigger(named)
    },
    ['network/config', 'network/lists', 'network/select', 'router/info', 'router/lists', 'router/member'],
  ],
  [
    'a deleted router, but not the router itself',
    () => {
      const { trigger } = router.useDeleteRouter()
      return () => trigger({ router_name: 'r1' })
    },
    ['network/config', 'network/info', 'network/lists', 'router/lists', 'router/member', 'router/quantity'],
  ],
  [
    'a note',
    () => {
      const { trigger } = useCommand(routerApi.note)
      return () => trigger({ router_name: 'r1', note: 'x' })
    },
    ['network/info', 'router/info', 'router/lists', 'router/member'],
  ],
])('%s reads again all that shows it', async (_, useTrigger, expected) => {
  adoptSession(createSession())
  const api = fakeApi({ ...READS })
  const cache = new Map()
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <SWRConfig value={{ provider: () => cache, dedupingInterval: 0 }}>
      <Reader />
      {children}
    </SWRConfig>
  )
  const { result } = renderHook(useTrigger, { wrapper })
  await waitFor(() => expect(api.calls).toHaveLength(Object.keys(READS).length))
  const command = ['network/name', 'network/edit', 'network/remove_member', 'network/delete']
  for (const path of [...command, 'router/delete', 'router/note']) api.set(path, {})
  api.calls.length = 0
  await result.current()
  await waitFor(() => expect(api.calls).toHaveLength(1 + expected.length))
  expect(api.paths().slice(1).toSorted()).toEqual(expected)
})
