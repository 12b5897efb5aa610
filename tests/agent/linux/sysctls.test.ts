import { expect, it } from 'vitest'
import { planSysctls } from '#infra/agent/drivers/linux/ip/sysctls.ts'

const BEFORE = new Map([
  ['ip_forward', 0],
  ['fib_multipath_hash_policy', 1],
  ['conf/all/rp_filter', 0],
  ['conf/wan0/rp_filter', 1],
  ['conf/lan0/rp_filter', 1],
  ['conf/ov1r/rp_filter', 1],
  ['conf/ov2r/proxy_arp_pvlan', 1],
  ['conf/ov1r/proxy_arp_pvlan', 0],
  ['neigh/ov1r/proxy_delay', 80],
  ['neigh/lan0/proxy_delay', 80],
])

it('filters of tunnels and LAN ports are loosened, and the interface of a server answers ARP for its members at once', () => {
  expect([...planSysctls(BEFORE, ['lan0'])]).toEqual([
    ['ip_forward', 1],
    ['conf/lan0/rp_filter', 2],
    ['conf/ov1r/rp_filter', 2],
    ['conf/ov1r/proxy_arp_pvlan', 1],
    ['neigh/ov1r/proxy_delay', 0],
  ])
})
