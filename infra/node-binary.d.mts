export interface Machine {
  /** Path of the Node that npm installed, or null. */
  readonly locked: string | null
  /** Path of the Node that runs now. */
  readonly own: string
  readonly version: string
  readonly platform: string
  readonly arch: string
}
export function chooseNode(machine: Machine, major: number): { path: string } | { problem: string }
