import { DurableObject } from 'cloudflare:workers'
import type {
  Answer,
  Applied,
  CheckAnswer,
  Closed,
  DirectoryActor,
  DirectoryCandidate,
  DirectoryHubRpc,
  DirectorySignIn,
  DirectorySubject,
  DirectoryState,
  DirectoryTask,
  PlanKind,
  Undone,
} from '#contract/ldap/hub.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { LDAP, LDAP_SIGN_IN, LDAP_SYNC } from '#contract/ldap/limits.ts'
import { planRun, type Plan } from '#domain/ldap/plan.ts'
import { type Run, createRun, isActive, isEnded, isStalled, nextRunAt, step } from '#domain/ldap/run.ts'
import { randomHex } from '#security/secrets.ts'
import { Slots, wakeAt } from '#durable/async.ts'
import { logFault, rootCause } from '#durable/fault-log.ts'
import { MissingRow } from '#durable/missing-row.ts'
import { createHubs, isHubName, readUpgradeIdentity, callMethod } from '#durable/hubs.ts'
import { type Connect, createConnect, openPassword, passwordFor, Tunnels } from './connection/connect.ts'
import { type Owner, readImportedCount, readMembers, readOwner } from './database.ts'
import { findPlanNames, findUsers, toDirectoryState, digestCandidate, toCheckAnswer } from './console-views.ts'
import { refused, toAnswer } from './connection/failure-answer.ts'
import { ActiveRun, countsOf } from './runs/active-run.ts'
import { DirectoryRuns, findDueRun, isUnsaved, wakeTimes } from './runs/runs.ts'
import { signIn } from './connection/sign-in.ts'
import { DirectoryStorage } from './storage.ts'
import { DirectoryTasks } from './runs/tasks.ts'
import { type DirectoryHubDeps, MemberWriter } from './members/member-writer.ts'

/**
 * Durable Object, one per account with an LDAP directory: it checks sign-ins of directory users, carries out people's tasks
 * (import, confirm, undo, close), and runs one sync at a time in the alarm, which the platform repeats after an eviction.
 */
