import type { Output } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'
import type { PageSize } from '#ui/table/list-state.ts'

/* Hooks of the endpoints of diagnoses. */

export type DiagnosisRecord = Output<typeof networkApi.diagnosis>
export type DiagnosisRow = Output<typeof networkApi.diagnoses>[number]

const POLL_MS = 1_000 // while it runs: steps take about a second

export const useDiagnose = () => useCommand(networkApi.diagnose, [], { done: null })

/** One record, read again while it runs. */
export const useDiagnosis = (network_number: string, job_id: string) =>
  useQuery(
    networkApi.diagnosis,
    { network_number, job_id },
    { pollMs: (last) => (last === undefined || last.data.state === 'running' ? POLL_MS : 0) },
  )

export const useDiagnoses = (network_number: string, { page, limit }: { page: number; limit: PageSize }) =>
  useQuery(networkApi.diagnoses, { network_number, page, limit }, { keepPrevious: true })

/** Network with members and inner addresses, from which a diagnosis begins. */
export const useDiagnosedNetwork = (network_number: string) => useQuery(networkApi.info, { network_number })

/** Reads records again, when a live frame says that one moved. */
export const useRefreshDiagnoses = () => useRefresh([networkApi.diagnosis, networkApi.diagnoses])
