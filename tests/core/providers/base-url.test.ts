import { describe, expect, it } from 'vitest'
import { normalizeBaseUrl } from '../../../core/providers/base-url'

describe('an address as people paste it', () => {
  it.each<[string, 'openai-chat' | 'anthropic', string]>([
    ['https://api.example.com/v1', 'openai-chat', 'https://api.example.com/v1'],
    [' https://api.example.com/v1/ ', 'openai-chat', 'https://api.example.com/v1'],
    ['https://api.example.com', 'openai-chat', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions', 'openai-chat', 'https://api.example.com/v1'],
    ['https://api.example.com/openai', 'openai-chat', 'https://api.example.com/openai'],
    ['https://api.example.com', 'anthropic', 'https://api.example.com/v1'],
    ['https://api.example.com/anthropic', 'anthropic', 'https://api.example.com/anthropic/v1'],
    ['https://api.example.com/v1/messages', 'anthropic', 'https://api.example.com/v1'],
    ['http://localhost:11434/v1', 'openai-chat', 'http://localhost:11434/v1'],
  ])('%s for %s', (raw, dialect, url) => {
    expect(normalizeBaseUrl(raw, dialect)).toBe(url)
  })

  it.each(['', 'api.example.com', 'ftp://x', 'https://u:p@x/v1', 'https://x/v1?key=1', 'https://x/#a'])(
    'refuses %j',
    (raw) => {
      expect(() => normalizeBaseUrl(raw, 'openai-chat')).toThrow(/baseUrl/)
    },
  )
})
