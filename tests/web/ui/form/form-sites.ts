/* Components with a form, as the sources name them and as a running page shows them. */

/** Call of a hook that makes a form; its definition and a mention in a comment are none. */
const CALL = /(?<![`\w]|function )use\w*Form(?:<[^>()]*>)?\(/g
const COMPONENT = /^(?:export )?(?:default )?function (\w+)/gm
/** The kit makes the hook; its samples are shown in a local run alone. */
const NOT_A_FORM = /^web\/(?:ui\/form|features\/local)\//

const SOURCES = import.meta.glob<string>('/web/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })

/** `file component` of every call in the console. */
export function listFormSites(): readonly string[] {
  const sites = Object.entries(SOURCES)
    .map(([path, text]) => [path.slice(1), text] as const)
    .filter(([file]) => !NOT_A_FORM.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(CALL)].map(({ index }) => {
        const [, name = ''] = [...text.slice(0, index).matchAll(COMPONENT)].at(-1) ?? []
        return `${file} ${name}`
      }),
    )
  return [...new Set(sites)]
}

/** `file component` of the callers of the present function. */
export const callerSites = (): readonly string[] =>
  [...(new Error('where').stack ?? '').matchAll(/at (?:\w+\.)*(\w+) \(.*?\/(web\/(?:features|ui|app)\/[^?:)]+)/g)].map(
    ([, name, file]) => `${file} ${name}`,
  )
