import { createPasswordHasher } from '#durable/hash-pool/client.ts'
import { createHubs } from '#durable/hubs.ts'
import { createStatusPort } from '#durable/status-hub/client.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { CronRun } from '#db/audit.ts'
import { type Db, createDriver, openDb } from '#db/client.ts'
import { type OutboxContext, deliverOutbox } from '#db/hub-outbox.ts'
import { pause } from '#db/concurrency.ts'
import { deleteOrphanFiles } from '#features/file/orphans.ts'
import { continueErasures } from '#features/ops/customer-data/erasures.ts'
import { faultText, log } from '#http/log.ts'
import { createOutside } from '#outside/adapters.ts'
import { warnOfCertificates } from './certificate-warnings.ts'
import { mailContactWarnings, warnOfContactExpiry } from './contact-expiry.ts'
import {
  endDials,
  endSessions,
  lapseResources,
  removeExpired,
  updateServices,
  warnOfWithdrawal,
  withdrawNetworks,
} from './expiry.ts'
import { nameHubs } from '#db/hub-names.ts'
import { sealAuthorityKeys, sealNetworkSecrets } from './sealed-secrets.ts'
import { checkDialServers, checkDialServersOf, logHubHold, sweepHubOutbox, wakeDirectories } from './hubs.ts'
import type { MailContext } from './mail-context.ts'
import { hashMemberPasswords } from './member-passwords.ts'
import { warnOfProfiles } from './profile-warnings.ts'
import { warnOfServices } from './service-warnings.ts'
import { sampleStatus } from './status.ts'
import { checkProviders } from './providers.ts'
import { moveDueTickets, mailTicketReplies } from './tickets.ts'

/* Jobs of the cron: list of all with their times, and the handler that runs them. */

interface Job {
  /** Cron expression, as in wrangler.toml. */
  readonly cron: string
  readonly name: string
  /** Wait after the scheduled time; a late run waits less. Jobs with a wait stand last. */
  readonly afterMs?: number
  /** `runId` goes into log lines and calls of hubs, as the id of a request does. */
  readonly run: (env: Env, now: number, runId: string) => Promise<void>
}

const EVERY_MINUTE = '* * * * *'
/** Pseudo cron at the start of a local server (infra/local/runtime.ts). */
const START = '@start'

