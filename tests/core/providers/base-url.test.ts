import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/contract/kinds'
import { normalizeBaseUrl } from '../../../core/providers/base-url'

describe('an address as people paste it', () => {
  it.each<[string, Dialect, string]>([
    ['https://api.example.com/v1', 'openai-chat', 'https://api.example.com/v1'],
    [' https://api.example.com/v1/ ', 'openai-chat', 'https://api.example.com/v1'],
    ['https://api.example.com', 'openai-chat', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions', 'openai-chat', 'https://api.example.com/v1'],
    ['https://api.example.com/openai', 'openai-chat', 'https://api.example.com/openai'],
    ['https://api.example.com', 'anthropic', 'https://api.example.com/v1'],
    ['https://api.example.com/anthropic', 'anthropic', 'https://api.example.com/anthropic/v1'],
    ['https://api.example.com/v1/messages', 'anthropic', 'https://api.example.com/v1'],
    ['http://localhost:11434/v1', 'openai-chat', 'http://localhost:11434/v1'],
    ['https://api.example.com', 'openai-responses', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/responses', 'openai-responses', 'https://api.example.com/v1'],
    ['https://api.example.com', 'gemini', 'https://api.example.com/v1beta'],
    ['https://api.example.com/', 'gemini', 'https://api.example.com/v1beta'],
    ['https://api.example.com/gemini', 'gemini', 'https://api.example.com/gemini/v1beta'],
    ['https://api.example.com/v1', 'gemini', 'https://api.example.com/v1'],
    ['https://api.example.com/v1alpha', 'gemini', 'https://api.example.com/v1alpha'],
    ['https://api.example.com/v1beta/openai', 'gemini', 'https://api.example.com/v1beta'],
    ['https://api.example.com/v1beta/models', 'gemini', 'https://api.example.com/v1beta'],
    ['https://api.example.com/v1beta/models/gemini-x:generateContent', 'gemini', 'https://api.example.com/v1beta'],
    ['https://api.example.com/v1/publishers/google', 'gemini', 'https://api.example.com/v1/publishers/google'],
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
