import { FileRow } from './file-drop.tsx'
import type { useUploads } from './use-uploads.ts'

/* List of the files of an upload field, with their states. */

export function UploadList({ uploads }: { readonly uploads: ReturnType<typeof useUploads> }) {
  if (uploads.items.length === 0) return null
  return (
    <ul className="nl-files">
      {uploads.items.map((item) => (
        <FileRow
          key={item.key}
          name={item.file.name}
          bytes={item.file.size}
          state={item.state}
          reason={item.reason}
          onRetry={item.state === 'failed' ? () => uploads.retry(item) : undefined}
          onRemove={() => uploads.remove(item.key)}
        />
      ))}
    </ul>
  )
}