export class DirectoryHub extends DurableObject<Env> implements DirectoryHubRpc {
  /** Opens the connection to a directory; tests replace it. */
  openDirectory: Connect
  private storage: DirectoryStorage
  private readonly row: MissingRow
  private working: ActiveRun | null = null
  private isTaskWorking = false
  /** The configuration was saved while a run or task worked. */
  private isRefreshPending = false
  /** The account was erased while a run or task worked, whose last writes are deleted too. */
  private isRemovePending = false
  private readonly signIns = new Slots(LDAP_SIGN_IN.atOnce)
  private readonly tunnels: Tunnels
  private readonly tasks: DirectoryTasks
  private readonly runs: DirectoryRuns
  private readonly writer: MemberWriter

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.storage = new DirectoryStorage(ctx.storage)
    this.row = new MissingRow(ctx, env, 'directory')
    const hubs = createHubs(env)
    this.tunnels = new Tunnels(env, hubs)
    this.openDirectory = createConnect(env, this.tunnels.dialThrough)
    const deps: DirectoryHubDeps = {
      env,
      hubs,
      storage: () => this.storage,
      waitUntil: (work) => ctx.waitUntil(work.catch((error: unknown) => logFault(this.hub, 'outbox', error))),
    }
    this.writer = new MemberWriter(deps)
    this.tasks = new DirectoryTasks(deps, this.writer)
    this.runs = new DirectoryRuns(deps, this.writer)
  }

  private get hub(): HubName {
    if (this.ctx.id.name === undefined || !isHubName(this.ctx.id.name)) throw new Error('this hub has no name')
    return this.ctx.id.name
  }

  rpc(requestId: string | undefined, method: string, args: readonly unknown[]): Promise<unknown> {
    return callMethod(this, requestId, method, args)
  }

  override async fetch(request: Request): Promise<Response> {
    const identity = readUpgradeIdentity(request)
    return identity?.by === 'tunnel' ? this.tunnels.accept(identity.tunnel) : new Response(null, { status: 400 })
  }

  // Checks

  async check(candidate: DirectoryCandidate): Promise<Answer<CheckAnswer>> {
    const owner = await this.owner()
    return toAnswer(candidate.mode, async () => {
      const password = await passwordFor(this.env, candidate, owner)
      const run = new ActiveRun(this.openDirectory)
      const { server, users } = await run.readUsersWithin(LDAP.checkMs, candidate, password)
      const members = await readMembers(this.env, owner.accountId)
      this.storage.checked = { digest: digestCandidate(candidate, password), at: Date.now() }
      return toCheckAnswer(server, users, planRun({ users, members, remaining: owner.max - owner.used }))
    })
  }

  async isChecked(candidate: DirectoryCandidate): Promise<boolean> {
    const { checked } = this.storage
    if (!checked || Date.now() - checked.at > LDAP.checkedMs) return false
    return checked.digest === digestCandidate(candidate, await passwordFor(this.env, candidate, await this.owner()))
  }

  async signIn(subject: DirectorySubject, password: string): Promise<DirectorySignIn> {
    const owner = await this.owner()
    if (owner.passwordSealed === null) return 'away'
    const accountPassword = await openPassword(this.env, owner)
    const attempt = { slots: this.signIns, owner, accountPassword, subject, password }
    return signIn(this.openDirectory, this.storage, attempt)
  }

  // Reads

  async state(): Promise<DirectoryState> {
    const { accountId } = await this.owner()
    const { state } = this.storage
    const run = this.working?.run ?? state.run
    if (!this.working && run && isStalled(run, Date.now())) await this.schedule() // its alarm was lost
    return toDirectoryState(await readImportedCount(this.env, accountId), run, state)
  }

  async users(question: Parameters<DirectoryHubRpc['users']>[0]) {
    const owner = await this.owner()
    const { listedAt, listedRevision, hash } = this.storage.state
    const isKnown = listedAt !== null && listedRevision === owner.revision
    if (!isKnown || Date.now() - listedAt > LDAP.listedMs) await this.begin(owner)
    if (!isKnown) return { rows: [], count: 0, hash: '', listedAt: null }
    return { ...findUsers(await this.readPlan(owner), question), hash, listedAt }
  }

  async plan({ kind, page }: { readonly kind: PlanKind; readonly page: number }) {
    const owner = await this.owner()
    const plan = await this.readPlan(owner)
    return { counts: countsOf(plan), ...findPlanNames(plan, kind, page), hash: this.storage.state.hash }
  }

  /** Plan that a run of the newest listing would carry out now. @param chosen users that get seats first. */
  private async readPlan(owner: Owner, chosen: readonly string[] = []): Promise<Plan> {
    const users = this.storage.state.listedRevision === owner.revision ? this.storage.listing() : []
    const members = await readMembers(this.env, owner.accountId)
    return planRun({ users, members, remaining: owner.max - owner.used, chosen: new Set(chosen) })
  }

  // Writes

  apply(task: DirectoryTask, by: DirectoryActor): Promise<Answer<Applied>> {
    return this.alone(async (owner) => {
      if (owner.revision === null) return refused('LDAP_OFF')
      if (owner.sign === null) return refused('LDAP_SIGN_REQUIRED')
      const { hash, listedRevision } = this.storage.state
      if ('hash' in task && (task.hash !== hash || listedRevision !== owner.revision))
        return refused('LDAP_LIST_CHANGED')
      const chosen = task.kind === 'import' ? (task.uuids ?? []) : []
      return this.tasks.apply(owner, await this.readPlan(owner, chosen), task, by)
    })
  }

  async confirm(hash: string, by: DirectoryActor): Promise<Answer<null>> {
    if (this.isBusy()) return refused('LDAP_NOTHING_TO_CONFIRM')
    return this.alone(async (owner) => {
      const { run, asked, hash: known, listedRevision } = this.storage.state
      if (run?.phase !== 'asking' || hash !== known || listedRevision !== owner.revision)
        return refused('LDAP_NOTHING_TO_CONFIRM')
      await this.tasks.confirmed(owner, asked.length, by)
      this.storage.update({
        run: step(run, { type: 'confirmed', members: asked, by: by.name }, Date.now()),
        dueAt: Date.now(),
      })
      return { refused: null, answer: null }
    })
  }

  undo(id: string, by: DirectoryActor): Promise<Answer<Undone>> {
    return this.alone(async (owner) => this.tasks.undo(owner, await readMembers(this.env, owner.accountId), id, by))
  }

  close(count: number | null, by: DirectoryActor): Promise<Answer<Closed>> {
    return this.alone(async (owner) => {
      if (owner.revision === null) return refused('LDAP_OFF')
      const answer = await this.tasks.close(owner, await readMembers(this.env, owner.accountId), count, by)
      if (answer.refused === null) this.runs.close(owner)
      return answer
    })
  }

  async remove(): Promise<void> {
    this.isRemovePending = this.working !== null || this.isTaskWorking
    this.isRefreshPending = false
    await this.deleteAll()
  }

  /** One task or run at a time: taken before the first await, because calls of a hub interleave wherever they wait. */
  private async alone<T>(task: (owner: Owner) => Promise<Answer<T>>): Promise<Answer<T>> {
    if (this.isBusy()) return refused('LDAP_BUSY')
    this.isTaskWorking = true
    try {
      const owner = await this.owner()
      await this.writer.resolvePending(owner)
      return await task(owner)
    } finally {
      this.isTaskWorking = false
      await this.goOn()
    }
  }

  private isBusy(): boolean {
    const { run } = this.storage.state
    return this.working !== null || this.isTaskWorking || (run !== null && isActive(run) && !isStalled(run, Date.now()))
  }

  // Runs

  async start(by?: DirectoryActor): Promise<boolean> {
    return this.begin(await this.owner(), by?.name)
  }

  async refresh(): Promise<void> {
    const owner = await this.readRow()
    if (owner === null || owner.revision === null) return
    const { listedRevision, dueAt, run } = this.storage.state
    if (owner.revision !== listedRevision) {
      this.isRefreshPending = !(await this.begin(owner)) && this.isBusy()
    } else if (!this.isBusy()) {
      if (owner.syncMode === LDAP_SYNC.automatic && dueAt === null && run?.phase !== 'asking')
        this.storage.update({ dueAt: nextRunAt(Date.now(), Math.random()) })
      await this.runs.saveOutcome(owner)
    }
    await this.schedule()
  }

  /** Begins a run; false if one works already, or nothing is configured. @param startedBy name of a person who asked for it. */
  private async begin(owner: Owner, startedBy?: string): Promise<boolean> {
    if (owner.revision === null || this.isBusy()) return false
    this.runs.supersede(owner, 'LDAP_SUPERSEDED')
    const kind = owner.syncMode === LDAP_SYNC.automatic ? 'sync' : 'list'
    this.storage.update({ run: createRun(randomHex(16), kind, Date.now(), startedBy), fault: '' })
    await this.schedule()
    return true
  }

  override async alarm(): Promise<void> {
    const owner = await this.readRow()
    if (!owner) return
    await this.retryOutcome(owner)
    const run = this.isTaskWorking || this.working ? null : findDueRun(owner, this.storage.state, Date.now())
    if (run) await this.work(owner, run)
    await this.goOn()
  }

  private async retryOutcome(owner: Owner): Promise<void> {
    if (!isUnsaved(this.storage.state) || this.isTaskWorking || this.working) return
    try {
      await this.runs.saveOutcome(owner)
    } catch (error) {
      logFault(this.hub, 'directory-outcome', rootCause(error))
    }
  }

  private async work(owner: Owner, run: Run): Promise<void> {
    const working = new ActiveRun(this.openDirectory, step(run, { type: 'started' }, Date.now()))
    if (!isEnded(run)) this.storage.update({ run: working.run })
    this.working = working
    try {
      if (isEnded(run)) return await this.runs.ended(owner, run)
      await this.runs.run(owner, working, await openPassword(this.env, owner))
    } catch (error) {
      logFault(this.hub, 'directory-run', rootCause(error))
      this.interrupt(working.run)
    } finally {
      this.working = null
    }
  }

  /** After a database outage or an internal fault the run goes on a little later, or ends with the next alarm. */
  private interrupt(run: Run): void {
    if (!isActive(run)) return
    const next = step(run, { type: 'interrupted' }, Date.now())
    this.storage.update({ run: isEnded(next) ? run : next })
  }

  /** Continues after a run or task: reads the configuration if it was saved meanwhile, else sets the alarm. */
  private async goOn(): Promise<void> {
    if (this.isRemovePending) return this.remove()
    if (!this.isRefreshPending) return this.schedule()
    this.isRefreshPending = false
    await this.refresh()
  }

  private async schedule(): Promise<void> {
    const working = { isRunWorking: this.working !== null, isTaskWorking: this.isTaskWorking }
    await wakeAt(this.ctx.storage, wakeTimes(this.storage.state, working, Date.now()))
  }

  /** A hub whose row is missing answers nothing. */
  private async owner(): Promise<Owner> {
    const owner = await this.readRow()
    if (!owner) throw new Error('the row of this hub is missing')
    return owner
  }

  /** The hub's row; null if it is missing, which deletes nothing. Data of another account than that of the row is deleted. */
  private async readRow(): Promise<Owner | null> {
    const owner = await readOwner(this.env, this.hub, Date.now())
    if (owner === null && this.storage.owner !== undefined) await this.row.mark()
    if (owner === null) return null
    this.row.found()
    if (!this.storage.recordOwner(owner.accountId)) {
      await this.deleteAll()
      this.storage.recordOwner(owner.accountId)
    }
    return owner
  }

  private async deleteAll(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.storage = new DirectoryStorage(this.ctx.storage)
  }
}
