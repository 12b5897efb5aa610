import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { ApiError, NETWORK_ERROR } from '#lib/call/transport.ts'
import { IMAGE_RULE } from '#contract/kernel/uploads.ts'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { FileField } from '#ui/form/upload/file-field.tsx'
import { UploadField } from '#ui/form/upload/upload-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

const schema = z.object({ files: z.array(z.string()) })
type Upload = (file: File) => Promise<string>

function Sample({ upload, onSubmit }: { upload: Upload; onSubmit: (values: unknown) => void }) {
  const form = useContractForm(schema, { files: [] })
  return (
    <Form form={form} onSubmit={onSubmit}>
      <UploadField control={form.control} name="files" label="附件" rule={IMAGE_RULE} maxFiles={3} upload={upload} />
      <FormActions submitText="提交" busy={form.busy} />
    </Form>
  )
}

function open(upload: Upload) {
  const onSubmit = vi.fn<(values: unknown) => void>()
  const { container } = render(
    <>
      <Sample upload={upload} onSubmit={onSubmit} />
      <ConfirmHost />
    </>,
  )
  const zone = container.querySelector('.nl-drop')!
  return {
    onSubmit,
    zone,
    drop: (...files: File[]) => fireEvent.drop(zone, { dataTransfer: { files } }),
    carried: async () => {
      await user.click(screen.getByRole('button', { name: '提交' }))
      await waitFor(() => expect(onSubmit).toHaveBeenCalled())
      return onSubmit.mock.lastCall?.[0]
    },
  }
}
const user = userEvent.setup({ applyAccept: false })
const createFile = (name: string, bytes = 8) => new File([new Uint8Array(bytes)], name)
const choose = (...files: File[]) => user.upload(screen.getByLabelText('附件'), files)
const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

it('uploads each file when chosen, shows progress, and submits the uploaded ids', async () => {
  let finish: (fileId: string) => void = () => {}
  const { carried, onSubmit } = open(() => new Promise((resolve) => (finish = resolve)))
  await choose(createFile('故障.png'))
  expect(screen.getByRole('listitem').getAttribute('aria-busy')).toBe('true')
  expect(rows()[0]).toContain('上传中…')
  await user.click(screen.getByRole('button', { name: '提交' }))
  expect(screen.getByRole('alert').textContent).toBe('文件上传中，请稍候')
  expect(onSubmit).not.toHaveBeenCalled()
  finish('file-1')
  await waitFor(() => expect(screen.getByRole('listitem').getAttribute('aria-busy')).toBe('false'))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(await carried()).toEqual({ files: ['file-1'] })
})

it.each([
  ['too large', createFile('a.png', UPLOAD.maxBytes + 1), '图片大小不能超过 2MB!'],
  ['of another kind', createFile('a.exe'), '选择的图片中包含不支持的格式'],
])('sends nothing that is %s', async (_, file, message) => {
  const upload = vi.fn<Upload>()
  open(upload)
  await choose(file)
  expect(screen.getByRole('alert').textContent).toBe(message)
  expect([upload.mock.calls, rows()]).toEqual([[], []])
})

const refused = new ApiError(422, '文件内容与格式不符', { field: 'file' })
const lost = new ApiError(NETWORK_ERROR, '系统响应超时,请稍候尝试')

it('a file without an answer can be retried or removed', async () => {
  const upload = vi.fn<Upload>().mockRejectedValueOnce(lost).mockResolvedValueOnce('file-2')
  const { carried } = open(upload)
  await choose(createFile('故障.png'))
  expect((await screen.findByRole('alert')).textContent).toBe('系统响应超时,请稍候尝试')
  await user.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(await carried()).toEqual({ files: ['file-2'] })
  await user.click(screen.getByRole('button', { name: '移除 故障.png' }))
  expect(await carried()).toEqual({ files: [] })
})

