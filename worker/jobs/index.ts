import { createHubs } from '../../durable/hubs.ts'
import { driverOf, openDb } from '../db/client.ts'
import { sendAll } from '../http/hub-notices.ts'
import { faultText, log } from '../http/log.ts'
import { deleteOrphanFiles } from '../features/file/orphans.ts'
import { recomputeAllNetworkStatus } from '../features/network/queries.ts'
import { deleteExpired, endExpiredSessions, staleRouters } from './queries.ts'

interface Job {
  /** As in wrangler.toml. */
  readonly cron: string
  readonly name: string
  readonly run: (env: Env, now: number) => Promise<void>
}

const EVERY_MINUTE = '* * * * *'
/** How many hubs one run wakes; the next run takes the rest. */
const STALE_BATCH = 100

/**
 * Cron has no delivery promise, so every job only finds what is due by itself and is safe to run twice or late.
 */
export const JOBS: readonly Job[] = [
  {
    cron: EVERY_MINUTE,
    name: 'configuration', // a notice to a hub was lost after its rows had changed
    run: async (env) => {
      const hubs = createHubs(env)
      const stale = await staleRouters(openDb(driverOf(env)), STALE_BATCH)
      await sendAll(
        stale.map(
          ({ routerId }) =>
            () =>
              hubs.router(routerId).refresh(),
        ),
      )
    },
  },
  {
    cron: EVERY_MINUTE,
    name: 'sessions', // a socket asks for its session only when it is opened
    run: async (env, now) => {
      const hubs = createHubs(env)
      const ended = await endExpiredSessions(openDb(driverOf(env)), now)
      const of = (account: number) => ended.filter(({ accountId }) => accountId === account).map(({ id }) => id)
      const accounts = [...new Set(ended.map(({ accountId }) => accountId))]
      await sendAll(accounts.map((id) => () => hubs.account(id).endSessions(of(id))))
    },
  },
  { cron: EVERY_MINUTE, name: 'files', run: (env, now) => deleteOrphanFiles(openDb(driverOf(env)), env.FILES, now) },
  {
    cron: EVERY_MINUTE,
    name: 'expiry', // services end, networks over quota stop
    run: async (env, now) => {
      const db = openDb(driverOf(env))
      await db.batch([recomputeAllNetworkStatus(db, now), ...deleteExpired(db, now)])
    },
  },
]

export async function runJobs(controller: { cron: string; scheduledTime: number }, env: Env): Promise<void> {
  for (const job of JOBS.filter(({ cron }) => cron === controller.cron)) {
    try {
      await job.run(env, Date.now())
    } catch (error) {
      log('error', 'job', { job: job.name, error: faultText(error) })
    }
  }
}
