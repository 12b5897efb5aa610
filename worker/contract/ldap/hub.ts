import type { LdapMode, RunPhase } from './limits.ts'
import type { Violation } from '#contract/kernel/result.ts'

/* Interface of the DirectoryHub, which reads and synchronises an LDAP directory. */

/** Settings for access to a directory (domain/ldap/form.ts DirectoryValues). */
export interface DirectoryCandidate {
  readonly mode: LdapMode
  readonly routerId: number | null
  readonly domain: string
  readonly host: string
  readonly port: number
  readonly baseDn: string
  readonly security: 'none' | 'starttls' | 'ldaps'
  readonly caKey: string | null
  readonly certificateName: string
  readonly username: string
  /** Password of the reading account; '' for the stored one. */
  readonly password: string
  readonly userFilter: string
  readonly usernameAttribute: string
  readonly phoneAttribute: string
}

/** Person who asked, as named in audit rows. */
export interface DirectoryActor {
  readonly kind: 'main' | 'ram'
  readonly id: number
  readonly name: string
  readonly ip: string
}

/** Answer or refusal, by the directory or by us. */
export type Answer<T> = { readonly refused: Violation } | { readonly refused: null; readonly answer: T }

export interface CheckAnswer {
  readonly server: string
  readonly tls: string
  readonly certificate: { readonly subject: string; readonly issuer: string; readonly expire_time: number } | null
  readonly count: number
  readonly sample: readonly {
    readonly username: string
    readonly note: string
    readonly phone: string
    readonly verify: string
  }[]
}

export interface DirectoryCounts {
  readonly added: number
  readonly changed: number
  readonly disabled: number
  readonly enabled: number
  readonly conflicts: number
  readonly removable: number
}

export interface UserRow {
  readonly uuid: string
  readonly username: string
  readonly description: string
  readonly exist: 0 | 1
  readonly disable: 0 | 1
  readonly verify: string
}

export interface DirectoryState {
  readonly count: number
  /** Sentence about the present fault; '' for none. */
  readonly fault: string
  /** Counts written by the newest ended run. */
  readonly written: DirectoryCounts
  readonly updatedAt: number | null
  readonly lastedMs: number
  readonly run: {
    readonly state: 'running' | 'asking' | 'done' | 'failed'
    readonly phase: RunPhase
    readonly done: number
    readonly total: number
    readonly stop: string
    readonly hash: string
    readonly counts: DirectoryCounts
  } | null
}

export type PlanKind = 'added' | 'changed' | 'disabled' | 'enabled' | 'conflicts' | 'removable'

/** Task that a person starts on members; `uuids` null means all. */
export type DirectoryTask =
  | { readonly kind: 'import' | 'remove'; readonly hash: string; readonly uuids: readonly string[] | null }
  | { readonly kind: 'sync'; readonly hash: string }
  | { readonly kind: 'remove_disable' }

export interface Applied extends DirectoryCounts {
  /** Number of members that did not join the associated network, and the reason of the first. */
  readonly outside: number
  readonly reason: string
  readonly result: readonly { readonly uuid: string; readonly ok: 0 | 1; readonly msg: string }[]
}

/** Result of a sign-in. `away`: no directory was asked. `paused`: too many wrong passwords of this user. */
export type DirectorySignIn = 'right' | 'wrong' | 'away' | 'paused'

/** Person who signs in: key of the count of wrong passwords, and the entry; null for a name without an entry. */
export interface DirectorySubject {
  readonly key: string
  readonly directoryId: string | null
}

export interface DirectoryHubRpc {
  /** Checks a password against the directory. A name outside the directory never gets 'right'. */
  signIn(subject: DirectorySubject, password: string): Promise<DirectorySignIn>
  /** Reads the rows again after a save or a close, or because a run is overdue. */
  refresh(): Promise<void>
  /** Connects and lists. A success is remembered, so that these values may be saved. */
  check(candidate: DirectoryCandidate): Promise<Answer<CheckAnswer>>
  /** True when a check of exactly these values succeeded recently. */
  isChecked(candidate: DirectoryCandidate): Promise<boolean>
  state(): Promise<DirectoryState>
  users(question: {
    readonly search: string
    readonly exist: '' | '0' | '1'
    readonly page: number
    readonly limit: number
  }): Promise<{
    readonly rows: readonly UserRow[]
    readonly count: number
    readonly hash: string
    readonly listedAt: number | null
  }>
  plan(question: { readonly kind: PlanKind; readonly page: number }): Promise<{
    readonly counts: DirectoryCounts
    readonly names: readonly {
      readonly uuid: string
      readonly name: string
      readonly to: string
      readonly reason: string
    }[]
    readonly hash: string
    readonly count: number
  }>
  /** Starts a run; false if one is active. */
  start(): Promise<boolean>
  apply(task: DirectoryTask, by: DirectoryActor): Promise<Answer<Applied>>
  /** Continues the run that asked with this hash. */
  confirm(hash: string, by: DirectoryActor): Promise<Answer<null>>
  undo(id: string, by: DirectoryActor): Promise<Answer<null>>
  /** Deletes the imported members and the configuration. `count` is the number that the person expects. */
  close(count: number | null, by: DirectoryActor): Promise<Answer<null>>
}
