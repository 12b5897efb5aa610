import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useState } from 'react'

interface DialogProviderProps<Kind extends string, Props> {
  /** One component for each kind; a lazy one loads when it is opened. */
  readonly table: Readonly<Record<Kind, ComponentType<Props & { readonly onClose: () => void }>>>
  /** What every dialog of the table receives, beside `onClose`. */
  readonly props: Props
  readonly onOpen?: (kind: Kind) => void
  readonly children: ReactNode
}

/**
 * The dialogs of one page: `DialogProvider` stands around the page, and `useOpenDialog()` inside it gives `open(kind)`. A
 * dialog that opens another stays below it.
 */
export function createDialogs<Kind extends string, Props extends object>() {
  const OpenDialog = createContext<(kind: Kind) => void>(() => {
    throw new Error('no DialogProvider around this component')
  })

  function DialogProvider({ table, props, onOpen, children }: DialogProviderProps<Kind, Props>) {
    const [kinds, setKinds] = useState<readonly Kind[]>([])
    const open = (kind: Kind) => {
      onOpen?.(kind)
      setKinds((now) => [...now.filter((other) => other !== kind), kind])
    }
    const close = (kind: Kind) => setKinds((now) => now.filter((other) => other !== kind))
    return (
      <OpenDialog.Provider value={open}>
        {children}
        {kinds.map((kind) => {
          const Dialog: ComponentType<Props & { readonly onClose: () => void }> = table[kind]
          return (
            <Suspense key={kind} fallback={null}>
              <Dialog {...props} onClose={() => close(kind)} />
            </Suspense>
          )
        })}
      </OpenDialog.Provider>
    )
  }

  return { DialogProvider, useOpenDialog: () => useContext(OpenDialog) }
}
