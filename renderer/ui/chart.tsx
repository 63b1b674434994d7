import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './chart.css'

export interface ChartSeries {
  readonly label: string
  /** A token: `--accent`. */
  readonly colour: string
  readonly kind: 'bars' | 'line'
  readonly dashed?: boolean
  /** Bars in full colour: they stand in front of others. */
  readonly strong?: boolean
}

interface ChartProps {
  /** First column: seconds; then one column a series. */
  readonly data: uPlot.AlignedData
  readonly series: readonly ChartSeries[]
  readonly height: number
  readonly format: (value: number) => string
  /** Seconds of room left and right, so that the outer bars are whole. */
  readonly edge: number
  /** The top of the scale is never below this. */
  readonly leastTop: number
  /** What the chart shows, in words. */
  readonly summary: string
  readonly onHover: (index: number | null) => void
}

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const FADED = 0.72

/** The values without a neighbour on either side. */
const isolated = (u: uPlot, at: number): number[] => {
  const values = u.data[at] ?? []
  return [...values.keys()].filter((i) => values[i] != null && values[i - 1] == null && values[i + 1] == null)
}
const AXIS_FONT = '11px system-ui, sans-serif'

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

function optionsOf(
  { series, height, format, leastTop, edge }: ChartProps,
  width: number,
  hover: (u: uPlot) => void,
): uPlot.Options {
  const axis = {
    stroke: () => token('--muted'),
    font: AXIS_FONT,
    grid: { stroke: () => token('--border'), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: (_, min, max) => [min - edge, max + edge] },
      y: { range: (_, __, max) => [0, Math.max(leastTop, (max ?? 0) * 1.15)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        gap: 4,
        space: 90,
        values: (_, moments) => moments.map((moment) => clock.format(moment * 1000)),
      },
      { ...axis, size: 52, gap: 6, space: 34, values: (_, values) => values.map(format) },
    ],
    series: [
      {},
      ...series.map((each): uPlot.Series => {
        const common = { label: each.label, stroke: () => token(each.colour), width: 1.5 }
        if (each.kind === 'bars') {
          const paths = uPlot.paths.bars?.({ size: [0.72, 7] })
          return {
            ...common,
            width: 0,
            alpha: each.strong === true ? 1 : FADED,
            fill: () => token(each.colour),
            points: { show: false },
            ...(paths === undefined ? {} : { paths }),
          }
        }
        return {
          ...common,
          ...(each.dashed === true ? { dash: [4, 3] } : {}),
          // A bucket between two without traffic has no line: it is shown as a point.
          points: { size: 4, width: 0, fill: () => token(each.colour), filter: isolated },
        }
      }),
    ],
    hooks: { setCursor: [hover] },
  }
}

/** A thin wrapper: one uPlot for the component's life, new data by `setData`, colours from the theme's tokens. */
export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const hover = (u: uPlot) => latest.current.onHover(u.cursor.idx ?? null)
    const made = new uPlot(optionsOf(latest.current, element.clientWidth, hover), latest.current.data, element)
    plot.current = made
    // Bars keep their colour in their paths: these are made anew, too.
    const redraw = () => made.redraw(true, true)
    const size = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: latest.current.height }))
    size.observe(element)
    const theme = new MutationObserver(redraw)
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const scheme = window.matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    return () => {
      size.disconnect()
      theme.disconnect()
      scheme.removeEventListener('change', redraw)
      made.destroy()
      plot.current = null
    }
  }, [])

  useEffect(() => {
    plot.current?.setData(props.data)
  }, [props.data])

  return (
    <div className="chart">
      <div ref={box} aria-hidden="true" />
      <p className="visually-hidden">{props.summary}</p>
    </div>
  )
}

export function LegendKey({ series }: { readonly series: ChartSeries }) {
  return (
    <span className={`legend-key legend-key--${series.colour.slice(2)}${series.dashed ? ' legend-key--dashed' : ''}`} />
  )
}
