import { useEffect, useState } from 'react'

const SKELETON_AFTER_MS = 300
const WORDS_AFTER_MS = 2000
const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']

/** Nothing at first, a skeleton after 300 ms, and after 2 s the words: what it waits for. */
export function Waiting({ forWhat, bars = 3 }: { readonly forWhat: string; readonly bars?: number }) {
  const [stage, setStage] = useState<'nothing' | 'skeleton' | 'words'>('nothing')
  useEffect(() => {
    const timers = [
      setTimeout(() => setStage('skeleton'), SKELETON_AFTER_MS),
      setTimeout(() => setStage('words'), WORDS_AFTER_MS),
    ]
    return () => timers.forEach(clearTimeout)
  }, [])
  return (
    <div className="skeleton" aria-busy="true">
      <span className="visually-hidden" role="status">
        {`Waiting for ${forWhat}`}
      </span>
      {stage !== 'nothing' &&
        BARS.slice(0, bars).map((bar) => <div key={bar} className="skeleton__bar" aria-hidden="true" />)}
      {stage === 'words' && <p className="muted small">{`Still waiting for ${forWhat}.`}</p>}
    </div>
  )
}
