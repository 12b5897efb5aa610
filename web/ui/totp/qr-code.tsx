import { useEffect, useState } from 'react'
import styles from './totp.module.css'

/** A QR code as an image; the library arrives with the first one. Without it the text beside it does. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [svg, setSvg] = useState('')
  useEffect(() => {
    let isShown = true
    import('uqr').then(
      ({ renderSVG }) => isShown && setSvg(renderSVG(text, { ecc: 'M', border: 4 })),
      () => null,
    )
    return () => {
      isShown = false
    }
  }, [text])
  if (svg === '') return <span className={styles.qr} aria-hidden="true" />
  return <img className={styles.qr} alt={label} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />
}
