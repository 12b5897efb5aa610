import { expect, it } from 'vitest'
import { sessionJobs } from '#infra/agent/session-jobs.ts'
import { linkId } from '#domain/network/members/links.ts'
import { KEY, type TestLink, network, routerDocument } from './support/documents.ts'

const NUMBER = '1000000000'
const link = (peer: string, role: 'server' | 'client'): TestLink => ({
  id: role === 'server' ? linkId(NUMBER, peer, 'NL-P') : linkId(NUMBER, 'NL-P', peer),
  peer,
  role,
  endpoint: null,
  key: KEY,
})
const document = routerDocument(network(NUMBER, [link('a', 'server'), link('b', 'server'), link('c', 'client')]))

/** @param dialling software members with open sessions. */
function open({ applied = document, dialling = [] }: { applied?: typeof document; dialling?: readonly string[] } = {}) {
  const restarted: string[][] = []
  const jobs = sessionJobs({
    links: { restart: (_, ids) => void restarted.push([...ids]) },
    owner: 'NL-P',
    applied: () => applied,
    endDials: (number, name) => number === NUMBER && dialling.includes(name),
  })
  return { jobs, restarted }
}

it('kill_user ends the session of one member that dials the device', async () => {
  const { jobs, restarted } = open()
  await jobs.kill_user({ network_number: NUMBER, name: 'a' })
  expect(restarted).toEqual([[linkId(NUMBER, 'a', 'NL-P')]])
})

it('kill_user says so where the member has no session, which is no failure: it may dial another device', async () => {
  const { jobs, restarted } = open({ dialling: ['li.na@qiming'] })
  expect(await jobs.kill_user({ network_number: NUMBER, name: 'c' })).toBe('该成员当前没有连接')
  expect(await jobs.kill_user({ network_number: NUMBER, name: 'a' })).toBeUndefined()
  expect(restarted.splice(0)).toHaveLength(1)
  expect(await jobs.kill_user({ network_number: NUMBER, name: 'li.na@qiming' })).toBeUndefined()
  await expect(jobs.kill_user({ network_number: '2', name: 'a' })).rejects.toThrow('设备上没有该组网')
  expect(restarted).toEqual([])
})

it('reset_respawn restarts all links of the network', async () => {
  const { jobs, restarted } = open()
  await jobs.reset_respawn({ network_number: NUMBER })
  expect(restarted[0]).toHaveLength(3)
  await expect(jobs.reset_respawn({})).rejects.toThrow('network_number')
})
