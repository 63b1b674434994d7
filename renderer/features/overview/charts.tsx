import { type ReactNode, useMemo, useState } from 'react'
import type uPlot from 'uplot'
import { METRICS_BUCKET_MS } from '../../../core/contract/kinds'
import { CHART_MINUTES } from '../../app/connect'
import { usePushed } from '../../app/pushed'
import { Card } from '../../ui/card'
import { Chart, type ChartSeries, LegendKey } from '../../ui/chart'
import { count } from '../../ui/numbers'
import { clockTimeWithSeconds, duration } from '../../ui/time'
import { useNow } from '../../ui/use-now'
import { Waiting } from '../../ui/waiting'
import { describeLatency, describeRequests, latestLatency, type Series, toSeries, totals } from './series'

const HEIGHT = 150
const REQUEST_SERIES: readonly ChartSeries[] = [
  { label: 'requests', colour: '--accent', kind: 'bars' },
  { label: 'failed', colour: '--down', kind: 'bars', strong: true },
]
const LATENCY_SERIES: readonly ChartSeries[] = [
  { label: 'p50', colour: '--accent', kind: 'line' },
  { label: 'p95', colour: '--idle', kind: 'line', dashed: true },
]
const wholeOnly = (value: number): string => (Number.isInteger(value) ? count(value) : '')
const axisTime = (value: number): string => (value === 0 ? '0' : duration(value))
const noValue = '–'
const time = (value: number | null | undefined): string => (value == null ? noValue : duration(value))

export function Charts() {
  const metrics = usePushed(({ metrics }) => metrics)
  const bucket = Math.floor(useNow() / METRICS_BUCKET_MS)
  const series = useMemo(
    () => (metrics.at === 'ready' ? toSeries(metrics.value, bucket * METRICS_BUCKET_MS, CHART_MINUTES) : null),
    [metrics, bucket],
  )
  if (series === null)
    return (
      <div className="charts">
        {['Requests per 10 s', 'Time to answer'].map((title) => (
          <Card key={title} title={title}>
            {metrics.at === 'failed' ? (
              <p className="card__body muted">{metrics.error.message}</p>
            ) : (
              <Waiting forWhat="the figures of the last minutes" />
            )}
          </Card>
        ))}
      </div>
    )
  return (
    <div className="charts">
      <RequestsCard series={series} />
      <LatencyCard series={series} />
    </div>
  )
}

function RequestsCard({ series }: { readonly series: Series }) {
  const [index, setIndex] = useState<number | null>(null)
  const data = useMemo<uPlot.AlignedData>(() => [series.at, series.requests, series.failed], [series])
  const whole = totals(series)
  const shown = index === null ? whole : { requests: series.requests[index] ?? 0, failed: series.failed[index] ?? 0 }
  return (
    <Card
      title="Requests per 10 s"
      aside={
        <Legend
          moment={momentAt(series, index)}
          series={REQUEST_SERIES}
          values={[count(shown.requests), count(shown.failed)]}
        />
      }
    >
      <Chart
        data={data}
        series={REQUEST_SERIES}
        height={HEIGHT}
        format={wholeOnly}
        edge={METRICS_BUCKET_MS / 2000}
        leastTop={4}
        summary={describeRequests(series, CHART_MINUTES)}
        onHover={setIndex}
      />
      {whole.requests === 0 && <ChartNote>No requests in the last {CHART_MINUTES} minutes</ChartNote>}
    </Card>
  )
}

function LatencyCard({ series }: { readonly series: Series }) {
  const [index, setIndex] = useState<number | null>(null)
  const data = useMemo<uPlot.AlignedData>(() => [series.at, series.p50, series.p95], [series])
  const latest = latestLatency(series)
  const shown = index === null ? latest : { p50: series.p50[index], p95: series.p95[index] }
  return (
    <Card
      title="Time to answer"
      aside={
        <Legend
          moment={momentAt(series, index)}
          series={LATENCY_SERIES}
          values={[time(shown?.p50), time(shown?.p95)]}
        />
      }
    >
      <Chart
        data={data}
        series={LATENCY_SERIES}
        height={HEIGHT}
        format={axisTime}
        edge={METRICS_BUCKET_MS / 2000}
        leastTop={100}
        summary={describeLatency(series, CHART_MINUTES)}
        onHover={setIndex}
      />
      {latest === null && <ChartNote>No request ended in the last {CHART_MINUTES} minutes</ChartNote>}
    </Card>
  )
}

const momentAt = (series: Series, index: number | null): string => {
  const at = index === null ? undefined : series.at[index]
  return at === undefined ? `${CHART_MINUTES} min` : clockTimeWithSeconds(at * 1000)
}

interface LegendProps {
  readonly moment: string
  readonly series: readonly ChartSeries[]
  readonly values: readonly string[]
}
function Legend({ moment, series, values }: LegendProps) {
  return (
    <div className="legend" aria-hidden="true">
      <span className="legend__moment">{moment}</span>
      {series.map((each, at) => (
        <span key={each.label} className="legend__item">
          <LegendKey series={each} />
          {each.label} <strong>{values[at]}</strong>
        </span>
      ))}
    </div>
  )
}

function ChartNote({ children }: { readonly children: ReactNode }) {
  return (
    <p className="chart-note" aria-hidden="true">
      <span>{children}</span>
    </p>
  )
}
