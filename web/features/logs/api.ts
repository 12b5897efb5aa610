import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { logsApi } from '#contract/logs/index.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'

/* Hooks of the log endpoints: sign-ins, online, connections, audit, export. */

const LIST = { keepPrevious: true } as const
/** Tens of thousands of rows take a while (directory 7). */
const EXPORT_TIMEOUT_MS = 60_000

export type LoginRow = Output<typeof logsApi.softwareLogin>[number]
export type OnlineRow = Output<typeof logsApi.online>[number]
export type ConnectionRow = Output<typeof logsApi.connect>[number]
export type AuditRow = Output<typeof logsApi.audit>[number]

export const useLogins = (input: Input<typeof logsApi.softwareLogin>) => useQuery(logsApi.softwareLogin, input, LIST)
export const useOnline = (input: Input<typeof logsApi.online>) => useQuery(logsApi.online, input, LIST)
export const useConnections = (input: Input<typeof logsApi.connect>) => useQuery(logsApi.connect, input, LIST)
export const useAudit = (input: Input<typeof logsApi.audit>) => useQuery(logsApi.audit, input, LIST)

/** Refusals are toasts; the page stays. */
export const useExport = () => useCommand(logsApi.export, [], { timeoutMs: EXPORT_TIMEOUT_MS, onMissing: 'stay' })
