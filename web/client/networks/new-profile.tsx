import { useState } from 'react'
import { type Network, createProfile, listProfiles } from '../api.ts'
import { Failure, Field } from '../field.tsx'
import { useTask } from '../use-task.ts'
import { PhoneLink } from './phone-link.tsx'

interface NewProfileProps {
  readonly network: Network
  readonly onChange: () => void
}

/** Makes a profile: its file is saved here, or a phone fetches it by a link. */
export function NewProfile({ network, onChange }: NewProfileProps) {
  const [name, setName] = useState('')
  const [linked, setLinked] = useState<number | null>(null)
  const { isBusy, failure, run } = useTask()
  const { network_number: number } = network
  const save = () =>
    run(async () => {
      saveFile(await createProfile(number, name))
      setName('')
      onChange()
    })
  const link = () =>
    run(async () => {
      await createProfile(number, name) // the phone fetches the same file
      const newest = (await listProfiles()).find(({ network_number }) => network_number === number)
      setName('')
      setLinked(newest?.profile_id ?? null)
      onChange()
    })
  return (
    <form
      className="new"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field label="设备名称" value={name} onText={setName} placeholder="如：我的手机" required />
      <div className="buttons">
        <button className="main" disabled={isBusy || name.trim() === ''}>
          下载接入配置
        </button>
        <button type="button" disabled={isBusy || name.trim() === ''} onClick={() => void link()}>
          用手机扫码下载
        </button>
      </div>
      <Failure text={failure} />
      {linked !== null && <PhoneLink key={linked} profileId={linked} />}
    </form>
  )
}

function saveFile({ name, content }: { readonly name: string; readonly content: Blob }): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // Safari reads it late
}
