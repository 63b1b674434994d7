/** Text to copy. What scrolls can be reached and scrolled by keyboard. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller is a stop of the keyboard
    <section className="code-block" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}
