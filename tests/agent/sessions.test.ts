import { expect, it } from 'vitest'
import { JOB } from '#contract/network/limits.ts'
import { toDataText } from '#domain/network/members/job-data.ts'
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
    links: {
      disconnect: async (_, ids) => {
        restarted.push([...ids])
        return ids.filter((id) => id !== linkId(NUMBER, 'b', 'NL-P')) // b is not connected
      },
      restart: async (_, ids) => {
        restarted.push([...ids])
        return ids.slice(1)
      },
    },
    owner: 'NL-P',
    applied: () => applied,
    endDials: (number, name) => (number === NUMBER ? dialling.filter((each) => each === name).length : 0),
  })
  return { jobs, restarted }
}

it('kill_user ends the session of one member that dials the device', async () => {
  const { jobs, restarted } = open()
  expect(await jobs.kill_user({ network_number: NUMBER, name: 'a' })).toEqual({ data: { sessions: 1 } })
  expect(restarted).toEqual([[linkId(NUMBER, 'a', 'NL-P')]])
})

it('kill_user says so where the member has no session, which is no failure: it may dial another device', async () => {
  const { jobs, restarted } = open({ dialling: ['li.na@qiming', 'li.na@qiming'] })
  const kill = (name: string) => jobs.kill_user({ network_number: NUMBER, name })
  const none = { data: { sessions: 0 }, reason: '该成员当前没有连接' }
  expect([await kill('c'), await kill('b')]).toEqual([none, none])
  expect(await kill('li.na@qiming')).toEqual({ data: { sessions: 2 } })
  expect(restarted.splice(0).flat()).toEqual([linkId(NUMBER, 'b', 'NL-P')])
  await expect(jobs.kill_user({ network_number: '2', name: 'a' })).rejects.toThrow('设备上没有该组网')
  expect(restarted).toEqual([])
})

it('reset_respawn restarts all links of the network, and names those that were', async () => {
  const { jobs, restarted } = open()
  const ids = document.networks[0]!.links.map(({ id }) => id)
  expect(await jobs.reset_respawn({ network_number: NUMBER })).toEqual({ data: { count: 2, links: ids.slice(1) } })
  expect(restarted).toEqual([ids])
  await expect(jobs.reset_respawn({})).rejects.toThrow('network_number')
})

it('what a restart at a centre of 2,000 points answers is within the bounds of a result', async () => {
  const links = Array.from({ length: 2_000 }, (_, n) => link(`NL-${n}`.padEnd(64, 'x'), 'server'))
  const { jobs } = open({ applied: routerDocument(network(NUMBER, links)) })
  const { data } = (await jobs.reset_respawn({ network_number: NUMBER })) as { data: { links: string[] } }
  expect(data).toMatchObject({ count: 1_999 })
  expect([data.links.length, toDataText(data)]).toEqual([JOB.tunnelsNamed, JSON.stringify(data)])
})
