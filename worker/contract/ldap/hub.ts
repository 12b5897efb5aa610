import type * as z from 'zod'
import type { appliedView, checkView, countsView, planName, runView, undoneView, userView } from './index.ts'
import type { LdapMode } from './limits.ts'
import type { Violation } from '#contract/kernel/result.ts'

/* Interface of the DirectoryHub, which reads and synchronises an LDAP directory. */

/** Connection and search settings of a directory, without its password. */
export interface DirectoryValues {
  readonly mode: LdapMode
  /** Private mode: router with the tunnel to the directory. */
  readonly routerId: number | null
  /** Lower case, IDN as punycode. */
  readonly domain: string
  /** Form of toCanonicalHost; the certificate's name has it, too. */
  readonly host: string
  readonly port: number
  readonly baseDn: string
  readonly security: 'none' | 'starttls' | 'ldaps'
  /** Key of the file with the CA; null: public authorities, or no encryption. */
  readonly caKey: string | null
  readonly certificateName: string
  readonly username: string
  readonly userFilter: string
  readonly usernameAttribute: string
  readonly phoneAttribute: string
}

/** Settings for access to a directory. An empty password stands for the stored one. */
export type DirectoryCandidate = DirectoryValues & { readonly password: string }

/** Person who asked, as named in audit rows. */
export interface DirectoryActor {
  readonly kind: 'main' | 'ram'
  readonly id: number
  readonly name: string
  readonly ip: string
}

/** Answer or refusal, by the directory or by us. */
export type Answer<T> = { readonly refused: Violation } | { readonly refused: null; readonly answer: T }

export type CheckAnswer = z.infer<typeof checkView>
export type DirectoryCounts = Readonly<z.infer<typeof countsView>>
export type UserRow = z.infer<typeof userView>
export type PlanKind = keyof DirectoryCounts

export interface DirectoryState {
  readonly count: number
  /** Sentence about the present fault; '' for none. */
  readonly fault: string
  /** Counts written by the newest ended run. */
  readonly written: DirectoryCounts
  readonly updatedAt: number | null
  /** Person who started the newest ended run, or 系统. */
  readonly actor: string
  readonly lastedMs: number
  readonly run: z.infer<typeof runView> | null
}

/** Task that a person starts on members; `uuids` null means all. */
export type DirectoryTask =
  | { readonly kind: 'import' | 'remove'; readonly hash: string; readonly uuids: readonly string[] | null }
  | { readonly kind: 'sync'; readonly hash: string }
  | { readonly kind: 'remove_disable' }

export type Applied = z.infer<typeof appliedView>
export type Undone = z.infer<typeof undoneView>

/** State of a user for which the directory refuses a sign-in. The log names it, and nobody who signs in. */
export type DirectoryRefusal = 'disabled' | 'gone' | 'locked' | 'expired' | 'password_expired' | 'restricted'

/** Id of a closing, which undo takes back. */
export interface Closed {
  readonly id: string
}

/** Result of a sign-in. `away`: no directory was asked. `paused`: too many wrong passwords of this user. */
export type DirectorySignIn = 'right' | 'wrong' | 'away' | 'paused' | DirectoryRefusal

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
    readonly names: readonly z.infer<typeof planName>[]
    readonly hash: string
    readonly count: number
  }>
  /** Starts a run, for a person or by itself; false if one is active. */
  start(by?: DirectoryActor): Promise<boolean>
  apply(task: DirectoryTask, by: DirectoryActor): Promise<Answer<Applied>>
  /** Continues the run that asked with this hash. */
  confirm(hash: string, by: DirectoryActor): Promise<Answer<null>>
  undo(id: string, by: DirectoryActor): Promise<Answer<Undone>>
  /** Deletes the imported members and the configuration. `count` is the number that the person expects. */
  close(count: number | null, by: DirectoryActor): Promise<Answer<Closed>>
  /** The account is erased: deletes everything, and whatever a run or task that works now would leave. */
  remove(): Promise<void>
}