it.each([refused, new ApiError(413, '提交的内容过大，请精简后重试')])(
  'a file that was refused shows why, has no other try and takes no place: $msg',
  async (refusal) => {
    const upload = vi.fn<Upload>(async (file) => (file.name === '假的.png' ? Promise.reject(refusal) : file.name))
    const { drop } = open(upload)
    await choose(createFile('假的.png'))
    expect((await screen.findByRole('alert')).textContent).toBe(refusal.msg)
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
    drop(createFile('1.png'), createFile('2.png'), createFile('3.png'))
    await waitFor(() => expect(upload).toHaveBeenCalledTimes(4))
    expect(screen.getByLabelText<HTMLInputElement>('附件').disabled).toBe(true)
    await waitFor(() => expect(rows()).toHaveLength(4))
    expect(screen.queryByText('最多上传3个文件')).toBeNull()
  },
)

it('a submit with failed files asks first, and goes without them', async () => {
  const upload = vi.fn<Upload>(async (file) => (file.name === 'ok.png' ? 'file-1' : Promise.reject(refused)))
  const { onSubmit } = open(upload)
  await choose(createFile('ok.png'))
  await choose(createFile('假的.png'))
  await screen.findByRole('alert')
  const send = () => user.click(screen.getByRole('button', { name: '提交' }))
  await send()
  const question = within(await screen.findByRole('alertdialog', { name: '仍要提交？' }))
  expect(question.queryByText('不含 1 个上传失败的附件。')).not.toBeNull()
  await user.click(question.getByRole('button', { name: '返回修改' }))
  expect(onSubmit).not.toHaveBeenCalled()
  await send()
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '仍要提交' }))
  await waitFor(() => expect(onSubmit.mock.lastCall?.[0]).toEqual({ files: ['file-1'] }))
})

it('asks before every submit as long as failed files are there', async () => {
  const { onSubmit } = open(() => Promise.reject(refused))
  await choose(createFile('假的.png'))
  await screen.findByRole('alert')
  for (const times of [1, 2]) {
    await user.click(screen.getByRole('button', { name: '提交' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '仍要提交' }))
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(times))
  }
  await user.click(screen.getByRole('button', { name: '移除 假的.png' }))
  await user.click(screen.getByRole('button', { name: '提交' }))
  await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(3))
})

it('accepts dropped files up to the limit', async () => {
  const upload = vi.fn<Upload>(async (file) => file.name)
  const { drop, zone, carried } = open(upload)
  fireEvent.dragOver(zone)
  expect(zone.className).toContain('nl-drop-over')
  drop(createFile('1.png'), createFile('2.PNG'), createFile('3.gif'), createFile('4.jpg'))
  expect(zone.className).not.toContain('nl-drop-over')
  expect(screen.getByRole('alert').textContent).toBe('最多上传3个文件')
  await waitFor(() => expect(rows()).toHaveLength(3))
  expect(screen.getByLabelText<HTMLInputElement>('附件').disabled).toBe(true)
  drop(createFile('5.png'))
  expect(upload).toHaveBeenCalledTimes(3)
  expect(await carried()).toEqual({ files: ['1.png', '2.PNG', '3.gif'] })
})

function OneFile() {
  const form = useContractForm(z.object({ file: z.any() }), { file: null })
  return (
    <Form form={form} onSubmit={() => {}}>
      <FileField control={form.control} name="file" label="附件" rule={IMAGE_RULE} />
    </Form>
  )
}

it('a field of one file takes none of several that are dropped, and says so', async () => {
  const { container } = render(<OneFile />)
  const drop = (...files: File[]) => fireEvent.drop(container.querySelector('.nl-drop')!, { dataTransfer: { files } })
  drop(createFile('1.png'), createFile('2.png'))
  expect([screen.getByRole('alert').textContent, rows()]).toEqual(['只能选择一个文件，请重新选择', []])
  drop(createFile('1.png'))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(rows()[0]).toContain('1.png')
})
