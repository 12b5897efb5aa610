import { DurableObject } from 'cloudflare:workers'
import type {
  Answer,
  Applied,
  CheckAnswer,
  DirectoryActor,
  DirectoryCandidate,
  DirectoryHubRpc,
  DirectorySignIn,
  DirectoryState,
  DirectoryTask,
  PlanKind,
} from '../../worker/contract/directory-hub.ts'
import type { HubName } from '../../worker/contract/hubs.ts'
import { LDAP, LDAP_SYNC } from '../../worker/contract/ldap-limits.ts'
import { planRun } from '../../worker/domain/ldap/plan.ts'
import { type Run, createRun, isActive, isEnded, isStalled, nextRunAt, step } from '../../worker/domain/ldap/run.ts'
import { openSealed } from '../../worker/security/sealed.ts'
import { randomHex } from '../../worker/security/secrets.ts'
import { ldapPasswordPlace } from '../../worker/security/ldap-password.ts'
import { wakeAt } from '../async.ts'
import { logFault, withRequestId } from '../fault-log.ts'
import { createHubs, isHubName, readUpgradeIdentity } from '../hubs.ts'
import { digestOf, toCheckAnswer } from './checked.ts'
import { type Connect, createConnect } from './connect.ts'
import { type Owner, readImportedCount, readMembers, readOwner } from './database.ts'
import { findPlanNames, findUsers } from './pages.ts'
import { refused, toAnswer } from './refused.ts'
import { DirectoryRun, countsOf } from './run.ts'
import { DirectoryRuns } from './runs.ts'
import { signIn } from './sign-in.ts'
import { DirectoryStorage } from './storage.ts'
import { DirectoryTasks } from './tasks.ts'
import { Tunnels } from './tunnels.ts'
import { MemberWriter } from './writer.ts'

type RpcMethods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

/**
 * One per account with a directory: its connection, one run at a time, the last complete listing, what undo needs. Runs
 * work in the alarm, which the platform repeats when the hub was evicted.
 */
