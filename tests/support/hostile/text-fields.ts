import type * as z from 'zod'

/** Markup of several lengths, for fields that ask for a certain one. */
const PROBES = ['<b>', '<b>x</b>', '<b>x</b><i>y</i>z', `<b>${'x'.repeat(40)}`]

/** Of a schema, as far as its parts are concerned. */
export interface Def {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly items?: readonly z.ZodType[]
  readonly keyType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly left?: z.ZodType
  readonly right?: z.ZodType
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
}
export const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def

export const takesMarkup = (schema: z.ZodType): boolean => PROBES.some((probe) => schema.safeParse(probe).success)

/** Parts of a schema with what stands for them in a path. */
function partsOf(schema: z.ZodType): readonly (readonly [step: string, part: z.ZodType | undefined])[] {
  const { type, shape = {}, options = [], items = [], ...def } = defOf(schema)
  switch (type) {
    case 'object':
      return Object.entries(shape).map(([name, part]) => [`.${name}`, part])
    case 'array':
      return [['[]', def.element]]
    case 'tuple':
      return items.map((item) => ['[]', item])
    case 'record':
      return [
        ['{key}', def.keyType],
        ['{}', def.valueType],
      ]
    case 'union':
      return options.map((option) => ['', option])
    case 'intersection':
      return [
        ['', def.left],
        ['', def.right],
      ]
    case 'pipe': // text that one end takes and the other refuses is refused
      return [def.in, def.out].filter((end) => end && defOf(end).type !== 'string').map((end) => ['', end])
    default:
      return [['', def.innerType]]
  }
}

/** Paths of the fields that take markup as it is: every place of a call in which somebody may write any text. */
export function textFields(schema: z.ZodType, path = ''): readonly string[] {
  if (defOf(schema).type === 'transform') return []
  if (takesMarkup(schema)) return [path.replace(/^\./, '')]
  const found = partsOf(schema).flatMap(([step, part]) => (part ? textFields(part, path + step) : []))
  return [...new Set(found)]
}
