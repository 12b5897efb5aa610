import { Component, type ReactNode } from 'react'
import { Fault } from './fault.tsx'

interface State {
  readonly error: unknown
}

/** Catches what no router catches: a chunk of the frame itself that did not come. */
export class Boundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <Fault error={this.state.error} />
  }
}
