// Draws every icon: a breakwater (an arc over a wave), and for the tray a corner mark whose shape tells the state.
// Run by hand after a change: node build/icons.mjs. The results are kept in the repository.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './context.mjs'
import { icns, ico, png } from './png.mjs'

const SAMPLES = 4

// Shapes answer "how far outside am I?" in units of the picture's width (0 … 1); negative is inside.
const circle = (cx, cy, r) => (x, y) => Math.hypot(x - cx, y - cy) - r
const ring = (cx, cy, r, width) => (x, y) => Math.abs(Math.hypot(x - cx, y - cy) - r) - width / 2
const box = (cx, cy, half, round) => (x, y) => {
  const dx = Math.abs(x - cx) - half + round
  const dy = Math.abs(y - cy) - half + round
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - round
}
const line = (x1, y1, x2, y2, width) => (x, y) => {
  const t = Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)))
  return Math.hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1)) - width / 2
}
const triangle = (cx, cy, r) => (x, y) => {
  const px = Math.abs(x - cx)
  const py = y - cy
  return Math.max(py - r * 0.5, px * 0.866 - py * 0.5 - r * 0.5)
}
const union =
  (...shapes) =>
  (x, y) =>
    Math.min(...shapes.map((shape) => shape(x, y)))
const grown = (shape, by) => (x, y) => shape(x, y) - by

/** An arc standing on the water: the upper half of a ring. */
const arc = (cx, cy, r, width) => (x, y) =>
  y <= cy
    ? ring(cx, cy, r, width)(x, y)
    : Math.min(Math.hypot(x - cx + r, y - cy), Math.hypot(x - cx - r, y - cy)) - width / 2

const wave = (cy, height, width, from, to) => (x, y) => {
  const clamped = Math.min(to, Math.max(from, x))
  const middle = cy + height * Math.sin(((clamped - from) / (to - from)) * Math.PI * 4)
  // The slope makes a sine's stroke thinner than its vertical distance says.
  const slope = (height * Math.PI * 4 * Math.cos(((clamped - from) / (to - from)) * Math.PI * 4)) / (to - from)
  return Math.hypot(x - clamped, (y - middle) / Math.sqrt(1 + slope * slope)) - width / 2
}

const silhouette = (stroke) => union(arc(0.5, 0.6, 0.33, stroke), wave(0.82, 0.05, stroke, 0.1, 0.9))

const C = {
  ok: [0x2f, 0xa8, 0x70],
  warn: [0xe0, 0x9a, 0x1e],
  down: [0xdc, 0x3b, 0x30],
  idle: [0x7d, 0x8c, 0x99],
  white: [0xff, 0xff, 0xff],
}
const at = { x: 0.74, y: 0.72 }

/** Each mark: its body, what is cut into it, its colour. Told apart by shape alone, in one colour too. */
const MARKS = {
  healthy: {
    body: circle(at.x, at.y, 0.24),
    cut: union(
      line(at.x - 0.11, at.y + 0.01, at.x - 0.03, at.y + 0.09, 0.07),
      line(at.x - 0.03, at.y + 0.09, at.x + 0.12, at.y - 0.08, 0.07),
    ),
    colour: C.ok,
  },
  strained: {
    body: triangle(at.x - 0.03, at.y + 0.09, 0.315),
    cut: union(
      line(at.x - 0.03, at.y - 0.06, at.x - 0.03, at.y + 0.06, 0.075),
      circle(at.x - 0.03, at.y + 0.16, 0.042),
    ),
    colour: C.warn,
  },
  down: {
    body: box(at.x, at.y, 0.24, 0.05),
    cut: union(line(at.x, at.y - 0.13, at.x, at.y + 0.03, 0.08), circle(at.x, at.y + 0.14, 0.05)),
    colour: C.down,
  },
  paused: { body: ring(at.x, at.y, 0.19, 0.1), clear: circle(at.x, at.y, 0.3), cut: () => 1, colour: C.idle },
  starting: {
    body: union(circle(at.x - 0.24, at.y, 0.08), circle(at.x - 0.04, at.y, 0.08), circle(at.x + 0.16, at.y, 0.08)),
    clear: line(at.x - 0.24, at.y + 0.06, at.x + 0.2, at.y + 0.06, 0.36),
    cut: () => 1,
    colour: C.idle,
  },
}

