import { expect, it } from 'vitest'
import { parseCommandLine } from '#infra/agent/options.ts'
import { serverProblem } from '#infra/agent/server-address.ts'

it.each([
  ['https://console.example.com', null, null],
  ['http://127.0.0.1:8787', null, null],
  ['http://127.8.9.1', null, null],
  ['http://[::1]:8787', null, null],
  ['http://localhost:8787', null, null],
  ['http://0.0.0.0:8787', 'http is refused', null],
  ['http://192.168.1.5', 'http is refused', null],
  ['http://localhost.example.com', 'http is refused', null],
  ['http://127.0.0.1.example.com', 'http is refused', null],
  ['http://127.0.0.1@console.example.com', 'http is refused', null],
  ['ftp://127.0.0.1', 'expected http', 'expected http'],
  ['console.example.com', 'expected http', 'expected http'],
])('%s: %s, with --insecure %s', (server, plain, insecure) => {
  const kind = (problem: string | null) => problem && /http is refused|expected http/.exec(problem)?.[0]
  expect([kind(serverProblem(server, false)), kind(serverProblem(server, true))]).toEqual([plain, insecure])
})

const BASE = ['--server', 'https://a.cn', '--serial', 'S', '--state', '/s']

it('stands beside addresses at which other members dial the device, which are checked', () => {
  const parse = (...hosts: readonly string[]) =>
    parseCommandLine(BASE.concat(hosts.flatMap((host) => ['--endpoint', host]))).endpoints
  expect(parse('203.0.113.10', 'VPN.example.com', '2400:3200::1')).toEqual([
    '203.0.113.10',
    'vpn.example.com',
    '2400:3200::1',
  ])
  for (const host of ['203.0.113.10:1194', '127.0.0.1', 'localhost', 'a b'])
    expect(() => parse(host)).toThrow(`--endpoint ${host}: expected an address or a name`)
  expect(() => parse(...['1', '2', '3', '4', '5'].map((n) => `a${n}.cn`))).toThrow('--endpoint: at most 4')
})

it('is given several times, and each of them is checked', () => {
  const parse = (...servers: readonly string[]) =>
    parseCommandLine([...servers.flatMap((server) => ['--server', server]), '--serial', 'S', '--state', '/s']).servers
  expect(parse('https://a.cn', 'http://127.0.0.1:8787')).toEqual(['https://a.cn', 'http://127.0.0.1:8787'])
  expect(() => parse('https://a.cn', 'http://b.cn')).toThrow('http is refused')
  expect(() => parse()).toThrow('--server, --serial and --state are required')
})