/** All jobs. Cron runs are not guaranteed: each job selects due work and may run twice or late. */
const JOBS: readonly Job[] = [
  { cron: EVERY_MINUTE, name: 'hub-names', run: (env) => nameHubs(dbOf(env)) },
  { cron: EVERY_MINUTE, name: 'hub-outbox', run: (env, _, runId) => sweepHubOutbox(env, runId) },
  { cron: EVERY_MINUTE, name: 'hub-hold', run: (env, _, runId) => logHubHold(dbOf(env), runId) },
  { cron: START, name: 'hub-outbox', run: (env, _, runId) => sweepHubOutbox(env, runId, { all: true }) },
  { cron: START, name: 'dial-servers', run: (env, _, runId) => checkDialServers(dbOf(env), createHubs(env, runId)) },
  {
    cron: EVERY_MINUTE,
    name: 'dial-servers',
    run: (env, now, runId) => checkDialServersOf(dbOf(env), createHubs(env, runId), env.CF_VERSION_METADATA?.id, now),
  },
  { cron: EVERY_MINUTE, name: 'sessions', run: withOutbox(endSessions) },
  { cron: EVERY_MINUTE, name: 'dials', run: withOutbox(endDials) },
  { cron: EVERY_MINUTE, name: 'services', run: (env, now, runId) => updateServices(dbOf(env), { now, runId }) },
  { cron: EVERY_MINUTE, name: 'suspensions', run: withOutbox(withdrawNetworks) },
  { cron: EVERY_MINUTE, name: 'warnings', run: withOutbox(warnOfWithdrawal) },
  { cron: EVERY_MINUTE, name: 'service-warnings', run: withOutbox(warnOfServices) },
  { cron: EVERY_MINUTE, name: 'certificates', run: withOutbox(warnOfCertificates) },
  { cron: EVERY_MINUTE, name: 'profiles', run: withOutbox(warnOfProfiles) },
  { cron: EVERY_MINUTE, name: 'pop-terms', run: withOutbox(lapseResources) },
  { cron: EVERY_MINUTE, name: 'files', run: (env, now) => deleteOrphanFiles(dbOf(env), env.FILES, now) },
  { cron: EVERY_MINUTE, name: 'contacts', run: withOutbox(warnOfContactExpiry) },
  { cron: EVERY_MINUTE, name: 'tickets', run: withOutbox(moveDueTickets) },
  { cron: EVERY_MINUTE, name: 'providers', run: (env, now) => checkProviders(dbOf(env), createOutside(env), now) },
  {
    cron: EVERY_MINUTE,
    name: 'directories',
    run: (env, now, runId) => wakeDirectories(dbOf(env), createHubs(env, runId), now),
  },
  {
    cron: EVERY_MINUTE,
    name: 'network-secrets',
    run: (env, _, runId) => sealNetworkSecrets({ db: dbOf(env), sealKeys: env.SEAL_KEYS, runId }),
  },
  {
    cron: EVERY_MINUTE,
    name: 'authority-keys',
    run: (env, _, runId) => sealAuthorityKeys({ db: dbOf(env), sealKeys: env.SEAL_KEYS, runId }),
  },
  {
    cron: EVERY_MINUTE,
    name: 'erasures',
    run: (env, now, runId) =>
      continueErasures({ db: dbOf(env), hubs: createHubs(env, runId), files: env.FILES, now, runId }),
  },
  { cron: EVERY_MINUTE, name: 'expiry', run: (env, now) => removeExpired(dbOf(env), now) },
  { cron: EVERY_MINUTE, name: 'status', run: (env, now) => sampleStatus(dbOf(env), createStatusPort(env), now) },
  { cron: EVERY_MINUTE, name: 'contact-mails', run: withMail(mailContactWarnings) },
  { cron: EVERY_MINUTE, name: 'ticket-mails', run: withMail(mailTicketReplies) },
  {
    cron: EVERY_MINUTE,
    name: 'hub-outbox',
    afterMs: HUB_OUTBOX.sweepEveryMs,
    run: (env, _, runId) => sweepHubOutbox(env, runId),
  },
  {
    cron: EVERY_MINUTE,
    name: 'member-passwords',
    run: (env, _, runId) =>
      hashMemberPasswords({
        db: dbOf(env),
        passwords: createPasswordHasher(env),
        sealKeys: env.SEAL_KEYS,
        runId,
      }),
  },
]

function dbOf(env: Env): Db {
  return openDb(createDriver(env))
}

function withMail(work: (ctx: MailContext) => Promise<void>): Job['run'] {
  return (env, now, runId) =>
    work({ db: dbOf(env), mail: createOutside(env).mail, localOrigin: env.LOCAL_ORIGIN, now, runId })
}

/** Delivers the hub outbox entries that the work adds. */
function withOutbox(work: (ctx: OutboxContext & CronRun) => Promise<void>): Job['run'] {
  return async (env, now, runId) => {
    const ctx = { db: dbOf(env), now, runId, requestId: runId, hubOutbox: [] }
    await work(ctx)
    await deliverOutbox(ctx.db, createHubs(env, runId), ctx.hubOutbox, Date.now())
  }
}

export async function runJobs(controller: { cron: string; scheduledTime: number }, env: Env): Promise<void> {
  const runId = crypto.randomUUID()
  for (const job of JOBS.filter(({ cron }) => cron === controller.cron)) {
    try {
      if (job.afterMs !== undefined) await pause(Math.max(0, controller.scheduledTime + job.afterMs - Date.now()))
      await job.run(env, Date.now(), runId)
    } catch (error) {
      log('error', 'job', { requestId: runId, job: job.name, error: faultText(error) })
    }
  }
  await createStatusPort(env).report()
}
