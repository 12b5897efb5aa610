/** In place of the canvas: the downward rates in Mbit/s as text. */
export default function FakeChart({ down }: { readonly down: readonly { readonly value: number }[] }) {
  return <output aria-label="曲线">{down.map(({ value }) => value / 1e6).join(' ')}</output>
}
