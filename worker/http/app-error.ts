import { type ErrorKey, type Violation, messageOf, violation } from '../contract/errors.ts'

/** A refusal the caller caused, answered from the catalogue. Everything else that is thrown is a fault: 500. */
export class AppError extends Error {
  readonly violation: Violation
  constructor(found: Violation) {
    super(messageOf(found))
    this.name = 'AppError'
    this.violation = found
  }
}

/** Throws if the rule found something. */
export function refuse(found: Violation | null): void {
  if (found) throw new AppError(found)
}

export function fail(key: ErrorKey, params: Violation['params'] = {}, field?: string): never {
  throw new AppError(violation(key, params, field))
}
