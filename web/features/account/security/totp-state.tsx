import { Icon } from '#ui/state/icon.tsx'

interface TotpStateProps {
  readonly isOn: boolean
  /** 两步验证, where nothing else says so. */
  readonly noun?: string
}

/** State of the second factor: icon, word and colour. */
export function TotpState({ isOn, noun = '' }: TotpStateProps) {
  const tone = isOn ? 'ok' : 'warn'
  return (
    <span className={`nl-status nl-tone-${tone}`}>
      <Icon shape={isOn ? 'tick' : 'ring'} tone={tone} />
      <span className="nl-status-word">{`${noun}${isOn ? '已' : '未'}开启`}</span>
    </span>
  )
}
