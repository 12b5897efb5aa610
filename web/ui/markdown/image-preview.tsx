import PreviewInner from '@douyinfe/semi-ui/lib/es/image/previewInner'

interface ImagePreviewProps {
  readonly sources: readonly string[]
  /** The one that is shown first. */
  readonly first: string
  readonly onClose: () => void
}

/** Semi's viewer of images: zoom, rotation, download, and the arrow keys between them. */
export function ImagePreview({ sources, first, onClose }: ImagePreviewProps) {
  return (
    <PreviewInner
      visible
      src={[...sources]}
      defaultCurrentIndex={Math.max(0, sources.indexOf(first))}
      onVisibleChange={(isVisible) => {
        if (!isVisible) onClose()
      }}
    />
  )
}
