import { MINUTE_MS } from '#contract/kernel/time.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { jobs } from '#contract/network/jobs.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'

/* Hooks of one row that needs attention: its evidence, and the verbs against its trouble. */

/** Read while the row is open; again each minute, for events and views of the links. */
export const useEvidence = (id: string) => useQuery(overviewApi.evidence, { id }, { pollMs: MINUTE_MS })

export const useHandle = () => useCommand(overviewApi.handle)
export const useMute = () => useCommand(monitorApi.mute)
export const useRestartTunnels = () => useCommand(jobs.resetRespawn)
