import type * as z from 'zod'
import { MASK } from '#contract/network/limits.ts'
import type { memberSettingsView, networkSettingsView } from '#contract/network/views.ts'

/** Settings of a network and of a point in network/info while nothing is set. */
export const NOTHING_SET: z.infer<typeof networkSettingsView> = {
  network_dns: [],
  network_routing: { type: 1, main_router: '', secondary_router: '' },
  prefix_count: 0,
  network_fr: null,
  network_center_link: 0,
  network_center_link_show: 0,
  network_center_link_network: {
    gateway: '',
    mask: MASK.interlinkDefault,
    public_ip: '',
    public_port: null,
    static_port: null,
    center_router_name: '',
  },
  revisions: {},
}

export const NOTHING_SET_FOR_MEMBER: z.infer<typeof memberSettingsView> = {
  mode: 1,
  routing: 0,
  default_route: 0,
  metric: null,
  quagga: 0,
  ov_id: { main: null, backup: null, main_name: '', backup_name: '', priority: 3 },
  center_router_name_note: '',
  fixed_port: null,
  static_route_count: 0,
  gateway: null,
  revisions: {},
}
