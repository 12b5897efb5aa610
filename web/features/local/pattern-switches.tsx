import Button from '@douyinfe/semi-ui/lib/es/button'
import { useSearchParams } from 'react-router'
import { Segmented } from '#ui/form/segmented.tsx'

interface PatternSwitchesProps {
  /** Contents of the pattern, by `rows` in the address; the first is the default. */
  readonly contents: readonly { readonly value: string; readonly label: string }[]
}

/** Switch of a pattern's contents, and a button for a window as wide as a phone: media queries ask the window. */
export function PatternSwitches({ contents }: PatternSwitchesProps) {
  const [query, setQuery] = useSearchParams()
  const value = contents.find((content) => content.value === query.get('rows'))?.value ?? contents[0]?.value ?? ''
  const choose = (rows: string) => setQuery({ pattern: query.get('pattern') ?? '', rows })
  return (
    <>
      <Segmented<string> label="内容" value={value} options={contents} onChange={choose} />
      <Button onClick={() => open(location.href, 'kit-390', 'popup,width=390,height=844')}>390 px 窗口</Button>
    </>
  )
}
