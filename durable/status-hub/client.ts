import { PROBE_HUB } from '#contract/kernel/hubs.ts'
import {
  LOCAL_RELEASE,
  STATUS_COUNTERS,
  type Counters,
  type StatusHubRpc,
  type StatusPort,
} from '#contract/kernel/status.ts'
import { within } from '#db/concurrency.ts'
import { hasTrouble, returnCounters, takeDueCounters } from '#db/counters.ts'
import { createHubs, stubIn } from '#durable/hubs.ts'

/* Client of the StatusHub, and the probe of a hub. */

const OBJECT = 'status'

function openStatusHub(env: Env): StatusHubRpc | null {
  if (env.STATUS_HUB === undefined) return null
  return stubIn(env, env.STATUS_HUB, OBJECT, env.HUB_PLACE ?? '') as unknown as StatusHubRpc
}

/** Reports what this isolate has counted; null if no report is due. It never rejects: status must not fail a call. */
function reportCounters(env: Env): Promise<void> | null {
  const hub = openStatusHub(env)
  const counters = hub && takeDueCounters(Date.now())
  return counters && report(hub, env.CF_VERSION_METADATA?.id ?? LOCAL_RELEASE, counters)
}

/** The same for a hub, whose isolate may serve no calls: only what has failed makes it report, with all that it has counted. */
export const reportTrouble = (env: Env): Promise<void> | null => (hasTrouble() ? reportCounters(env) : null)

/** Counters of a report without an answer go with the next one, and may count twice. */
async function report(hub: StatusHubRpc, release: string, counters: Counters): Promise<void> {
  try {
    await hub.add(release, counters)
  } catch {
    returnCounters(counters)
  }
}

export function createStatusPort(env: Env, requestId?: string): StatusPort {
  const answer = <T>(asked: Promise<T> | undefined) =>
    asked === undefined ? null : within(STATUS_COUNTERS.answerMs, asked)
  return {
    report: () => reportCounters(env),
    read: (question) => answer(openStatusHub(env)?.read(question)),
    sample: (online) => answer(openStatusHub(env)?.sample(online)),
    probeHub: async () => {
      await within(STATUS_COUNTERS.answerMs, createHubs(env, requestId).account(PROBE_HUB).selfTest(OBJECT))
    },
  }
}
