import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { empty, nothing, password, passwordCalled } from './fields.ts'

export const passwordChange = z
  .object({
    old_password: passwordCalled('原密码'),
    password,
    reset_password: z.string().min(1, '重复密码不能为空'),
  })
  .refine((form) => form.password === form.reset_password, { path: ['reset_password'], message: '2次密码输入不一致' })

export const ramApi = {
  password: endpoint({
    method: 'POST',
    path: 'ram/password',
    access: 'ram',
    summary: "Change a sub-account's own password; ends its sessions",
    input: passwordChange,
    output: nothing,
    done: 'changed',
    example: { old_password: 'Weilai26', password: 'Weilai27', reset_password: 'Weilai27' },
  }),
  domain: endpoint({
    method: 'GET',
    path: 'ram/domain',
    access: 'main',
    summary: 'Suffix of sub-account names: name@suffix',
    input: empty,
    output: z.object({ domain: z.string() }),
    example: {},
  }),
} as const
