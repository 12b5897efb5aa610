import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listFiles } from '#tests/support/source-files.ts'

const files = listFiles('web', /\.tsx?$/)
const textOf = (file: string): string => readFileSync(file, 'utf8')

/** Text inputs outside forms: search, page number, typed confirmation, pasted rows. Each cleans its own text. */
const OUTSIDE_FORMS = [
  'web/app/palette/palette.tsx',
  'web/client/field.tsx', // the server cleans what this page sends
  'web/features/network/plan/picker/paste-dialog.tsx',
  'web/features/network/settings/routing/prefix-dialog.tsx',
  'web/ui/dialog/confirm-dialog.tsx',
  'web/ui/table/filter-bar.tsx',
  'web/ui/table/pager/pager.tsx',
]
/** Fields of the kit that take no text, or only one that searches their options. */
const WITHOUT_TEXT = [
  'CheckboxField',
  'FixedField',
  'MultiChoiceField',
  'RadioField',
  'RemoteSelectField',
  'SelectField',
  'SwitchField',
]
const KIT = /^web\/ui\/form\/(inputs|dates)\//

it('no input has a maxLength, which would cut a text before it is cleaned', () => {
  expect(files.filter((file) => /\bmaxlength\b/i.test(textOf(file)))).toEqual([])
})

it('no form is sent beside the kit, which tells the problems of fields that are not on the page', () => {
  const isSentAlone = (file: string) => /\b(?:handleSubmit|useForm)\b[(<]/.test(textOf(file))
  expect(files.filter(isSentAlone)).toEqual(['web/ui/form/use-contract-form.ts'])
})

it('forms take text by the fields of the form kit alone', () => {
  const isRaw = (file: string) => /semi-ui\/lib\/es\/(?:input|inputNumber|autoComplete|tagInput)\b/.test(textOf(file))
  const isTyped = (file: string) =>
    [...textOf(file).matchAll(/<(?:input|textarea)\b[^>]*/g)].some(
      ([tag]) => !/type="(?:checkbox|file)"/.test(tag) && !/readOnly hidden/.test(tag),
    )
  const offenders = files.filter((file) => !KIT.test(file) && (isRaw(file) || isTyped(file)))
  expect(offenders).toEqual(OUTSIDE_FORMS)
})

it('each field of the kit into which a text goes has a sample, and the browser pastes into each sample', () => {
  const fields = files
    .filter((file) => KIT.test(file))
    .flatMap((file) =>
      [...textOf(file).matchAll(/export function (\w+(?:Field|Range))\b/g)].map(([, name = '']) => name),
    )
  const sample = textOf('web/features/local/samples/paste-sample.tsx')
  expect(fields.length).toBeGreaterThan(WITHOUT_TEXT.length)
  expect(fields.filter((name) => !sample.includes(`<${name} `)).toSorted()).toEqual(WITHOUT_TEXT)
  const pasted = textOf('tests/browser/paste.test.ts')
  const labels = [...sample.matchAll(/<\w+Field [^>]*?label="([^"]+)"/g)].map(([, label = '']) => label)
  expect(labels.filter((label) => !pasted.includes(`['${label}', `))).toEqual(['粘贴时间范围']) // its ends have labels
})
