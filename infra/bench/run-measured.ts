import { ROOT } from '../local/paths.ts'
import { run } from '../local/run.ts'

/** Runs a script in a process of its own, at the root of the project; what it wrote last, behind warnings of Node. */
export async function runMeasured(
  script: string,
  values: readonly string[],
  flags: readonly string[] = [],
): Promise<string> {
  const { code, output } = await run(process.execPath, [...flags, script, ...values], { cwd: ROOT })
  if (code !== 0) throw new Error(`${script} failed:\n${output}`)
  return output.trimEnd().split('\n').at(-1) ?? ''
}
