import { PHASES, type Rendering, type Step, type Tool } from './tool.ts'
import type { Failure } from '#infra/agent/config/config-machine.ts'

/* Plan over all tools: their steps in the order of the phases. */

/** A step with the tool that runs it. */
export interface PlannedStep {
  readonly tool: string
  readonly step: Step
  run(): Promise<void>
}

/** A tool without the types of its own parts. */
export interface AnyTool {
  readonly name: string
  validate(rendering: Rendering): Promise<Failure | null>
  supervise(rendering: Rendering | null): void
  /** Steps from the device as it is to a rendering. */
  plan(rendering: Rendering | null): Promise<readonly PlannedStep[]>
  /** Steps between two settled renderings. Pure. */
  transition(before: Rendering | null, after: Rendering | null): readonly Step[]
}

export function anyTool<Wanted, Observed, OwnStep extends Step>(tool: Tool<Wanted, Observed, OwnStep>): AnyTool {
  return {
    name: tool.name,
    validate: (rendering) => tool.validate(tool.wanted(rendering)),
    supervise: (rendering) => tool.supervise?.(tool.wanted(rendering)),
    async plan(rendering) {
      const wanted = tool.wanted(rendering)
      const steps = tool.plan(await tool.observe(), wanted)
      return steps.map((step) => ({ tool: tool.name, step, run: () => tool.run(step, wanted) }))
    },
    transition: (before, after) => tool.plan(tool.settled(tool.wanted(before)), tool.wanted(after)),
  }
}

/** Steps of all tools by phase; those of one phase stay in the order of the tools. */
export const mergeSteps = <T extends { readonly step: Step }>(plans: readonly (readonly T[])[]): readonly T[] =>
  plans.flat().toSorted((a, b) => PHASES.indexOf(a.step.phase) - PHASES.indexOf(b.step.phase))

/** Steps of an apply that leads from one document to another, if nothing has moved by itself. */
export const planTransition = (
  tools: readonly AnyTool[],
  before: Rendering | null,
  after: Rendering | null,
): readonly Step[] =>
  mergeSteps(tools.map((tool) => tool.transition(before, after).map((step) => ({ step })))).map(({ step }) => step)

export const networksOf = (steps: readonly Step[]): string[] =>
  [...new Set(steps.flatMap(({ networks }) => networks))].toSorted()