export class DirectoryHub extends DurableObject<Env> implements DirectoryHubRpc {
  /** Tests put their own in its place. */
  openDirectory: Connect
  private storage: DirectoryStorage
  private working: DirectoryRun | null = null
  private readonly tunnels: Tunnels
  private readonly tasks: DirectoryTasks
  private readonly runs: DirectoryRuns

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.storage = new DirectoryStorage(ctx.storage)
    const hubs = createHubs(env)
    this.tunnels = new Tunnels(env, hubs)
    this.openDirectory = createConnect(env, this.tunnels.dialThrough)
    const writer = new MemberWriter({
      env,
      hubs,
      storage: () => this.storage,
      waitUntil: (work) => ctx.waitUntil(work.catch((error: unknown) => logFault(this.hub, 'outbox', error))),
    })
    this.tasks = new DirectoryTasks(writer)
    this.runs = new DirectoryRuns(writer)
  }

  private get hub(): HubName {
    if (this.ctx.id.name === undefined || !isHubName(this.ctx.id.name)) throw new Error('this hub has no name')
    return this.ctx.id.name
  }

  rpc(requestId: string | undefined, method: string, args: readonly unknown[]): Promise<unknown> {
    return withRequestId(requestId, async () => (this as unknown as RpcMethods)[method]?.(...args))
  }

  /** The socket of a tunnel that a device was asked for. */
  override async fetch(request: Request): Promise<Response> {
    const identity = readUpgradeIdentity(request)
    return identity?.by === 'tunnel' ? this.tunnels.accept(identity.tunnel) : new Response(null, { status: 400 })
  }

  // Checks

  async check(candidate: DirectoryCandidate): Promise<Answer<CheckAnswer>> {
    const owner = await this.owner()
    return toAnswer(candidate.mode, async () => {
      const password = await this.passwordFor(candidate, owner)
      const { server, users } = await new DirectoryRun(this.openDirectory).readUsers(candidate, password)
      const members = await readMembers(this.env, owner.accountId)
      const plan = planRun({ users, members, room: owner.max - owner.used })
      this.storage.checked = { digest: digestOf(candidate, password), at: Date.now() }
      return toCheckAnswer(server, users, plan)
    })
  }

  async isChecked(candidate: DirectoryCandidate): Promise<boolean> {
    const { checked } = this.storage
    if (!checked || Date.now() - checked.at > LDAP.checkedMs) return false
    return checked.digest === digestOf(candidate, await this.passwordFor(candidate, await this.owner()))
  }

  /** '' is the stored one: the use case has checked that it goes to the address it was typed for. */
  private async passwordFor({ password }: DirectoryCandidate, owner: Owner): Promise<string> {
    return password === '' && owner.passwordSealed !== null
      ? this.openPassword(owner.accountId, owner.passwordSealed)
      : password
  }

  private openPassword(accountId: number, sealed: string): Promise<string> {
    return openSealed(this.env.SEAL_KEYS, ldapPasswordPlace(accountId), sealed)
  }

  async signIn(directoryId: string, password: string): Promise<DirectorySignIn> {
    const owner = await this.owner()
    if (owner.passwordSealed === null) return 'away'
    const accountPassword = await this.openPassword(owner.accountId, owner.passwordSealed)
    return signIn(this.openDirectory, this.storage, { owner, accountPassword, directoryId, password })
  }

  // Reads

  async state(): Promise<DirectoryState> {
    const { accountId } = await this.owner()
    const { run: stored, hash, fault, updatedAt, lastedMs } = this.storage.state
    const run = this.working?.run ?? stored
    return {
      count: await readImportedCount(this.env, accountId),
      fault,
      updatedAt,
      lastedMs,
      run: run && {
        state: isActive(run) ? 'running' : (run.phase as 'asking' | 'done' | 'failed'),
        phase: run.phase,
        done: run.done,
        total: run.total,
        stop: run.stop ?? '',
        hash,
        counts: run.counts,
      },
    }
  }

  async users(question: Parameters<DirectoryHubRpc['users']>[0]) {
    const owner = await this.owner()
    const { listedAt, listedRevision, hash } = this.storage.state
    const isKnown = listedAt !== null && listedRevision === owner.revision
    if (!isKnown || Date.now() - listedAt > LDAP.listedMs) await this.begin(owner)
    if (!isKnown) return { rows: [], count: 0, hash: '', listedAt: null }
    return { ...findUsers(await this.currentPlan(owner), question), hash, listedAt }
  }

  async plan({ kind, page }: { readonly kind: PlanKind; readonly page: number }) {
    const owner = await this.owner()
    const plan = await this.currentPlan(owner)
    return { counts: countsOf(plan), ...findPlanNames(plan, kind, page), hash: this.storage.state.hash }
  }

  /** @param chosen users that seats go to first. */
  private async currentPlan(owner: Owner, chosen: readonly string[] = []) {
    const { listedRevision } = this.storage.state
    const users = listedRevision === owner.revision ? this.storage.listing() : []
    const members = await readMembers(this.env, owner.accountId)
    return planRun({ users, members, room: owner.max - owner.used, chosen: new Set(chosen) })
  }

  // Writes

  async apply(task: DirectoryTask, by: DirectoryActor): Promise<Answer<Applied>> {
    const owner = await this.owner()
    if (owner.revision === null) return refused('LDAP_OFF')
    if (this.isBusy()) return refused('LDAP_BUSY')
    if (owner.sign === null) return refused('LDAP_SIGN_REQUIRED')
    const { hash, listedRevision } = this.storage.state
    if ('hash' in task && (task.hash !== hash || listedRevision !== owner.revision)) return refused('LDAP_LIST_CHANGED')
    const chosen = task.kind === 'import' ? (task.uuids ?? []) : []
    return this.tasks.apply(owner, await this.currentPlan(owner, chosen), task, by)
  }

  async confirm(hash: string, by: DirectoryActor): Promise<Answer<null>> {
    const { run, asked, hash: known } = this.storage.state
    if (this.isBusy() || run?.phase !== 'asking' || hash !== known) return refused('LDAP_NOTHING_TO_CONFIRM')
    this.storage.update({ run: step(run, { type: 'confirmed', members: asked }, Date.now()), dueAt: Date.now() })
    await this.tasks.confirmed(await this.owner(), asked.length, by)
    await this.schedule()
    return { refused: null, answer: null }
  }

  async undo(id: string, by: DirectoryActor): Promise<Answer<null>> {
    if (this.isBusy()) return refused('LDAP_BUSY')
    const owner = await this.owner()
    const answer = await this.tasks.undo(owner, await readMembers(this.env, owner.accountId), id, by)
    await this.schedule()
    return answer
  }

  async close(count: number | null, by: DirectoryActor): Promise<Answer<null>> {
    if (this.isBusy()) return refused('LDAP_BUSY')
    const owner = await this.owner()
    if (owner.revision === null) return refused('LDAP_OFF')
    const answer = await this.tasks.close(owner, await readMembers(this.env, owner.accountId), count, by)
    if (answer.refused === null) {
      this.storage.update({ run: null, dueAt: null, fault: '', failures: 0, listedRevision: null })
    }
    return answer
  }

  private isBusy(): boolean {
    const { run } = this.storage.state
    return (
      this.working !== null || this.tasks.isWorking || (run !== null && isActive(run) && !isStalled(run, Date.now()))
    )
  }

  // Runs

  async start(): Promise<boolean> {
    return this.begin(await this.owner())
  }

  async refresh(): Promise<void> {
    const owner = await readOwner(this.env, this.hub, Date.now())
    if (!owner) return this.deleteAll()
    const { listedRevision, dueAt } = this.storage.state
    if (owner.revision === null) return
    if (owner.revision !== listedRevision) await this.begin(owner)
    else if (owner.syncMode === LDAP_SYNC.automatic && dueAt === null)
      this.storage.update({ dueAt: nextRunAt(Date.now(), Math.random()) })
    await this.schedule()
  }

  /** False where a run works already. */
  private async begin({ revision, syncMode }: Owner): Promise<boolean> {
    if (revision === null || this.isBusy()) return false
    const kind = syncMode === LDAP_SYNC.automatic ? 'sync' : 'list'
    this.storage.update({ run: createRun(randomHex(16), kind, Date.now()), fault: '' })
    await this.schedule()
    return true
  }

  override async alarm(): Promise<void> {
    const owner = await readOwner(this.env, this.hub, Date.now())
    if (!owner) return this.deleteAll()
    const run = this.takeRun(owner)
    if (run) await this.work(owner, run)
    await this.schedule()
  }

  /** The run that shall work now: one that was begun, one that was interrupted, or one that is due. */
  private takeRun({ revision, syncMode }: Owner): Run | null {
    const { run, dueAt } = this.storage.state
    if (revision === null || this.working) return null
    const now = Date.now()
    if (run && isActive(run)) return run.phase === 'waiting' ? run : step(run, { type: 'interrupted' }, now)
    if (syncMode !== LDAP_SYNC.automatic || dueAt === null || dueAt > now || run?.phase === 'asking') return null
    return createRun(randomHex(16), 'sync', now)
  }

  private async work(owner: Owner, run: Run): Promise<void> {
    if (isEnded(run)) return this.runs.ended(owner, run, null)
    const working = new DirectoryRun(this.openDirectory, step(run, { type: 'started' }, Date.now()))
    this.storage.update({ run: working.run })
    this.working = working
    try {
      const password =
        owner.passwordSealed === null ? '' : await this.openPassword(owner.accountId, owner.passwordSealed)
      await this.runs.run(owner, working, password)
    } finally {
      this.working = null
    }
  }

  private async schedule(): Promise<void> {
    const { run, dueAt } = this.storage.state
    await wakeAt(this.ctx.storage, [
      run && isActive(run) && !this.working ? Date.now() : null,
      run?.phase === 'asking' ? null : dueAt,
    ])
  }

  /** A hub whose account is gone answers nothing. */
  private async owner(): Promise<Owner> {
    const owner = await readOwner(this.env, this.hub, Date.now())
    if (!owner) throw new Error('the account of this hub is gone')
    return owner
  }

  private async deleteAll(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.storage = new DirectoryStorage(this.ctx.storage)
  }
}
