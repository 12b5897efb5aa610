/** Thing that the machine lacks, or that stands in the way. */
export interface Problem {
  /** The driver does not start with it. */
  readonly isFatal: boolean
  /** One English line that says what to do. */
  readonly text: string
}

export const fatal = (text: string): Problem => ({ isFatal: true, text })
export const hint = (text: string): Problem => ({ isFatal: false, text })
