import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listFiles } from '#tests/support/source-files.ts'

/**
 * Directives of the tools that carry networks. A document describes the network; the files of the
 * tools are rendered from it on the device (infra/agent/drivers/render).
 */
const DIRECTIVES = [
  // OpenVPN
  'ifconfig-push',
  'ifconfig-pool',
  'iroute',
  'client-config-dir',
  'ccd-exclusive',
  'data-ciphers',
  'dev-type',
  'tls-crypt',
  'tls-server',
  'tls-version-min',
  'remote-cert-tls',
  'verify-x509-name',
  'crl-verify',
  'auth-gen-token',
  'management-client-auth',
  'explicit-exit-notify',
  'pull-filter',
  'persist-tun',
  'dhcp-option',
  'push "',
  // FRR
  'router bgp',
  'route-map',
  'prefix-list',
  'community-list',
  'as-path',
  'remote-as',
  'neighbor \\d',
  'next-hop-self',
  'set local-preference',
  'maximum-paths',
  'redistribute connected',
  'address-family',
  // nftables
  'iifname',
  'oifname',
  'masquerade',
  'postrouting',
  'ct mark',
  'ct state',
  'udp dport',
  'tcp dport',
  // dnsmasq
  'strict-order',
  'bind-dynamic',
  'resolv-file',
  // tc
  'qdisc replace',
  'tbf rate',
]
const pattern = new RegExp(`(?<![\\w-])(?:${DIRECTIVES.join('|')})`, 'i')

/** Profiles for applications of others are files of a tool, which no agent renders. */
const PROFILES = 'worker/outside/client-profile/'
const files = ['web', 'worker', 'durable']
  .flatMap((root) => listFiles(root, /\.(tsx?|json|css|html)$/))
  .filter((file) => !file.startsWith(PROFILES))

it('no configuration text of a tool stands outside the agent, but that of profiles', () => {
  const found = files.flatMap((file) => {
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((text) => pattern.test(text))
    return line === undefined ? [] : [`${file}: ${line.trim().slice(0, 120)}`]
  })
  expect(found).toEqual([])
})

it('the list is of directives that are rendered', () => {
  const rendered = listFiles('tests/agent/golden', /./)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const notRendered = DIRECTIVES.filter((directive) => !new RegExp(directive).test(rendered))
  expect(notRendered).toEqual([])
})
