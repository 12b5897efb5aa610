import { monitor } from './monitor.ts'
import { deliveries } from './deliveries.ts'

/** Endpoints of the monitor noun, collected. */
export const monitorApi = {
  config: monitor.config,
  setting: monitor.setting,
  enable: monitor.enable,
  close: monitor.close,
  routers: monitor.routers,
  alerts: monitor.alerts,
  children: monitor.children,
  acknowledge: monitor.acknowledge,
  deliveries: deliveries.deliveries,
  unsent: deliveries.unsent,
  resend: deliveries.resend,
  mutes: monitor.mutes,
  mute: monitor.mute,
  unmute: monitor.unmute,
} as const