/** @param layers bottom first: { shape, colour, erase? } */
function draw(size, layers) {
  const rgba = new Uint8Array(size * size * 4)
  for (let py = 0; py < size; py++) {
    for (let px = 0; px < size; px++) {
      let r = 0
      let g = 0
      let b = 0
      let a = 0
      for (let s = 0; s < SAMPLES * SAMPLES; s++) {
        const x = (px + ((s % SAMPLES) + 0.5) / SAMPLES) / size
        const y = (py + (Math.floor(s / SAMPLES) + 0.5) / SAMPLES) / size
        let colour = null
        for (const layer of layers)
          if (layer.shape(x, y) <= 0)
            colour = layer.erase ? null : typeof layer.colour === 'function' ? layer.colour(x, y) : layer.colour
        if (colour === null) continue
        r += colour[0]
        g += colour[1]
        b += colour[2]
        a++
      }
      if (a > 0) rgba.set([r / a, g / a, b / a, (a * 255) / (SAMPLES * SAMPLES)], (py * size + px) * 4)
    }
  }
  return png(size, rgba)
}

const mix = (from, to) => (_x, y) => from.map((value, i) => value + (to[i] - value) * y)

const appIcon = (size) =>
  draw(size, [
    { shape: box(0.5, 0.5, 0.46, 0.11), colour: mix([0x12, 0x7f, 0xa8], [0x07, 0x3f, 0x5c]) },
    { shape: (x, y) => arc(0.5, 0.58, 0.24, 0.1)(x, y), colour: C.white },
    { shape: wave(0.75, 0.035, 0.075, 0.2, 0.8), colour: [0x9b, 0xdc, 0xf5] },
  ])

const trayIcon = (size, state, template) => {
  const { body, cut, colour, clear = grown(body, 0.06) } = MARKS[state]
  // Light enough for dark panels, dark enough for light ones.
  const ink = template ? [0, 0, 0] : [0x6f, 0xa9, 0xc6]
  return draw(size, [
    { shape: silhouette(0.14), colour: ink },
    { shape: clear, erase: true, colour: ink },
    { shape: body, colour: template ? ink : colour },
    ...(template ? [{ shape: cut, erase: true, colour: ink }] : [{ shape: cut, colour: C.white }]),
  ])
}

const icons = join(root, 'build', 'icons')
const tray = join(root, 'electron', 'assets', 'tray')
mkdirSync(icons, { recursive: true })
mkdirSync(tray, { recursive: true })
const app = [16, 24, 32, 48, 64, 128, 256, 512, 1024].map((size) => ({ size, data: appIcon(size) }))
for (const { size, data } of app) writeFileSync(join(icons, `${size}x${size}.png`), data)
writeFileSync(join(icons, 'icon.ico'), ico(app.filter(({ size }) => size <= 256)))
writeFileSync(join(icons, 'icon.icns'), icns(app))
for (const state of Object.keys(MARKS)) {
  for (const [suffix, size] of [
    ['', 22],
    ['@2x', 44],
  ]) {
    writeFileSync(join(tray, `${state}${suffix}.png`), trayIcon(size, state, false))
    writeFileSync(join(tray, `${state}Template${suffix}.png`), trayIcon(size, state, true))
  }
}
// For looking at: every tray icon large, on a light and a dark panel.
if (process.argv[2] === '--sheet') {
  for (const state of Object.keys(MARKS))
    writeFileSync(join(process.argv[3], `${state}.png`), trayIcon(176, state, false))
}
