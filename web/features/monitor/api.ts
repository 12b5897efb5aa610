import { contactsApi } from '#contract/contacts/index.ts'
import { CONTACT } from '#contract/contacts/limits.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { webhookApi } from '#contract/webhook/index.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'

/* Hooks of the endpoints of monitoring: settings, alerts, deliveries, mutes and webhook. */

/** Options of lists that change without an action of the user. */
const LIVE = { keepPrevious: true, pollMs: STATUS_POLL_MS } as const

export const useMonitorConfig = () => useQuery(monitorApi.config, {})
export const useMonitorRouters = () => useQuery(monitorApi.routers, {})
/** All contacts: an account has no more than a page holds. */
export const useContactChoices = () => useQuery(contactsApi.lists, { page: 1, limit: CONTACT.max })
export const useSetMonitor = () => useCommand(monitorApi.setting, [], QUIET)
export const useEnableMonitor = () => useCommand(monitorApi.enable, [], QUIET)
export const useCloseMonitor = () => useCommand(monitorApi.close, [], QUIET)

export const useAlerts = (input: Input<typeof monitorApi.alerts>) => useQuery(monitorApi.alerts, input, LIVE)
export const useAlertChildren = (alert_id: string) =>
  useQuery(monitorApi.children, { alert_id }, { isFresh: true, onMissing: 'stay' })
export const useAcknowledge = () => useCommand(monitorApi.acknowledge, [], { onMissing: 'stay' })

export const useDeliveries = (input: Input<typeof monitorApi.deliveries>) =>
  useQuery(monitorApi.deliveries, input, LIVE)
export const useResend = () => useCommand(monitorApi.resend, [], { onMissing: 'stay' })

export const useMutes = () => useQuery(monitorApi.mutes, {}, { keepPrevious: true, pollMs: STATUS_POLL_MS })
export const useMute = () => useCommand(monitorApi.mute, [], QUIET)
export const useUnmute = () => useCommand(monitorApi.unmute, [], { onMissing: 'stay' })

export const useNetworkNames = () => useQuery(networkApi.lists, { page: 1, limit: 100 })

export const useWebhook = () => useQuery(webhookApi.config, {})
export const useSetWebhook = () => useCommand(webhookApi.setting, [], QUIET)
/** The dialog shows the answer of the other side. */
export const useTestWebhook = () => useCommand(webhookApi.test, [], { ...QUIET, done: null })
export const useDeleteWebhook = () => useCommand(webhookApi.delete, [], QUIET)
