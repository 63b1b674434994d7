import { describe, expect, it, vi } from 'vitest'
import { PushBus } from '../../../core/telemetry/pushes'
import { quietLogger } from '../management/open-config'

describe('a push', () => {
  it('reaches who listens for it, and nobody else', () => {
    const bus = new PushBus(quietLogger())
    const [one, two, other] = [vi.fn(), vi.fn(), vi.fn()]
    bus.on('log:appended', one)
    bus.on('log:appended', two)
    bus.on('try:chunk', other)
    bus.emit('log:appended', () => [])
    expect(one).toHaveBeenCalledExactlyOnceWith([])
    expect(two).toHaveBeenCalledExactlyOnceWith([])
    expect(other).not.toHaveBeenCalled()
  })

  it('is not even made when nobody listens any more', () => {
    const bus = new PushBus(quietLogger())
    const [listener, data] = [vi.fn(), vi.fn(() => [])]
    bus.emit('log:appended', data)
    bus.on('log:appended', listener)()
    bus.emit('log:appended', data)
    expect(data).not.toHaveBeenCalled()
    expect(listener).not.toHaveBeenCalled()
  })

  it('goes on to the others when one listener throws, and that is logged', () => {
    const error = vi.fn()
    const bus = new PushBus({ ...quietLogger(), error })
    const second = vi.fn()
    bus.on('log:appended', () => {
      throw new Error('the window is gone')
    })
    bus.on('log:appended', second)
    bus.emit('log:appended', () => [])
    expect(second).toHaveBeenCalledTimes(1)
    expect(error).toHaveBeenCalledExactlyOnceWith(
      { push: 'log:appended', error: 'Error: the window is gone' },
      'a listener failed',
    )
  })
})
