import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react'
import { networkError } from '../lib/transport.ts'
import { Dialog } from './dialog.tsx'
import { ErrorState } from './states.tsx'

interface DialogModule<Props> {
  readonly default: ComponentType<Props>
}

/**
 * A dialog in a chunk of its own. In place of `lazy()`, which throws to the error boundary of the page for good: a chunk
 * that does not arrive is a dialog that says so, and is asked for again.
 */
export function lazyDialog<Props extends { readonly onClose: () => void }>(
  load: () => Promise<DialogModule<Props>>,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | null = null
  return function LazyDialog(props: Props) {
    const [Loaded, setLoaded] = useState(() => known)
    const [tries, setTries] = useState(1)
    const [failed, setFailed] = useState(0) // the try that failed last
    useEffect(() => {
      if (known !== null) return
      load().then(
        (module) => {
          known = module.default
          setLoaded(() => known)
        },
        () => setFailed(tries),
      )
    }, [tries])
    if (Loaded !== null) return <Loaded {...props} />
    if (failed < tries) return null
    return (
      <Dialog title="加载失败" widthPx={440} onClose={props.onClose}>
        <ErrorState error={networkError()} onRetry={() => setTries(tries + 1)} />
      </Dialog>
    )
  }
}
